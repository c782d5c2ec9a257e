//! What a receipt says. Page, paper, mail and plain text all show these same strings, so that they cannot disagree.

use wasm_core::orders::{
    DisputeStatus, Order, OrderItem, Payment, PaymentStatus, TrackingLink, display_date, tracking_link,
};
use wasm_core::pricing::TaxBreakdown;
use wasm_core::validation::{Address, Country};

use crate::ui::one_line;

/// The one thing a receipt without lines says about them.
pub(super) const NO_ITEMS: &str = "No items found for this order.";

/// An order in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// "Order 1001".
    pub title: String,
    /// The UTC day on which the order was made, `MM/dd/yyyy`.
    pub placed: String,
    pub status: &'static str,
    pub lines: Vec<ReceiptLine>,
    /// Subtotal, shipping and each tax; they add up to `total`.
    pub sums: Vec<Sum>,
    pub total: String,
    /// What happened to the money, in whole sentences.
    pub payment: String,
    pub tracking: Option<Tracking>,
    pub ship_to: Vec<String>,
    pub bill_to: Vec<String>,
    pub support_email: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptLine {
    pub name: String,
    /// "2 × $24.99".
    pub each: String,
    pub total: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    pub label: String,
    pub amount: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracking {
    pub number: String,
    /// Where the number's form tells the carrier.
    pub link: Option<TrackingLink>,
}

impl Receipt {
    #[must_use]
    pub fn of(order: &Order, support_email: &str) -> Self {
        Self {
            title: format!("Order {}", order.number),
            placed: display_date(&order.order_date),
            status: order.status.label(),
            lines: order.items.iter().map(line_facts).collect(),
            sums: sums(order),
            total: order.total.to_string(),
            payment: payment_note(order),
            tracking: order.tracking_number.as_deref().map(tracking_facts),
            ship_to: address_lines(&order.address),
            bill_to: address_lines(&order.billing_address),
            support_email: one_line(support_email),
        }
    }
}

fn line_facts(item: &OrderItem) -> ReceiptLine {
    // A line was added up when it was sold, so it fits; a dash is still better than a wrong amount.
    let total = item.total().map_or_else(|_| "–".to_owned(), |total| total.to_string());
    ReceiptLine { name: one_line(&item.product_name), each: format!("{} × {}", item.quantity, item.price), total }
}

fn sums(order: &Order) -> Vec<Sum> {
    let mut sums = vec![
        Sum { label: "Subtotal".to_owned(), amount: order.subtotal.to_string() },
        Sum { label: "Shipping".to_owned(), amount: order.shipping_cost.to_string() },
    ];
    if order.tax_breakdown.is_empty() {
        sums.push(Sum { label: "Tax".to_owned(), amount: order.tax.to_string() });
    }
    let taxes = order.tax_breakdown.iter().map(TaxBreakdown::line);
    sums.extend(taxes.map(|tax| Sum { label: one_line(&tax.label), amount: tax.amount.to_string() }));
    sums
}

fn payment_note(order: &Order) -> String {
    let Payment { status, refunded, dispute } = &order.payment;
    let total = order.total;
    match status {
        PaymentStatus::Paid => format!("Paid {total}."),
        PaymentStatus::PartiallyRefunded => format!("Paid {total}, of which {refunded} went back to the card."),
        PaymentStatus::Refunded => format!("Paid {total}. All of it went back to the card."),
        PaymentStatus::Disputed if *dispute == DisputeStatus::Lost => {
            format!("Paid {total}. The bank returned this payment to the card.")
        }
        PaymentStatus::Disputed => format!("Paid {total}. The bank is looking into this payment."),
    }
}

fn tracking_facts(number: &str) -> Tracking {
    Tracking { number: one_line(number), link: tracking_link(number) }
}

/// As on a parcel: name, street, place, country, phone; what is missing takes no line.
fn address_lines(address: &Address) -> Vec<String> {
    let postal = &address.address;
    let place = format!("{}, {} {}", postal.city, postal.state, postal.postal_code);
    // A billing address is the payment provider's word: it may be in a country that the shop does not ship to.
    let country = Country::parse(&postal.country).map_or(postal.country.as_str(), |country| country.name());
    [
        Some(address.name.as_str()),
        Some(postal.line1.as_str()),
        postal.line2.as_deref(),
        Some(place.as_str()),
        Some(country),
        address.phone.as_deref(),
    ]
    .into_iter()
    .flatten()
    .map(one_line)
    .filter(|line| !line.is_empty())
    .collect()
}
