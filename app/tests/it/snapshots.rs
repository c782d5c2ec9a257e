//! Every mail word by word and tag by tag, so that a change to one is seen by whoever reviews it.
//!
//! `UPDATE_EXPECT=1 cargo test --release --workspace --test it snapshots` writes `testdata/mails/` anew;
//! `cargo xtask shots` makes pictures of them.

use expect_test::expect_file;
use wasm_core::orders::Order;

use crate::emails::{all, shop};

#[test]
fn a_mail_is_what_was_agreed_on() {
    let order: Order = serde_json::from_str(include_str!("../../testdata/order-quebec.json")).unwrap();
    for (name, mail) in all(&shop(), &order, "zoe@example.com") {
        // A tag a line, or a change would be a line of ten thousand characters.
        let html = mail.html.replace("><", ">\n<") + "\n";
        expect_file![format!("../../testdata/mails/{name}.html")].assert_eq(&html);
        let text = format!("Subject: {}\n\n{}\n", mail.subject, mail.text.trim_end());
        expect_file![format!("../../testdata/mails/{name}.txt")].assert_eq(&text);
    }
}
