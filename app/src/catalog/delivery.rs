use leptos::prelude::*;
use wasm_core::delivery::DayRange;
use wasm_core::money::Cents;
use wasm_core::pricing::shipping_cost;
use wasm_core::validation::Country;

use super::product_props::ProductProps;
use crate::ui::{Icon, icon};

/// When the product ships and arrives, what that costs, and how it goes back.
pub(super) fn delivery(props: &ProductProps) -> AnyView {
    view! {
        <ul class="grid gap-2 text-sm max-lg:mt-4">
            <li class="flex gap-3">
                {icon(Icon::Truck, "mt-0.5 size-5 shrink-0 text-muted")}
                <span>
                    <span class="block font-medium">{ships_in(props)}</span>
                    <span class="text-muted">{in_transit(props)}</span>
                </span>
            </li>
            <li class="flex gap-3">
                {icon(Icon::Return, "mt-0.5 size-5 shrink-0 text-muted")}
                <span>
                    {props.return_days.map(|days| format!("{days}-day returns. "))}
                    <a href="/shipping-and-returns" class="text-link">
                        "Shipping and returns"
                    </a>
                </span>
            </li>
        </ul>
    }
    .into_any()
}

/// "Ships in 1–2 business days, from $4.95"
fn ships_in(props: &ProductProps) -> String {
    match lowest_shipping_cost(props) {
        Some(cost) => format!("Ships in {}, from {cost}", props.delivery.handling),
        None => format!("Ships in {}", props.delivery.handling),
    }
}

fn lowest_shipping_cost(props: &ProductProps) -> Option<Cents> {
    let weight = props.product.weight_pounds;
    Country::ALL.into_iter().filter_map(|country| shipping_cost(weight, country, &props.shipping_rates).ok()).min()
}

/// "Then 3–5 business days to the US, 5–10 to Canada"
fn in_transit(props: &ProductProps) -> String {
    let DayRange { min, max } = props.delivery.transit.ca;
    let to_canada = if min == max { max.to_string() } else { format!("{min}–{max}") };
    format!("Then {} to the US, {to_canada} to Canada", props.delivery.transit.us)
}
