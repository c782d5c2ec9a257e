//! Mails to the people who run the shop.

use wasm_core::orders::Order;

use super::letter::{Letter, Part};
use super::{Mail, MailShop};
use crate::orders::Receipt;

/// There is something to pack.
#[must_use]
pub fn new_order(shop: &MailShop, order: &Order) -> Mail {
    let customer = order.user_email.as_deref().map(|email| Part::say(&format!("Customer: {email}")));
    let parts = [
        Some(Part::say(&format!("{} ordered for {}.", order.name, order.total))),
        customer,
        Some(Part::Receipt(Box::new(Receipt::of(order, &shop.support_email)))),
        Some(open_order(shop, order)),
    ];
    let letter = Letter {
        subject: format!("New order {} for {}", order.number, order.total),
        heading: format!("Order {} is to be packed", order.number),
        parts: parts.into_iter().flatten().collect(),
    };
    with_reply_to_customer(letter.into_mail(shop), order)
}

/// A reply to an email about an order reaches its customer.
fn with_reply_to_customer(mail: Mail, order: &Order) -> Mail {
    Mail { reply_to: order.user_email.clone(), ..mail }
}

/// An order needs a person, who sees there what happened to it.
#[must_use]
pub fn order_attention(shop: &MailShop, order: &Order, why: &str) -> Mail {
    let subject = format!("Order {}", order.number);
    let letter = Letter {
        subject: needs_attention(&subject),
        heading: format!("{subject} needs attention"),
        parts: vec![
            Part::say(why),
            Part::say(&format!("{} ordered for {}.", order.name, order.total)),
            open_order(shop, order),
        ],
    };
    with_reply_to_customer(letter.into_mail(shop), order)
}

fn open_order(shop: &MailShop, order: &Order) -> Part {
    Part::Go { label: "Open Order", url: shop.link(&format!("/admin/order/{}", order.id)) }
}

/// What the shopkeeper may filter by.
fn needs_attention(subject: &str) -> String {
    format!("Needs attention: {subject}")
}

/// Something else needs a person. Each line of `text` is a paragraph.
#[must_use]
pub fn attention(shop: &MailShop, subject: &str, text: &str) -> Mail {
    let lines = text.lines().map(Part::say).filter(|part| !matches!(part, Part::Say(line) if line.is_empty()));
    let orders = Part::Go { label: "Open Orders", url: shop.link("/admin/orders") };
    Letter { subject: needs_attention(subject), heading: subject.to_owned(), parts: lines.chain([orders]).collect() }
        .into_mail(shop)
}
