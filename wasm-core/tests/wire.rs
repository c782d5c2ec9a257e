//! JSON format: serialized values, and the values that deserialization rejects.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wasm_core::cart::Cart;
use wasm_core::catalog::ProductInput;
use wasm_core::money::Cents;
use wasm_core::orders::{
    AdminOrder, AdminOrderListItem, DisputeStatus, HoldReason, Order, OrderListItem, OrderPatch, OrderStatus,
    PaymentStatus,
};
use wasm_core::pricing::{Rate, ShippingRates, TaxCalculation};
use wasm_core::validation::Address;
use wasm_core::weight::Weight;

fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|wrong| wrong.to_string())
}

fn refusal<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
    read::<T>(text).unwrap_err()
}

#[test]
fn money_is_written_with_two_decimals() {
    let written =
        [0, 5, 620, 4998, -100, i64::MIN].map(|cents| serde_json::to_string(&Cents::from_cents(cents)).unwrap());
    assert_eq!(written, ["0.00", "0.05", "6.20", "49.98", "-1.00", "-92233720368547758.08"]);
}

#[test]
fn money_is_read_from_its_decimal_text() {
    let read = |text| read::<Cents>(text).unwrap().cents();
    assert_eq!([read("24.99"), read("24.9"), read("24"), read("0"), read("-0.01")], [2499, 2490, 2400, 0, -1]);
    // Floats cannot represent these exactly.
    assert_eq!([read("70368744177664.99"), read("92233720368547758.07")], [7_036_874_417_766_499, i64::MAX]);
}

#[test]
fn other_forms_of_money_are_refused() {
    for text in
        ["\"24.99\"", "2499e-2", "2.4E1", "24.999", "24.990", "true", "null", "[]", "{}", "92233720368547758.08"]
    {
        let refusal = refusal::<Cents>(text);
        assert!(refusal.contains("at most two decimals"), "{text}: {refusal}");
    }
}

#[test]
fn weight_has_the_same_form() {
    assert_eq!(serde_json::to_string(&Weight::from_hundredths(60)).unwrap(), "0.60");
    assert_eq!(read::<Weight>("0.6").unwrap().hundredths(), 60);
    assert!(refusal::<Weight>("0.605").contains("pounds"));
}

#[test]
fn money_survives_a_json_value() {
    let value = serde_json::to_value(Cents::from_cents(620)).unwrap();
    assert_eq!(value, json!(6.2));
    assert_eq!(serde_json::from_value::<Cents>(value).unwrap(), Cents::from_cents(620));
}

#[test]
fn a_new_product_is_on_sale_unless_it_says_otherwise() {
    let product = r#"{"name": "N", "description": "D", "price": 24.99, "stock": 3, "weight_pounds": 0.6"#;
    assert!(read::<ProductInput>(&format!("{product}}}")).unwrap().active);
    assert!(!read::<ProductInput>(&format!("{product}, \"active\": false}}")).unwrap().active);
    assert!(read::<ProductInput>(&format!("{product}, \"color\": \"red\"}}")).is_ok(), "unknown members are ignored");
    assert!(refusal::<ProductInput>("{}").contains("missing field `name`"));
}

