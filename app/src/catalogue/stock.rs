use leptos::prelude::*;
use wasm_core::catalogue::{StockBadge, stock_badge};

use crate::ui::{Icon, icon};

const BADGE: &str = "inline-flex items-center gap-1.5 rounded-full border border-current px-2.5 py-0.5 text-sm font-medium whitespace-nowrap";

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
