//! The receipt as HTML, for pages and emails, and as plain text.

use app::orders::{Receipt, ReceiptProps, order_receipt, receipt_view};
use app::ui::{Target, render_to_string};
use leptos::prelude::*;
use wasm_core::money::Cents;
use wasm_core::orders::{Card, DisputeStatus, Order, Payment};

use crate::html::{attributes, facts, visible};
use crate::orders::{HOSTILE_LINE, hostile, to_quebec, two_lights};

const SUPPORT: &str = "support@nudgelight.example";

fn html(order: &Order, target: Target) -> String {
    render_to_string(|| receipt_view(Receipt::of(order, SUPPORT), target))
}

fn text(order: &Order) -> String {
    Receipt::of(order, SUPPORT).to_text()
}

#[test]
fn the_plain_text_says_everything_in_order() {
    let expected = "\
Order 1001
Placed: 11/21/2026
Status: Pending

Nudgelight One
  2 × $24.99 = $49.98

Subtotal: $49.98
Shipping: $6.20
Sales tax (7.25%): $3.62
Total: $59.80
Paid $59.80.

Ship to:
Kit Doe
12 Harbor Street
Floor 3
Sausalito, CA 94965
United States
555-0100

Bill to:
Kit Doe
PO Box 7
Portland, OR 97201
United States

Questions? Email support@nudgelight.example.";
    assert_eq!(text(&two_lights()), expected);
}

#[test]
fn a_warranty_stands_below_its_item() {
    let mut order = two_lights();
    order.items[0].warranty_months = Some(18);
    assert!(
        text(&order).contains("Nudgelight One\n  2 × $24.99 = $49.98\n  Warranty: 18 months\n\n"),
        "{}",
        text(&order)
    );
    let page = visible(&html(&order, Target::Email));
    assert!(page.contains("Nudgelight One 2 × $24.99 Warranty: 18 months $49.98"), "{page}");
}

#[test]
fn the_html_says_everything_in_order() {
    let expected = "Order 1001 Placed 11/21/2026 Status Pending \
        Item Amount \
        Nudgelight One 2 × $24.99 $49.98 \
        Subtotal $49.98 Shipping $6.20 Sales tax (7.25%) $3.62 Total $59.80 \
        Paid $59.80. \
        Ship to Kit Doe 12 Harbor Street Floor 3 Sausalito, CA 94965 United States 555-0100 \
        Bill to Kit Doe PO Box 7 Portland, OR 97201 United States \
        Questions? Email support@nudgelight.example.";
    assert_eq!(visible(&html(&two_lights(), Target::Email)), expected);
}

#[test]
fn page_and_mail_differ_in_styles_and_in_the_heading_alone() {
    for order in [two_lights(), to_quebec(), hostile()] {
        let (page, mail) = (html(&order, Target::Page), html(&order, Target::Email));
        let title = Receipt::of(&order, SUPPORT).title;
        assert_eq!(visible(&page), visible(&mail).replacen(&title, "Receipt", 1));
        assert_eq!(attributes(&page, "href"), attributes(&mail, "href"));
        assert!(attributes(&page, "style").is_empty(), "the pages' security policy forbids style attributes");
        assert!(attributes(&mail, "class").is_empty(), "a mail has no stylesheet");
        assert!(attributes(&page, "class").len() > 30 && attributes(&mail, "style").len() > 30);
    }
}

#[test]
fn html_and_text_carry_the_same_facts() {
    for order in [two_lights(), to_quebec()] {
        let html = html(&order, Target::Email);
        let mut seen = facts(&visible(&html));
        seen.extend(attributes(&html, "href").into_iter().filter(|link| !link.starts_with("mailto:")));
        assert_eq!(seen, facts(&text(&order)));
    }
}

#[test]
fn every_tax_of_an_order_has_its_line() {
    let order = to_quebec();
    assert!(text(&order).contains("\nShipping: $71.95\nGST (5%): $66.07\nQST (9.975%): $131.81\nTotal: $1,519.28\n"));
    assert!(visible(&html(&order, Target::Page)).contains("GST (5%) $66.07 QST (9.975%) $131.81 Total $1,519.28"));
}

