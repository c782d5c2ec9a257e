//! Mails to a customer about an order.

use wasm_core::money::Cents;
use wasm_core::orders::{Order, tracking_link};

use super::letter::{Letter, Part};
use super::{Mail, MailShop};
use crate::orders::Receipt;

/// An order was made.
#[must_use]
pub fn receipt(shop: &MailShop, order: &Order) -> Mail {
    Letter {
        subject: format!("Your {} order {}", shop.name, order.number),
        heading: "Thank you for your order".to_owned(),
        parts: vec![
            Part::say("We are packing it now. When it is on its way, you get a mail with its tracking number."),
            receipt_part(shop, order),
            view_order(shop, order),
        ],
    }
    .into_mail(shop)
}

/// An order left the house.
#[must_use]
pub fn shipped(shop: &MailShop, order: &Order) -> Mail {
    let mut parts = vec![Part::say("Your parcel has left us. Plug it in when it arrives, and it remembers for you.")];
    if let Some(link) = order.tracking_number.as_deref().and_then(tracking_link) {
        parts.push(Part::Go { label: "Track Parcel", url: link.url });
    }
    parts.extend([receipt_part(shop, order), view_order(shop, order)]);
    Letter {
        subject: format!("Your {} order {} is on its way", shop.name, order.number),
        heading: "Your order is on its way".to_owned(),
        parts,
    }
    .into_mail(shop)
}

/// `amount` went back to the card, all of the order's money or a part.
#[must_use]
pub fn refunded(shop: &MailShop, order: &Order, amount: Cents) -> Mail {
    Letter {
        subject: format!("A refund for your {} order {}", shop.name, order.number),
        heading: format!("We sent back {amount}"),
        parts: vec![
            Part::say(&format!(
                "{amount} for order {} went back to the card you paid with. {BANKS_TAKE_TIME}",
                order.number
            )),
            receipt_part(shop, order),
            view_order(shop, order),
        ],
    }
    .into_mail(shop)
}

/// A payment came through, but no order could be made of it: all of it went back. `reason` is a whole sentence.
#[must_use]
pub fn payment_returned(shop: &MailShop, amount: Cents, reason: &str) -> Mail {
    Letter {
        subject: format!("Your payment to {} was returned", shop.name),
        heading: format!("We sent back {amount}"),
        parts: vec![
            Part::say("Your payment came through, but we could not make an order of it. We are sorry."),
            Part::say(reason),
            Part::say(&format!("All of it, {amount}, went back to the card you paid with. {BANKS_TAKE_TIME}")),
            Part::Go { label: "See the Lights", url: shop.link("/products") },
            Part::aside(&format!("Questions? Write to {}.", shop.support_email)),
        ],
    }
    .into_mail(shop)
}

const BANKS_TAKE_TIME: &str = "Banks take 5 to 10 days to show it.";

fn receipt_part(shop: &MailShop, order: &Order) -> Part {
    Part::Receipt(Box::new(Receipt::of(order, &shop.support_email)))
}

fn view_order(shop: &MailShop, order: &Order) -> Part {
    Part::Go { label: "View Order", url: shop.link(&format!("/order/{}", order.id)) }
}
