//! Evidence for a dispute: one document with everything, whatever the texts contain.

use app::evidence::{DatedText, Evidence, PolicyText, PreviousOrder, SentEmail, evidence_document};
use app::orders::Receipt;

use crate::html::visible;
use crate::orders::{HOSTILE, HOSTILE_LINE, hostile};

fn document(words: &str) -> String {
    let text = || words.to_owned();
    evidence_document(Evidence {
        shop_name: text(),
        created: "11/24/2026 12:00 UTC".to_owned(),
        disputes: vec![vec![("Dispute", "du_1".to_owned()), ("Reason", text())]],
        receipt: Receipt::of(&hostile(), words),
        payment: vec![("Card", "Visa ending in 4242".to_owned())],
        shipping: vec![("Tracking number", text())],
        history: vec![DatedText { time: "11/21/2026 12:00 UTC".to_owned(), text: text() }],
        emails: vec![SentEmail { time: "11/21/2026 12:01 UTC".to_owned(), to: text(), subject: text() }],
        customer: vec![("Name", text())],
        previous_orders: vec![PreviousOrder {
            number: 998,
            date: "10/01/2026".to_owned(),
            status: "Delivered",
            payment: "Paid",
            total: "$29.90".to_owned(),
        }],
        policies: vec![PolicyText { title: "Terms", html: "<p>Be <strong>kind</strong></p>".to_owned() }],
    })
}

#[test]
fn the_document_is_whole_and_needs_no_other_file() {
    let html = document("Nudgelight");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"), "{html}");
    let shown = visible(&html);
    for words in ["du_1", "Visa ending in 4242", "998", "$29.90", "Be kind", "Emails to the customer", "Ship to"] {
        assert!(shown.contains(words), "{words} in {shown}");
    }
    for reference in ["<script", "<link", "<img", "<a ", "src=", "url(", "@import"] {
        assert!(!html.contains(reference), "{reference}");
    }
}

#[test]
fn texts_are_escaped_and_stay_on_one_line() {
    let html = document(HOSTILE);
    assert!(!html.contains("<script") && !html.contains("<Kit>"), "{html}");
    let shown = visible(&html);
    assert!(shown.contains(HOSTILE_LINE) && !shown.contains("</script>\r"), "{shown}");
}
