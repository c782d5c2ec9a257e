//! Mail leaves through an outbox: a row in the transaction it speaks of, sent later, sent once.

mod delivery;
mod message;
pub mod outbox;
mod worker;

pub use delivery::Delivery;
pub use worker::run;
