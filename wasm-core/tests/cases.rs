//! The cases of `testdata/`: one file a function of the browser's module, named after it. Each case has the
//! function's arguments and what it gives.
//!
//! `cargo test` runs them against the rules themselves; with the WASM target the same file runs them through the
//! bindings in Node, as the browser calls them:
//!
//! ```text
//! CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=wasm-bindgen-test-runner \
//!     cargo test --release -p wasm-core --target wasm32-unknown-unknown --test cases
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/mod.rs"]
mod support;

#[cfg(not(target_arch = "wasm32"))]
#[path = "support/native.rs"]
mod border;
#[cfg(target_arch = "wasm32")]
#[path = "support/browser.rs"]
mod border;

use support::check;

/// One test a function: `name => "file"` runs `testdata/file.json` through `border::name`.
macro_rules! cases {
    ($($name:ident => $file:literal,)*) => {
        $(
            #[cfg_attr(not(target_arch = "wasm32"), test)]
            #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
            fn $name() {
                check($file, include_str!(concat!("../testdata/", $file, ".json")), border::$name);
            }
        )*

        /// Without this a new file would lie there and be run by nobody.
        #[cfg(not(target_arch = "wasm32"))]
        #[test]
        fn every_file_is_run() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");
            let mut files: Vec<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| name.ends_with(".json"))
                .collect();
            let mut run = vec![$(concat!($file, ".json").to_string()),*];
            files.sort();
            run.sort();
            assert_eq!(files, run);
        }
    };
}

cases! {
    add_to_cart => "addToCart",
    cart_count => "cartCount",
    cart_subtotal => "cartSubtotal",
    check_confirmation => "checkConfirmation",
    clear_cart => "clearCart",
    countries => "countries",
    dollars_from_cents => "dollarsFromCents",
    format_date => "formatDate",
    format_money => "formatMoney",
    format_weight => "formatWeight",
    lamp_colour => "lampColour",
    left_to_refund => "leftToRefund",
    line_total => "lineTotal",
    order_item_total => "orderItemTotal",
    order_status_filters => "orderStatusFilters",
    order_status_label => "orderStatusLabel",
    order_statuses => "orderStatuses",
    parse_money => "parseMoney",
    payment_status_label => "paymentStatusLabel",
    quantity_limit => "quantityLimit",
    quote => "quote",
    quote_cart => "quoteCart",
    read_cart => "readCart",
    refresh_cart => "refreshCart",
    remove_from_cart => "removeFromCart",
    set_quantity => "setQuantity",
    slug => "slug",
    states => "states",
    stock_badge => "stockBadge",
    stock_label => "stockLabel",
    tax_lines => "taxLines",
    tracking_link => "trackingLink",
    validate_address => "validateAddress",
    validate_email => "validateEmail",
    validate_password => "validatePassword",
    validate_product => "validateProduct",
    validate_quantity => "validateQuantity",
    validate_tracking_number => "validateTrackingNumber",
}
