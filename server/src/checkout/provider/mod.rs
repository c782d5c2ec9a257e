//! Client of the payment provider: Stripe, a server that implements its API behind `STRIPE_API_BASE`, or the built-in
//! mock.
//!
//! Every write carries an idempotency key, so a retry after a lost response has no second effect. All requests on behalf
//! of one client request share a [`Deadline`]. A circuit breaker rejects requests while the provider is down, and the
//! reconciler repeats what is still open. Responses are read leniently, by [`responses`].

mod client;
mod dispute;
mod fraud_warning;
mod intent;
mod metrics;
mod pages;
mod payout;
mod probe;
mod refund;
mod responses;
mod tax;
mod transport;

pub use self::client::{CURRENCY, Deadline, Lookup, Provider};
pub use self::dispute::Dispute;
pub use self::fraud_warning::FraudWarning;
pub use self::intent::{Cancellation, Intent, IntentState, NewIntent, NewPayment, Payment};
pub use self::pages::PageCursor;
pub use self::payout::{BalanceTransaction, Payout};
pub use self::probe::ProbeError;
pub use self::refund::{Origin, Refund, RefundError, unknown_payment};
pub use self::tax::TaxLine;
