//! Mail leaves through an outbox: a row in the transaction it speaks of, sent later, sent once.

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

/// Why a mail did not leave.
#[derive(Clone, Debug)]
enum Refusal {
    /// No mail leaves now, whoever it is to.
    Server(String),
    /// This mail does not leave now.
    Later(String),
    /// This mail never leaves.
    Never(String),
}

/// An error with everything that caused it, on one line.
fn reason(error: &dyn StdError) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !said.contains(&more) {
            said.push_str(": ");
            said.push_str(&more);
        }
        cause = error.source();
    }
    said.replace(['\r', '\n'], " ")
}
