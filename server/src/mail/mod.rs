//! Email through a transactional outbox: a row in the transaction that it reports, sent later by a worker. A crash may send
//! a duplicate, with the same Message-ID.

mod email_kind;
mod files;
mod message;
pub mod outbox;
mod smtp_connection;
mod smtp_url;
mod transport;
mod worker;

pub use email_kind::EmailKind;
use std::pin::Pin;
use std::sync::Arc;

use app::mail::ShopInfo;
use axum::body::Bytes;

use crate::error::Error;
use crate::time_zone::ShopZone;

pub use transport::Delivery;
pub use worker::{Mail, run};

/// What emails say about the shop.
pub trait Letterhead: Send + Sync + 'static {
    /// Name and addresses.
    fn shop(&self) -> ShopInfo;
    /// The time zone of dates.
    fn zone(&self) -> ShopZone;
    /// The address of the shopkeeper's notifications.
    fn notification_email(&self) -> Option<String>;
}

/// Finds the picture of a product.
pub type Pictures = Box<dyn Fn(&str) -> Option<Bytes> + Send + Sync>;

/// The pictures of emails. They are loaded in advance, because an email is composed in a transaction.
pub trait PictureSource: Send + Sync + 'static {
    fn load(self: Arc<Self>) -> Pin<Box<dyn Future<Output = Result<Pictures, Error>> + Send>>;
}

/// The reason why an email was not sent.
#[derive(Clone, Debug)]
enum SendError {
    /// The server accepts no email at the moment. Affects all emails.
    Unavailable(String),
    /// The server does not accept this email at the moment.
    Transient(String),
    /// The server will never accept this email.
    Permanent(String),
}
