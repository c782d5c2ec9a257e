//! Snapshots of every email, so that reviews show each change.
//!
//! `UPDATE_EXPECT=1 cargo test --test it snapshots` updates `testdata/emails/`;
//! `cargo xtask screenshots` takes screenshots of them.

use expect_test::expect_file;
use wasm_core::orders::Order;

use crate::emails::{all, shop};

#[test]
fn a_mail_is_what_was_agreed_on() {
    let order: Order = serde_json::from_str(include_str!("../../testdata/order-quebec.json")).unwrap();
    for (name, mail) in all(&shop(), &order, "zoe@example.com") {
        // One tag per line keeps diffs readable.
        let html = mail.html.replace("><", ">\n<") + "\n";
        expect_file![format!("../../testdata/emails/{name}.html")].assert_eq(&html);
        let text = format!("Subject: {}\n\n{}\n", mail.subject, mail.text.trim_end());
        expect_file![format!("../../testdata/emails/{name}.txt")].assert_eq(&text);
    }
}