#[test]
fn the_facts_of_a_product_are_optional_and_each_bad_one_is_named() {
    let required = r#""name": "N", "description": "D", "price": 24.99, "stock": 3, "weight_pounds": 0.6"#;
    let checked = |facts: &str| read::<ProductInput>(&format!("{{{required}, {facts}}}")).unwrap().validated();
    let facts = r#""form": "halo", "plug": "usb_c", "gtin": " 4006381333931 ", "origin_country": "ca", "sku": "", "in_the_box": [" A light ", ""]"#;
    let product = checked(facts).unwrap();
    assert_eq!((product.gtin.as_deref(), product.origin_country.as_deref()), (Some("4006381333931"), Some("CA")));
    assert_eq!((product.sku, product.in_the_box), (None, vec!["A light".to_owned()]));

    for (facts, field) in [
        (r#""dimensions": {"length_mm": 0, "width_mm": 1, "height_mm": 1}"#, "dimensions.length_mm"),
        (r#""cable_length_mm": 10001"#, "cable_length_mm"),
        (r#""power_mw": 0"#, "power_mw"),
        (r#""brightness_lm": 100001"#, "brightness_lm"),
        (r#""timekeeping_days": 0"#, "timekeeping_days"),
        (r#""warranty_months": 121"#, "warranty_months"),
        (r#""sku": "NL ONE""#, "sku"),
        (r#""gtin": "4006381333932""#, "gtin"),
        (r#""gtin": "123""#, "gtin"),
        (r#""origin_country": "Canada""#, "origin_country"),
        (r#""hs_code": "9405""#, "hs_code"),
        (r#""led_color": "warm\nwhite""#, "led_color"),
    ] {
        let errors = checked(facts).unwrap_err();
        assert_eq!(errors.iter().map(|(field, _)| field).collect::<Vec<_>>(), [field], "{facts}");
    }
}

#[test]
fn an_order_patch_clears_the_tracking_number_by_null_or_nothing() {
    let tracking = |text| read::<OrderPatch>(text).unwrap().validated().unwrap().tracking_number;
    assert_eq!(tracking("{}"), None);
    assert_eq!(tracking(r#"{"tracking_number": null}"#).as_deref(), Some(""));
    assert_eq!(tracking(r#"{"tracking_number": "  "}"#).as_deref(), Some(""));
    assert_eq!(tracking(r#"{"tracking_number": " 1Z9 "}"#).as_deref(), Some("1Z9"));
}

#[test]
fn an_order_patch_takes_no_other_null_and_no_other_status() {
    for text in [r#"{"status": null}"#, r#"{"address": null}"#, r#"{"restock": null}"#, r#"{"version": null}"#] {
        refusal::<OrderPatch>(text);
    }
    assert!(refusal::<OrderPatch>(r#"{"status": "lost"}"#).contains("unknown variant `lost`"));
    assert!(!read::<OrderPatch>("{}").unwrap().restock);
}

#[test]
fn an_order_patch_names_the_fields_of_its_address() {
    let text = r#"{"tracking_number": "9", "address": {"name": "Ada", "address": {"country": "US", "state": "CA",
        "city": "San Francisco", "line1": "1 Market St", "postal_code": "9410"}}}"#;
    let errors = read::<OrderPatch>(text).unwrap().validated().unwrap_err();
    assert_eq!(
        errors.iter().collect::<Vec<_>>(),
        [("address.address.postal_code", "A US ZIP has 5 digits; you typed 4.")]
    );
}

#[test]
fn an_address_leaves_out_what_is_empty_and_ignores_what_it_does_not_know() {
    let text = r#"{"name": "Ada", "email": "x", "phone": null, "address": {"line1": "1 Market St", "line2": null,
        "city": "San Francisco", "state": "CA", "postal_code": "94103", "country": "US", "planet": "Earth"}}"#;
    let address: Address = read(text).unwrap();
    let expected = json!({"name": "Ada", "address": {"line1": "1 Market St", "city": "San Francisco", "state": "CA",
        "postal_code": "94103", "country": "US"}});
    assert_eq!(serde_json::to_value(address).unwrap(), expected);
    assert!(refusal::<Address>(r#"{"name": 7}"#).contains("expected a string"));
}

#[test]
fn words_and_wire_agree() {
    for status in OrderStatus::ALL {
        assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        assert_eq!(status.as_str().parse(), Ok(status));
    }
    for status in PaymentStatus::ALL {
        assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        assert_eq!(status.as_str().parse(), Ok(status));
    }
    for status in DisputeStatus::ALL {
        assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        assert_eq!(status.as_str().parse(), Ok(status));
    }
    for reason in HoldReason::ALL {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
        assert_eq!(reason.as_str().parse(), Ok(reason));
    }
    assert!("Shipped".parse::<OrderStatus>().is_err());
}

#[test]
fn a_cart_on_the_wire_keeps_its_bounds() {
    let line = |id: usize, quantity: i64| {
        json!({"id": id.to_string(), "name": "N", "price": 1, "quantity": quantity, "slug": "n", "image": "/n.svg",
            "weight_pounds": 1, "stock": 9, "available": 9})
    };
    let cart = |lines: Vec<Value>| serde_json::from_value::<Cart>(lines.into()).map_err(|wrong| wrong.to_string());
    assert!(cart((0..50).map(|id| line(id, 1)).collect()).is_ok());
    assert!(cart((0..51).map(|id| line(id, 1)).collect()).unwrap_err().contains("50 different products"));
    assert!(cart(vec![line(1, 0)]).unwrap_err().contains("from 1 to 99"));
    assert!(cart(vec![line(1, 1), line(1, 1)]).unwrap_err().contains("once"));
}

#[test]
fn shipping_rates_are_read_from_numbers_and_texts() {
    let rates: ShippingRates =
        read(r#"{"us": {"first_pound": "4.95", "additional_pound": 1.25}, "ca": {"first_pound": 12, "additional_pound": "2.5"}}"#).unwrap();
    assert_eq!(rates.us, ShippingRates::default().us);
    assert_eq!(rates.ca, Rate { first_pound: Cents::from_cents(1200), additional_pound: Cents::from_cents(250) });
    assert_eq!(read::<ShippingRates>("{}").unwrap(), ShippingRates::default());
    for wrong in ["4.955", "\"4,95\"", "-1", "true", "null"] {
        refusal::<ShippingRates>(&format!("{{\"us\": {{\"first_pound\": {wrong}, \"additional_pound\": 1}}}}"));
    }
    assert!(
        refusal::<ShippingRates>(r#"{"uk": {"first_pound": 1, "additional_pound": 1}}"#).contains("unknown field `uk`")
    );
}

#[test]
fn the_providers_calculation_is_read_with_whatever_else_it_says() {
    let calculation: TaxCalculation = read(
        r#"{"id": "taxcalc_1", "object": "tax.calculation", "amount_total": 1947, "tax_amount_exclusive": 148,
            "tax_breakdown": [{"amount": 148, "inclusive": false, "taxable_amount": 1499, "tax_rate_details":
            {"country": "US", "percentage_decimal": "9.875", "state": null, "tax_type": "sales_tax", "rate_type": null}}]}"#,
    )
    .unwrap();
    assert_eq!(calculation.tax_breakdown[0].line().label, "Sales tax (9.875%)");
}

#[test]
fn an_order_shows_customers_nothing_of_the_administrators() {
    let written = order();
    let order: Order = serde_json::from_value(written.clone()).unwrap();
    assert_eq!(serde_json::to_value(&order).unwrap(), written);
    assert_eq!(order.total.cents(), 5980);

    let read: OrderListItem = serde_json::from_value(order_in_list()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), order_in_list());
}

#[test]
fn administrators_get_the_customers_members_beside_their_own() {
    let user_email = "ada@example.com".to_owned();
    let seen = AdminOrder {
        order: serde_json::from_value(order()).unwrap(),
        user_email: user_email.clone(),
        version: 3,
        owed: Vec::new(),
        hold: None,
        history: Vec::new(),
        alerts: Vec::new(),
    };
    let own = json!({"user_email": "ada@example.com", "version": 3, "owed": [], "history": [], "alerts": []});
    assert_eq!(serde_json::to_value(&seen).unwrap(), with_members(order(), own));
    // Amounts keep their decimals, too.
    assert!(serde_json::to_string(&seen).unwrap().contains(r#""shipping_cost":6.20,"#));

    let order = serde_json::from_value(order_in_list()).unwrap();
    let seen = AdminOrderListItem { order, user_email, payment: PaymentStatus::Paid, open_alerts: 0, hold: None };
    let own = json!({"user_email": "ada@example.com", "payment": "paid", "open_alerts": 0});
    assert_eq!(serde_json::to_value(&seen).unwrap(), with_members(order_in_list(), own));
}

fn with_members(mut whole: Value, members: Value) -> Value {
    whole.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    whole
}

fn order_in_list() -> Value {
    json!({"id": "o1", "number": 1001, "order_date": "2026-12-24T08:30:00Z",
        "order_date_local": "2026-12-24T03:30:00-05:00", "total": 59.8, "status": "pending", "name": "Ada"})
}

fn order() -> Value {
    let address = json!({"name": "Ada", "address": {"line1": "1 Market St", "city": "San Francisco", "state": "CA",
        "postal_code": "94103", "country": "US"}});
    json!({
        "id": "o1", "number": 1001, "order_date": "2026-12-24T08:30:00Z",
        "order_date_local": "2026-12-24T03:30:00-05:00", "status": "pending", "name": "Ada",
        "address": address, "billing_address": address, "tracking_number": null,
        "subtotal": 49.98, "shipping_cost": 6.2, "tax": 3.62, "total": 59.8,
        "tax_breakdown": [{"amount": 362, "tax_rate_details": {"percentage_decimal": "7.25", "country": "US",
            "state": "CA", "tax_type": "sales_tax"}}],
        "items": [{"product_id": "p1", "product_name": "Nudgelight One", "quantity": 2, "price": 24.99}],
        "payment": {"status": "paid", "refunded": 0.0, "dispute": "none"}
    })
}
