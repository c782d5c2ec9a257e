//! A letter: what a mail says, before it is text or HTML.

use super::view::letter_html;
use super::{Mail, MailShop};
use crate::orders::Receipt;
use crate::ui::one_line;

pub(super) struct Letter {
    pub subject: String,
    pub heading: String,
    pub parts: Vec<Part>,
}

pub(super) enum Part {
    /// One paragraph.
    Say(String),
    /// What the reader types into the shop, on a line of its own.
    Code(String),
    /// Where to go next: one in a letter.
    Go {
        label: &'static str,
        url: String,
    },
    /// Where some go instead.
    Or {
        label: &'static str,
        url: String,
    },
    Receipt(Box<Receipt>),
    /// What matters to few readers, in small type.
    Aside(String),
}

impl Part {
    pub(super) fn say(text: &str) -> Self {
        Self::Say(one_line(text))
    }

    pub(super) fn aside(text: &str) -> Self {
        Self::Aside(one_line(text))
    }

    fn to_text(&self) -> String {
        match self {
            Self::Say(text) | Self::Code(text) | Self::Aside(text) => text.clone(),
            Self::Go { label, url } | Self::Or { label, url } => format!("{label}:\n{url}"),
            Self::Receipt(receipt) => receipt.to_text(),
        }
    }
}

impl Letter {
    pub(super) fn into_mail(self, shop: &MailShop) -> Mail {
        let text = self.to_text(shop);
        let subject = one_line(&self.subject);
        let html = letter_html(self, shop);
        Mail { subject, text, html, reply_to: None }
    }

    fn to_text(&self, shop: &MailShop) -> String {
        let mut text = one_line(&self.heading);
        for part in &self.parts {
            text.push_str("\n\n");
            text.push_str(&part.to_text());
        }
        // Mail programs know a line of two dashes and a space as the beginning of the signature.
        text.push_str(&format!("\n\n-- \n{}\n", signature(shop).join("\n")));
        text
    }
}

/// Who wrote, and where they are reached.
pub(super) fn signature(shop: &MailShop) -> [String; 3] {
    [one_line(&shop.name), one_line(&shop.public_url), one_line(&shop.support_email)]
}
