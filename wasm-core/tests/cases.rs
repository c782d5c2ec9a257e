//! Runs the cases of `testdata/`: one file for each exported function, named after it. A case has the arguments of the
//! function and the expected result. `testdata/package/` has those that only the npm package exports.
//!
//! The native build runs them against the rules, the WASM build against the exported functions in Node.js:
//!
//! ```text
//! CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=wasm-bindgen-test-runner \
//!     cargo test -p wasm-core --target wasm32-unknown-unknown --features package-js,tax-js --test cases
//! ```
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

#[path = "support/mod.rs"]
mod support;

#[cfg(target_arch = "wasm32")]
#[path = "support/browser.rs"]
mod functions;
#[cfg(not(target_arch = "wasm32"))]
#[path = "support/native.rs"]
mod functions;

use support::check;

/// One test for each function: `name => "file"` runs `FOLDER/file.json` through `functions::name`.
macro_rules! cases {
    ($($folder:literal, $every_file_is_run:ident: { $($name:ident => $file:literal,)* })*) => {
        $($(
            #[cfg_attr(not(target_arch = "wasm32"), test)]
            #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
            fn $name() {
                check($file, include_str!(concat!("../", $folder, "/", $file, ".json")), functions::$name);
            }
        )*

        #[cfg(not(target_arch = "wasm32"))]
        #[test]
        fn $every_file_is_run() {
            assert_eq!(files($folder), sorted(vec![$(concat!($file, ".json").to_string()),*]));
        })*
    };
}

#[cfg(not(target_arch = "wasm32"))]
fn files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    sorted(names.filter(|name| name.ends_with(".json")).collect())
}

#[cfg(not(target_arch = "wasm32"))]
fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

cases! {
    "testdata", every_file_is_run: {
        add_to_cart => "addToCart",
        card_label => "cardLabel",
        cart_count => "cartCount",
        cart_subtotal => "cartSubtotal",
        check_confirmation => "checkConfirmation",
        dollars_from_cents => "dollarsFromCents",
        format_date => "formatDate",
        format_money => "formatMoney",
        format_weight => "formatWeight",
        left_to_refund => "leftToRefund",
        limit_cart_to_stock => "limitCartToStock",
        line_total => "lineTotal",
        order_item_total => "orderItemTotal",
        order_status_filters => "orderStatusFilters",
        order_status_label => "orderStatusLabel",
        order_statuses => "orderStatuses",
        parse_day_range => "parseDayRange",
        parse_money => "parseMoney",
        payment_status_label => "paymentStatusLabel",
        quantity_limit => "quantityLimit",
        quote => "quote",
        quote_cart => "quoteCart",
        read_cart => "readCart",
        read_cart_link => "readCartLink",
        refresh_cart => "refreshCart",
        region_of_postal_code => "regionOfPostalCode",
        remove_from_cart => "removeFromCart",
        restore_cart_line => "restoreCartLine",
        set_quantity => "setQuantity",
        states => "states",
        stock_badge => "stockBadge",
        stock_label => "stockLabel",
        tax_lines => "taxLines",
        tracking_link => "trackingLink",
        validate_address => "validateAddress",
        validate_email => "validateEmail",
        validate_password => "validatePassword",
        validate_product => "validateProduct",
        validate_tracking_number => "validateTrackingNumber",
    }
    "testdata/package", every_file_of_the_package_is_run: {
        order_status_transitions => "orderStatusTransitions",
        payment_status => "paymentStatus",
        quote_for => "quoteFor",
        slug => "slug",
        table_tax => "tableTax",
        validate_order_patch => "validateOrderPatch",
        validate_photo_alt => "validatePhotoAlt",
        validate_quantity => "validateQuantity",
    }
}
