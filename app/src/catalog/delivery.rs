use leptos::prelude::*;
use wasm_core::delivery::DayRange;
use wasm_core::money::Cents;
use wasm_core::pricing::shipping_cost;
use wasm_core::validation::Country;

use super::product_props::{ArrivalEstimate, ProductProps};
use crate::ui::{Icon, icon};

/// When the product ships and arrives, what that costs, and how it goes back.
pub(super) fn delivery(props: &ProductProps) -> AnyView {
    view! {
        <ul class="grid gap-2 text-sm max-lg:mt-4">
            {(props.product.available > 0).then(|| shipping(props))}
            <li class="flex gap-3">
                {icon(Icon::Return, "mt-0.5 size-5 shrink-0 text-muted")}
                <span>
                    {props.return_days.map(|days| format!("{} ", props.return_shipping.terms(days)))}
                    <a href="/shipping-and-returns" class="text-link">
                        "Shipping and returns"
                    </a>
                </span>
            </li>
        </ul>
    }
    .into_any()
}

/// A product that is sold out has no shipping time.
fn shipping(props: &ProductProps) -> AnyView {
    let (when, then) = match &props.arrival {
        Some(arrival) => (arrives(arrival), order_within(props, arrival)),
        None => (ships_in(props), in_transit(props)),
    };
    view! {
        <li class="flex gap-3">
            {icon(Icon::Truck, "mt-0.5 size-5 shrink-0 text-muted")}
            <span>
                <span class="block font-medium">{when}</span>
                <span class="text-muted">{then}</span>
            </span>
        </li>
    }
    .into_any()
}

/// "Arrives Nov 30 – Dec 3 in the US, Dec 5–12 in Canada"
fn arrives(ArrivalEstimate { us, ca, .. }: &ArrivalEstimate) -> String {
    format!("Arrives {us} in the US, {ca} in Canada")
}

/// "Order within 5 h 12 min. Shipping from $4.95."
fn order_within(props: &ProductProps, arrival: &ArrivalEstimate) -> String {
    let within = arrival.minutes_left.map(|minutes| match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("Order within {minutes} min."),
        (hours, 0) => format!("Order within {hours} h."),
        (hours, minutes) => format!("Order within {hours} h {minutes} min."),
    });
    let cost = lowest_shipping_cost(props).map(|cost| format!("Shipping from {cost}."));
    within.into_iter().chain(cost).collect::<Vec<_>>().join(" ")
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
