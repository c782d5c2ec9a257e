use app::orders::{Receipt, ReceiptProps, order_receipt, receipt_view};
use app::ui::Target;
use leptos::prelude::*;
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
        {receipt("Receipt: paid", paid)}
        {receipt("Receipt: shipped, two taxes, partially refunded", sent)}
        {receipt("Receipt: disputed", disputed)}
        {receipt("Receipt: without items", empty)}
        {state("Receipt in an email", receipt_view(in_mail, Target::Email))}
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
    state(title, order_receipt(Signal::stored(props)))
}
