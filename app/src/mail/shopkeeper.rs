//! Emails to the shopkeeper.

use std::iter;

use wasm_core::money::Cents;
use wasm_core::orders::Order;

use super::render::Mail;
use super::shop_info::ShopInfo;
use super::template::{Block, EmailTemplate};
use crate::orders::Receipt;

/// A new order to fulfill. A reply goes to the customer, as with every email about an order.
#[must_use]
pub fn new_order(shop: &ShopInfo, order: &Order, customer_email: &str) -> Mail {
    let template = EmailTemplate {
        subject: format!("New order {} for {}", order.number, order.total),
        heading: format!("New order {}", order.number),
        blocks: vec![
            order_summary(order),
            Block::paragraph(&format!("Customer: {customer_email}")),
            open_order(shop, order),
            Block::Receipt(Box::new(Receipt::of(order, &shop.support_email))),
        ],
    };
    with_reply_to(customer_email, template.render(shop))
}

/// An alert about an order. `message` gives its reason.
#[must_use]
pub fn order_alert(shop: &ShopInfo, order: &Order, customer_email: &str, message: &str) -> Mail {
    let subject = format!("Order {}", order.number);
    let template = EmailTemplate {
        subject: alert_subject(&subject),
        heading: format!("Alert about order {}", order.number),
        blocks: vec![Block::paragraph(message), order_summary(order), open_order(shop, order)],
    };
    with_reply_to(customer_email, template.render(shop))
}

/// An alert without an order. Each line of `text` becomes a paragraph.
#[must_use]
pub fn alert(shop: &ShopInfo, subject: &str, text: &str) -> Mail {
    let lines =
        text.lines().map(Block::paragraph).filter(|block| !matches!(block, Block::Paragraph(line) if line.is_empty()));
    let orders = Block::Button { label: "Open Orders", url: shop.link("/admin/orders") };
    let blocks = lines.chain([orders]).collect();
    EmailTemplate { subject: alert_subject(subject), heading: subject.to_owned(), blocks }.render(shop)
}

/// A response to a bank that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueResponse {
    /// An inquiry, not a dispute.
    pub is_inquiry: bool,
    pub amount: Cents,
    /// `MM/dd/yyyy`.
    pub due_on: String,
    /// 0 today.
    pub days_left: i64,
}

/// A reminder to respond to a dispute or an inquiry.
#[must_use]
pub fn dispute_due(shop: &ShopInfo, order: &Order, customer_email: &str, response: &DueResponse) -> Mail {
    let DueResponse { is_inquiry, amount, due_on, days_left } = response;
    let (subject, consequence) = if *is_inquiry {
        ("inquiry", "Without a response, the bank may open a dispute.".to_owned())
    } else {
        ("dispute", format!("Without a response, you lose {amount}."))
    };
    let time = match days_left {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    };
    let template = EmailTemplate {
        subject: format!("Respond by {due_on}: {subject} about order {}", order.number),
        heading: format!("Respond to the {subject} by {due_on}"),
        blocks: vec![
            Block::paragraph(&format!(
                "Evidence for the {subject} about {amount} of order {} is due {time}. {consequence}",
                order.number
            )),
            Block::paragraph("Download the evidence from the order’s page, and submit it in the Stripe Dashboard."),
            order_summary(order),
            open_order(shop, order),
        ],
    };
    with_reply_to(customer_email, template.render(shop))
}

/// Products at or below their low-stock threshold: name and available units, the lowest first.
#[must_use]
pub fn low_stock(shop: &ShopInfo, products: &[(String, i64)]) -> Mail {
    let subject = match products {
        [(name, _)] => format!("Low stock: {name}"),
        _ => format!("Low stock: {} products", products.len()),
    };
    let intro = Block::paragraph("These products are at or below their low-stock threshold.");
    let lines =
        products.iter().take(LISTED_PRODUCTS).map(|(name, left)| Block::paragraph(&format!("{name}: {left} left")));
    let more = products.len().saturating_sub(LISTED_PRODUCTS);
    let rest = (more > 0).then(|| Block::paragraph(&format!("And {more} more.")));
    let open = Block::Button { label: "Open Products", url: shop.link("/admin/products?status=low_stock") };
    let blocks = iter::once(intro).chain(lines).chain(rest).chain([open]).collect();
    EmailTemplate { subject, heading: "Low stock".to_owned(), blocks }.render(shop)
}

/// Products that the low-stock email lists; further ones are counted.
const LISTED_PRODUCTS: usize = 50;

fn with_reply_to(customer_email: &str, mail: Mail) -> Mail {
    Mail { reply_to: Some(customer_email.to_owned()), ..mail }
}

fn order_summary(order: &Order) -> Block {
    Block::paragraph(&format!("Total: {}. Ship to: {}.", order.total, order.name))
}

fn open_order(shop: &ShopInfo, order: &Order) -> Block {
    Block::Button { label: "Open Order", url: shop.link(&format!("/admin/order/{}", order.id)) }
}

/// The fixed prefix lets the shopkeeper filter alerts.
fn alert_subject(subject: &str) -> String {
    format!("Alert: {subject}")
}
