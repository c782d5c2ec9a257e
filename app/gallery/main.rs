//! The views alone, in their states, on sample data: what `trunk serve` shows to those who design them.

mod frame;
mod products;
mod purchases;
mod texts;

use leptos::prelude::*;

const SHOP_NAME: &str = "Nudgelight";
const SUPPORT: &str = "support@nudgelight.example";

fn main() -> Result<(), serde_json::Error> {
    let (products, purchases) = (products::states()?, purchases::states()?);
    leptos::mount::mount_to_body(move || {
        view! {
            <main class="grid gap-16 bg-paper p-6 text-ink">
                <h1 class="text-2xl">"The shop's views"</h1>
                {frame::states()}
                {products}
                {purchases}
                {texts::states()}
            </main>
        }
    });
    Ok(())
}

/// One view in one state, with its name above.
fn state(title: &'static str, shown: AnyView) -> AnyView {
    view! {
        <section class="grid gap-3">
            <p class="text-sm text-muted">{title}</p>
            <div>{shown}</div>
        </section>
    }
    .into_any()
}
