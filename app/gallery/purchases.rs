use app::cart::{PriceSummaryProps, Sum, price_summary};
use app::orders::{Receipt, ReceiptProps, order_receipt, receipt_view};
use app::ui::{Medium, Props};
use leptos::prelude::*;
use wasm_core::money::Cents;
use wasm_core::orders::{DisputeStatus, Order, Payment};

use crate::{SHOP_NAME, SUPPORT, state};

pub fn states() -> Result<AnyView, serde_json::Error> {
    let paid: Order = serde_json::from_str(include_str!("../testdata/order.json"))?;
    let sent: Order = serde_json::from_str(include_str!("../testdata/order-quebec.json"))?;
    let mut disputed = paid.clone();
    disputed.payment = Payment::of(disputed.total, disputed.payment.refunded, DisputeStatus::Open);
    let empty = Order { items: Vec::new(), ..paid.clone() };
    let in_mail = Receipt::of(&sent, SUPPORT);
    let states = view! {
        {state("What it costs", summary())}
        {receipt("Receipt: paid, to be packed", paid)}
        {receipt("Receipt: sent, two taxes, partly refunded", sent)}
        {receipt("Receipt: disputed", disputed)}
        {receipt("Receipt: without items", empty)}
        {state("Receipt in a mail", receipt_view(in_mail, Medium::Mail))}
    };
    Ok(states.into_any())
}

fn receipt(title: &'static str, order: Order) -> AnyView {
    let props = ReceiptProps {
        order,
        shop_name: SHOP_NAME.to_owned(),
        support_email: SUPPORT.to_owned(),
        public_url: "https://nudgelight.example".to_owned(),
    };
    state(title, order_receipt(Props::new(props)))
}

fn summary() -> AnyView {
    let sum = |label: &str, cents| Sum { label: label.to_owned(), amount: Cents::from_cents(cents) };
    let sums = vec![sum("Subtotal", 4998), sum("Shipping", 620), sum("Sales tax (7.25%)", 362)];
    let props = PriceSummaryProps { sums, total: sum("Total", 5980) };
    view! { <div class="max-w-sm">{price_summary(Props::new(props))}</div> }.into_any()
}
