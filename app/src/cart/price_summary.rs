use leptos::prelude::*;
use serde::Serialize;
use wasm_core::money::Cents;

use crate::ui::{self, Part, Props, changing, part};

/// A line of it: "Shipping", 6.20.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct Sum {
    pub label: String,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Dollars"))]
    pub amount: Cents,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct PriceSummaryProps {
    /// Subtotal, shipping and each tax, as far as they are known.
    pub sums: Vec<Sum>,
    pub total: Sum,
}

/// What it costs, line by line, with the total below.
pub fn price_summary(props: Props<PriceSummaryProps>) -> impl Part {
    let sums = changing(move || props.with(|props| ui::row(props.sums.iter().map(|sum| row(sum, "text-muted")))));
    let total =
        changing(move || props.with(|props| row(&props.total, "border-t border-line pt-3 text-lg font-semibold")));
    part(view! { <dl class="grid gap-2 tabular-nums">{sums} {total}</dl> })
}

fn row(sum: &Sum, class: &'static str) -> impl Part + use<> {
    part(view! {
        <div class=format!("flex justify-between gap-4 {class}")>
            <dt>{sum.label.clone()}</dt>
            <dd>{sum.amount.to_string()}</dd>
        </div>
    })
}
