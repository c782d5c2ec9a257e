//! The shop's mails. Each is written once, as a [`Letter`](letter::Letter); its plain text and its HTML are two
//! renderings of the same parts, so that neither says what the other does not.

mod account;
mod dress;
mod letter;
mod link;
mod order;
mod shopkeeper;
mod view;

pub use account::{address_in_use, confirm_email, password_changed, reset_password, sessions_ended};
pub use order::{payment_returned, receipt, refunded, shipped};
pub use shopkeeper::{attention, new_order, order_attention};

/// A mail, ready for its envelope.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Mail {
    /// One line, whatever the data says.
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Address that a reply goes to, where that is not the sender's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
}

/// Who writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailShop {
    pub name: String,
    /// Where links lead, with or without a slash at its end.
    pub public_url: String,
    pub support_email: String,
}
