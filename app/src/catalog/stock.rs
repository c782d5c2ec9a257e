use leptos::prelude::*;
use wasm_core::catalog::{StockBadge, stock_badge};

use crate::ui::{Icon, icon};

const BADGE: &str = "inline-flex items-center gap-1.5 rounded-full border border-current px-2.5 py-0.5 text-sm font-medium whitespace-nowrap";

/// "Only 3 left" beside the badge Low Stock.
pub(super) fn only_left(available: i64) -> Option<AnyView> {
    let is_low = stock_badge(available) == StockBadge::LowStock;
    is_low.then(|| {
        view! { <span class="text-sm font-medium text-warn">{format!("Only {available} left")}</span> }.into_any()
    })
}

/// The stock badge: a label, a color and an icon.
pub fn stock_status(available: i64) -> AnyView {
    let badge = stock_badge(available);
    let (sign, color) = match badge {
        StockBadge::InStock => (Icon::Check, "text-ok"),
        StockBadge::LowStock => (Icon::Warning, "text-warn"),
        StockBadge::OutOfStock => (Icon::Cross, "text-bad"),
    };
    view! { <span class=format!("{BADGE} {color}")>{icon(sign, "size-4")} {badge.label()}</span> }.into_any()
}
