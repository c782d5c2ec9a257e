//! Every mail of the shop, to hold each of them to the same rules.

use app::mail::{self, Mail, MailShop};
use wasm_core::money::Cents;
use wasm_core::orders::Order;

pub fn shop() -> MailShop {
    MailShop {
        name: "Nudgelight".to_owned(),
        public_url: "https://shop.example".to_owned(),
        support_email: "support@nudgelight.example".to_owned(),
    }
}

/// What the shop's mails are made of: an order and a text from outside.
pub fn all(shop: &MailShop, order: &Order, words: &str) -> [(&'static str, Mail); 12] {
    let amount = Cents::from_cents(2499);
    [
        ("confirm_email", mail::confirm_email(shop, words, "048213", "11/22/2026, 11:40 UTC")),
        ("reset_password", mail::reset_password(shop, words, "048213")),
        ("address_in_use", mail::address_in_use(shop)),
        ("password_changed", mail::password_changed(shop)),
        ("sessions_ended", mail::sessions_ended(shop)),
        ("receipt", mail::receipt(shop, order)),
        ("shipped", mail::shipped(shop, order)),
        ("refunded", mail::refunded(shop, order, amount)),
        ("payment_returned", mail::payment_returned(shop, amount, words)),
        ("new_order", mail::new_order(shop, order)),
        ("order_attention", mail::order_attention(shop, order, words)),
        ("attention", mail::attention(shop, words, words)),
    ]
}
