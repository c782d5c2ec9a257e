//! Every email of the shop, for the tests that all of them must pass.

use app::mail::{self, DueResponse, Mail, ShopInfo};
use wasm_core::catalog::Product;
use wasm_core::delivery::{DeliveryTimes, ReturnShipping};
use wasm_core::money::Cents;
use wasm_core::orders::Order;

pub fn shop() -> ShopInfo {
    ShopInfo {
        name: "Nudgelight".to_owned(),
        public_url: "https://shop.example".to_owned(),
        support_email: "support@nudgelight.example".to_owned(),
        seller: Some("Nudgelight Inc., 1 Lamp Street, Springfield, IL 62701".to_owned()),
        return_terms: Some(ReturnShipping::Customer.terms(30)),
        delivery: DeliveryTimes::default(),
    }
}

/// All emails, rendered from an order and untrusted text.
pub fn all(shop: &ShopInfo, order: &Order, words: &str) -> [(&'static str, Mail); 33] {
    let amount = Cents::from_cents(2499);
    let product = |name: &str| Product {
        name: name.to_owned(),
        slug: "nudgelight-halo".to_owned(),
        price: Cents::from_cents(5495),
        ..Product::default()
    };
    let response = DueResponse { is_inquiry: false, amount, due_on: "12/31/2026".to_owned(), days_left: 7 };
    [
        ("confirm_email", mail::confirm_email(shop, words, "048213", "11/22/2026, 11:40 UTC")),
        ("login_code", mail::login_code(shop, words, "048213")),
        ("no_login_code", mail::no_login_code(shop)),
        ("reset_password", mail::reset_password(shop, words, "048213")),
        ("address_in_use", mail::address_in_use(shop)),
        ("change_email_from", mail::change_email_from(shop, words, "048213")),
        ("change_email_to", mail::change_email_to(shop, "048213")),
        ("address_in_use_by_you", mail::address_in_use_by_you(shop)),
        ("email_changed", mail::email_changed(shop, words, "4f1c")),
        ("email_change_undone", mail::email_change_undone(shop)),
        ("email_changed_back", mail::email_changed_back(shop)),
        ("address_was_changed", mail::address_was_changed(shop)),
        ("password_changed", mail::password_changed(shop)),
        ("second_factor_set_up", mail::second_factor_set_up(shop)),
        ("recovery_code_used", mail::recovery_code_used(shop, 9)),
        ("recovery_codes_replaced", mail::recovery_codes_replaced(shop)),
        ("passkey_added", mail::passkey_added(shop, "Ada’s phone")),
        ("passkey_removed", mail::passkey_removed(shop, "Ada’s phone")),
        ("sessions_ended", mail::sessions_ended(shop)),
        ("receipt", mail::receipt(shop, order)),
        ("shipped", mail::shipped(shop, order, None)),
        ("shipped_in_part", mail::shipped(shop, order, order.items.get(..1))),
        ("refunded", mail::refunded(shop, order, amount)),
        ("refund_failed", mail::refund_failed(shop, order, amount)),
        ("payment_refunded", mail::payment_refunded(shop, amount, words)),
        ("payment_refund_failed", mail::payment_refund_failed(shop, amount)),
        ("new_order", mail::new_order(shop, order, words)),
        ("order_alert", mail::order_alert(shop, order, words, words)),
        ("dispute_due", mail::dispute_due(shop, order, words, &response)),
        ("alert", mail::alert(shop, words, words)),
        ("low_stock", mail::low_stock(shop, &[(words.to_owned(), 2), ("Nudgelight Halo".to_owned(), 0)])),
        ("confirm_back_in_stock", mail::confirm_back_in_stock(shop, words, "4f1c")),
        ("back_in_stock", mail::back_in_stock(shop, &product(words))),
    ]
}
