//! Emails to customers about an order.

use wasm_core::money::Cents;
use wasm_core::orders::{Order, tracking_link};

use super::render::Mail;
use super::shop_info::ShopInfo;
use super::template::{Block, EmailTemplate};
use crate::orders::Receipt;

/// The order confirmation.
#[must_use]
pub fn receipt(shop: &ShopInfo, order: &Order) -> Mail {
    EmailTemplate {
        subject: format!("Your {} order {} is confirmed", shop.name, order.number),
        heading: "Thank you for your order".to_owned(),
        blocks: vec![
            Block::paragraph("We’re getting it ready. We’ll email you a tracking number when it ships."),
            Block::Button { label: VIEW_ORDER, url: order_url(shop, order) },
            receipt_block(shop, order),
        ],
    }
    .render(shop)
}

/// The shipping confirmation.
#[must_use]
pub fn shipped(shop: &ShopInfo, order: &Order) -> Mail {
    let mut blocks = vec![Block::paragraph(
        "Your package has shipped. Plug in your light when it arrives, and it takes care of the rest.",
    )];
    blocks.extend(match order.tracking_number.as_deref().and_then(tracking_link) {
        Some(link) => vec![
            Block::Button { label: "Track Package", url: link.url },
            Block::Link { label: VIEW_ORDER, url: order_url(shop, order) },
        ],
        None => vec![Block::Button { label: VIEW_ORDER, url: order_url(shop, order) }],
    });
    blocks.push(receipt_block(shop, order));
    EmailTemplate {
        subject: format!("Your {} order {} has shipped", shop.name, order.number),
        heading: "Your order has shipped".to_owned(),
        blocks,
    }
    .render(shop)
}

/// A full or partial refund of `amount`.
#[must_use]
pub fn refunded(shop: &ShopInfo, order: &Order, amount: Cents) -> Mail {
    EmailTemplate {
        subject: format!("Refund for your {} order {}", shop.name, order.number),
        heading: format!("We refunded {amount}"),
        blocks: vec![
            Block::paragraph(&format!(
                "We refunded {amount} for order {} to your original payment method. {REFUND_TIME}",
                order.number
            )),
            Block::Button { label: VIEW_ORDER, url: order_url(shop, order) },
            receipt_block(shop, order),
        ],
    }
    .render(shop)
}

/// The automatic refund of a payment for which no order could be created. `reason` is a message to the customer.
#[must_use]
pub fn payment_refunded(shop: &ShopInfo, amount: Cents, reason: &str) -> Mail {
    EmailTemplate {
        subject: format!("Your payment to {} was refunded", shop.name),
        heading: format!("We refunded {amount}"),
        blocks: vec![
            Block::paragraph("We received your payment, but we couldn’t complete your order. We’re sorry."),
            Block::paragraph(reason),
            Block::paragraph(&format!("We refunded the full {amount} to your original payment method. {REFUND_TIME}")),
            Block::Button { label: "Shop Lights", url: shop.link("/products") },
            Block::note(&format!("Questions? Email {}.", shop.support_email)),
        ],
    }
    .render(shop)
}

const VIEW_ORDER: &str = "View Order";
const REFUND_TIME: &str = "Refunds take 5–10 business days to appear.";

fn receipt_block(shop: &ShopInfo, order: &Order) -> Block {
    Block::Receipt(Box::new(Receipt::of(order, &shop.support_email)))
}

fn order_url(shop: &ShopInfo, order: &Order) -> String {
    shop.link(&format!("/order/{}", order.id))
}
