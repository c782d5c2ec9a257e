//! Email through a transactional outbox: a row in the transaction that it reports, sent later by a worker, exactly once.

mod files;
mod message;
pub mod outbox;
mod smtp_connection;
mod smtp_url;
mod transport;
mod worker;

use std::error::Error as StdError;

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

/// An error with its sources, on one line.
fn chain(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        source = error.source();
    }
    text.replace(['\r', '\n'], " ")
}
