//! The views alone, in their states, on sample data: what `trunk serve` shows to those who design them.

use app::orders::{OrderReceipt, Receipt, ReceiptProps, receipt_view};
use app::ui::Medium;
use leptos::prelude::*;
use wasm_core::orders::{Order, PaymentStatus};

const SUPPORT: &str = "support@nudgelight.example";

fn main() -> Result<(), serde_json::Error> {
    let paid: Order = serde_json::from_str(include_str!("../testdata/order.json"))?;
    let sent: Order = serde_json::from_str(include_str!("../testdata/order-quebec.json"))?;
    let mut disputed = paid.clone();
    disputed.payment.status = PaymentStatus::Disputed;
    let empty = Order { items: Vec::new(), ..paid.clone() };
    let in_mail = Receipt::of(&sent, SUPPORT);

    leptos::mount::mount_to_body(move || {
        view! {
            <main class="mx-auto grid max-w-3xl gap-12 bg-paper p-6 text-ink">
                <h1 class="text-2xl">"The shop's views"</h1>
                {page_state("Receipt: paid, to be packed", paid)}
                {page_state("Receipt: sent, two taxes, partly refunded", sent)}
                {page_state("Receipt: disputed", disputed)}
                {page_state("Receipt: without items", empty)}
                {state("Receipt in a mail", receipt_view(in_mail, Medium::Mail))}
            </main>
        }
    });
    Ok(())
}

fn page_state(title: &'static str, order: Order) -> impl IntoView {
    let props = ReceiptProps {
        order,
        shop_name: "Nudgelight".to_owned(),
        support_email: SUPPORT.to_owned(),
        public_url: "https://nudgelight.example".to_owned(),
    };
    state(title, view! { <OrderReceipt props=Signal::stored(props) /> })
}

fn state(title: &'static str, shown: impl IntoView) -> impl IntoView {
    view! {
        <section class="grid gap-3">
            <p class="text-sm text-muted">{title}</p>
            <div>{shown}</div>
        </section>
    }
}