#[test]
fn an_order_without_tax_says_so() {
    let mut order = two_lights();
    order.tax = Cents::ZERO;
    order.tax_breakdown.clear();
    assert!(text(&order).contains("\nTax: $0.00\n"));
}

#[test]
fn a_known_carrier_gets_a_link_an_unknown_one_only_its_number() {
    let order = to_quebec();
    let link = "https://www.ups.com/track?tracknum=1Z999AA10123456784";
    assert!(attributes(&html(&order, Target::Page), "href").contains(&link.to_owned()));
    assert!(text(&order).contains(&format!("Tracking number: 1Z999AA10123456784\nTrack with UPS: {link}\n")));

    let by_pigeon = Order { tracking_number: Some("pigeon 7".to_owned()), ..to_quebec() };
    assert!(visible(&html(&by_pigeon, Target::Page)).contains("Tracking number: pigeon 7"));
    assert!(!html(&by_pigeon, Target::Page).contains("https://"));

    assert!(!visible(&html(&two_lights(), Target::Page)).contains("Tracking"));
}

#[test]
fn the_payment_note_tells_where_the_money_is() {
    let notes = [
        (0, DisputeStatus::None, "Paid $59.80."),
        (2499, DisputeStatus::Warning, "Paid $59.80. Refunded $24.99."),
        (5980, DisputeStatus::Won, "Paid $59.80. Refunded in full."),
        (0, DisputeStatus::Open, "Paid $59.80. The bank is reviewing this payment."),
        (2499, DisputeStatus::Lost, "Paid $59.80. The bank reversed this payment."),
    ];
    for (refunded, dispute, note) in notes {
        let mut order = two_lights();
        order.payment = Payment::of(order.total, Cents::from_cents(refunded), dispute);
        assert!(text(&order).contains(&format!("\n{note}\n")));
        assert!(visible(&html(&order, Target::Page)).contains(note));
    }
}

#[test]
fn nothing_typed_by_people_becomes_markup_or_a_line() {
    let order = hostile();
    for target in [Target::Page, Target::Email] {
        let html = html(&order, target);
        assert!(!html.contains("<Kit>") && !html.contains("<script"));
        assert!(html.contains("&lt;Kit&gt; &amp; "));
        assert!(visible(&html).contains(HOSTILE_LINE));
    }
    assert!(text(&order).contains(HOSTILE_LINE));
    assert!(!text(&order).contains("\nBcc:"));
}

#[test]
fn an_order_without_items_says_so_instead_of_showing_an_empty_table() {
    let order = Order { items: Vec::new(), ..two_lights() };
    assert!(visible(&html(&order, Target::Page)).contains("No items found for this order."));
    assert!(text(&order).contains("No items found for this order."));
}

#[test]
fn a_line_too_large_to_add_up_shows_no_wrong_amount() {
    let mut order = two_lights();
    order.items[0].quantity = i64::MAX;
    assert!(text(&order).contains("× $24.99 = –\n"));
}

#[test]
fn a_printed_page_names_the_shop_above_the_receipt() {
    let props = ReceiptProps {
        order: two_lights(),
        shop_name: "Nudgelight".to_owned(),
        support_email: SUPPORT.to_owned(),
        public_url: "https://shop.example".to_owned(),
    };
    let page = render_to_string(|| order_receipt(Signal::stored(props)));
    let receipt = visible(&html(&two_lights(), Target::Page));
    assert_eq!(visible(&page), format!("Nudgelight · https://shop.example {receipt}"));
}

#[test]
fn the_payment_is_one_line_with_the_card() {
    let mut order = two_lights();
    order.payment.card = Card::parse("visa", "4242");
    assert!(text(&order).contains("\nPaid $59.80 with Visa ending in 4242.\n"), "{}", text(&order));
}
