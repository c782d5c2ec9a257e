//! Emails to customers about an order.

use wasm_core::money::Cents;
use wasm_core::orders::{Order, OrderItem, estimated_arrival, tracking_link};
use wasm_core::validation::Country;

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
            Block::paragraph(&format!(
                "We’re getting it ready. We’ll email you a tracking number when it ships.{}",
                arrival(shop, order)
            )),
            Block::Button { label: VIEW_ORDER, url: order_url(shop, order) },
            receipt_block(shop, order),
        ]
        .into_iter()
        .chain(returns(shop))
        .collect(),
    }
    .render(shop)
}

/// " It should arrive Dec 2–7."
fn arrival(shop: &ShopInfo, order: &Order) -> String {
    let country = Country::parse(&order.address.address.country).ok();
    let estimate = country.and_then(|country| estimated_arrival(&order.order_date_local, country, &shop.delivery));
    estimate.map(|days| format!(" It should arrive {days}.")).unwrap_or_default()
}

/// The shipping confirmation. `packed` are the items in the package, if they are known: those that were not refunded.
#[must_use]
pub fn shipped(shop: &ShopInfo, order: &Order, packed: Option<&[OrderItem]>) -> Mail {
    let mut blocks = vec![Block::paragraph(
        "Your package has shipped. Plug in your light when it arrives, and it takes care of the rest.",
    )];
    if let Some(packed) = packed.filter(|packed| **packed != order.items) {
        let items: Vec<_> = packed.iter().map(|item| format!("{} × {}", item.quantity, item.product_name)).collect();
        let text = format!("In this package: {}. Items we refunded aren’t included.", items.join(", "));
        blocks.push(Block::paragraph(&text));
    }
    blocks.extend(match order.tracking_number.as_deref().and_then(tracking_link) {
        Some(link) => vec![
            Block::Button { label: "Track Package", url: link.url },
            Block::Link { label: VIEW_ORDER, url: order_url(shop, order) },
        ],
        None => vec![Block::Button { label: VIEW_ORDER, url: order_url(shop, order) }],
    });
    blocks.push(receipt_block(shop, order));
    blocks.extend(returns(shop));
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

/// A refund of `amount` that the customer's bank returned.
#[must_use]
pub fn refund_failed(shop: &ShopInfo, order: &Order, amount: Cents) -> Mail {
    EmailTemplate {
        subject: format!("The refund for your {} order {} failed", shop.name, order.number),
        heading: format!("Your bank returned your refund of {amount}"),
        blocks: vec![
            Block::paragraph(&format!(
                "We refunded {amount} for order {}, but your bank couldn’t complete the refund and returned it to us. \
                 We’re sorry. We’ll send it another way or contact you, so you don’t need to do anything.",
                order.number
            )),
            Block::Button { label: VIEW_ORDER, url: order_url(shop, order) },
            Block::note(&format!("Questions? Email {}.", shop.support_email)),
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

/// The customer's bank returned the automatic refund of a payment without an order.
#[must_use]
pub fn payment_refund_failed(shop: &ShopInfo, amount: Cents) -> Mail {
    EmailTemplate {
        subject: format!("Your refund from {} failed", shop.name),
        heading: format!("Your bank returned your refund of {amount}"),
        blocks: vec![
            Block::paragraph(&format!(
                "We couldn’t complete your order and refunded {amount}, but your bank couldn’t complete the refund and \
                 returned it to us. We’re sorry. We’ll send it another way or contact you, so you don’t need to do \
                 anything."
            )),
            Block::Button { label: "Contact Us", url: shop.link("/contact") },
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

/// The return terms, and a link to the page that explains them.
fn returns(shop: &ShopInfo) -> Vec<Block> {
    let terms = shop.return_terms.as_deref().map(Block::note);
    let link = Block::Link { label: "Shipping and Returns", url: shop.link("/shipping-and-returns") };
    terms.into_iter().chain([link]).collect()
}

fn order_url(shop: &ShopInfo, order: &Order) -> String {
    shop.link(&format!("/order/{}", order.id))
}
