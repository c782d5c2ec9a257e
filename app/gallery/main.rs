//! The view gallery: every view in its states, with sample data, for `trunk serve`.

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

/// A view in one state, below its title.
fn state(title: &'static str, shown: AnyView) -> AnyView {
    view! {
        <section class="grid gap-3">
            <p class="text-sm text-muted">{title}</p>
            <div>{shown}</div>
        </section>
    }
    .into_any()
}
