use wasm_core::catalogue::{StockBadge, stock_badge};

use crate::ui::{Icon, Part, still};

/// How many there are, in a word, a colour and a sign.
pub fn stock_sign(available: i64) -> impl Part {
    let badge = stock_badge(available);
    let (sign, class) = match badge {
        StockBadge::InStock => (Icon::Check, "text-ok"),
        StockBadge::LowStock => (Icon::Warning, "text-warn"),
        StockBadge::OutOfStock => (Icon::Cross, "text-bad"),
    };
    let (sign, label) = (sign.markup("size-4"), badge.label());
    still(format!(
        r#"<span class="inline-flex items-center gap-1.5 rounded-full border border-current px-2.5 py-0.5 text-sm font-medium whitespace-nowrap {class}">{sign}{label}</span>"#
    ))
}
