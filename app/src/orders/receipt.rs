//! The receipt's content. The page, print, email and plain text show the same strings, so that they cannot differ.

use wasm_core::catalog::warranty_text;
use wasm_core::orders::{
    DisputeStatus, Order, OrderItem, Payment, PaymentStatus, TrackingLink, display_date, tracking_link,
};
use wasm_core::pricing::TaxBreakdown;
use wasm_core::validation::{Address, Country};

use crate::ui::single_line;

/// Shown in place of the lines when there are none.
pub(super) const NO_ITEMS: &str = "No items found for this order.";

/// An order, formatted for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// "Order 1001". The order page already has this as its heading and shows "Receipt" instead.
    pub title: String,
    /// The date of the order in the shop's time zone, `MM/dd/yyyy`.
    pub placed: String,
    pub status: &'static str,
    pub lines: Vec<ReceiptLine>,
    /// Subtotal, shipping and each tax: they add up to `total`.
    pub sums: Vec<Sum>,
    pub total: String,
    /// Payment status with amounts and the card, as in "Paid $24.99 with Visa ending in 4242."
    pub payment: String,
    pub tracking: Option<Tracking>,
    pub ship_to: Vec<String>,
    pub bill_to: Vec<String>,
    pub support_email: String,
}

/// An item of the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptLine {
    pub product_id: String,
    pub name: String,
    /// "2 × $24.99".
    pub each: String,
    /// "Warranty: 2 years".
    pub warranty: Option<String>,
    pub total: String,
}

/// A labeled amount above the total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    pub label: String,
    pub amount: String,
}

/// The tracking number, and the carrier's tracking page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracking {
    pub number: String,
    /// Present when the number's format identifies the carrier.
    pub link: Option<TrackingLink>,
}

impl Receipt {
    #[must_use]
    pub fn of(order: &Order, support_email: &str) -> Self {
        Self {
            title: format!("Order {}", order.number),
            placed: display_date(&order.order_date_local),
            status: order.status.label(),
            lines: order.items.iter().map(receipt_line).collect(),
            sums: sums(order),
            total: order.total.to_string(),
            payment: payment_note(order),
            tracking: order.tracking_number.as_deref().map(tracking),
            ship_to: address_lines(&order.address),
            bill_to: address_lines(&order.billing_address),
            support_email: single_line(support_email),
        }
    }
}

fn receipt_line(item: &OrderItem) -> ReceiptLine {
    // The total cannot overflow: it was computed when the order was placed. A dash is still better than a wrong amount.
    let total = item.total().map_or_else(|_| "–".to_owned(), |total| total.to_string());
    let product_id = single_line(&item.product_id);
    ReceiptLine {
        product_id,
        name: single_line(&item.product_name),
        each: format!("{} × {}", item.quantity, item.price),
        warranty: item.warranty_months.map(|months| format!("Warranty: {}", warranty_text(months))),
        total,
    }
}

/// Content id of a product's picture in an email (RFC 2392).
#[must_use]
pub fn picture_id(product_id: &str) -> String {
    format!("{product_id}@products")
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
    sums.extend(taxes.map(|tax| Sum { label: single_line(&tax.label), amount: tax.amount.to_string() }));
    sums
}

fn payment_note(order: &Order) -> String {
    let Payment { status, refunded, dispute, card } = &order.payment;
    let paid = match card {
        Some(card) => format!("Paid {} with {}.", order.total, single_line(&card.label())),
        None => format!("Paid {}.", order.total),
    };
    match status {
        PaymentStatus::Paid => paid,
        PaymentStatus::PartiallyRefunded => format!("{paid} Refunded {refunded}."),
        PaymentStatus::Refunded => format!("{paid} Refunded in full."),
        PaymentStatus::Disputed if *dispute == DisputeStatus::Lost => {
            format!("{paid} The bank reversed this payment.")
        }
        PaymentStatus::Disputed => format!("{paid} The bank is reviewing this payment."),
    }
}

fn tracking(number: &str) -> Tracking {
    Tracking { number: single_line(number), link: tracking_link(number) }
}

/// Name, street, city, country and phone, without empty lines.
#[must_use]
pub fn address_lines(address: &Address) -> Vec<String> {
    let postal = &address.address;
    let city = format!("{}, {} {}", postal.city, postal.state, postal.postal_code);
    // The billing address comes from the payment provider: the shop may not ship to its country.
    let country = Country::parse(&postal.country).map_or(postal.country.as_str(), |country| country.name());
    [
        Some(address.name.as_str()),
        Some(postal.line1.as_str()),
        postal.line2.as_deref(),
        Some(city.as_str()),
        Some(country),
        address.phone.as_deref(),
    ]
    .into_iter()
    .flatten()
    .map(single_line)
    .filter(|line| !line.is_empty())
    .collect()
}
