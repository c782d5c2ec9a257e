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
pub use transport::Delivery;
pub use worker::run;

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
