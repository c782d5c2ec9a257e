//! The content of an email, before it is rendered.

use crate::orders::Receipt;
use crate::ui::single_line;

pub(super) struct EmailTemplate {
    pub subject: String,
    pub heading: String,
    pub blocks: Vec<Block>,
}

pub(super) enum Block {
    Paragraph(String),
    /// A verification code, on a line of its own.
    Code(String),
    /// The primary call to action: one per email.
    Button {
        label: &'static str,
        url: String,
    },
    /// A secondary action.
    Link {
        label: &'static str,
        url: String,
    },
    Receipt(Box<Receipt>),
    /// Small print.
    Note(String),
}

impl Block {
    pub(super) fn paragraph(text: &str) -> Self {
        Self::Paragraph(single_line(text))
    }

    pub(super) fn note(text: &str) -> Self {
        Self::Note(single_line(text))
    }
}
