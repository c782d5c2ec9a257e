//! The result of a reconciler run.

use crate::error::Error;

/// While the database or the provider is away, every comparison fails for the same reason. The job logs their number.
const MOST_LOGGED: usize = 10;

#[derive(Debug, Default)]
pub struct ReconcileReport {
    /// Open payments that were compared, failures included.
    pub payments: usize,
    /// One message for each payment, refund, dispute or list that could not be compared.
    pub failures: Vec<String>,
}

impl ReconcileReport {
    pub(super) fn record(&mut self, subject: &str, result: Result<(), Error>) {
        if let Err(error) = result {
            if self.failures.len() < MOST_LOGGED {
                tracing::warn!(subject, %error, "comparison with the payment provider failed");
            }
            self.failures.push(format!("{subject} couldn't be compared: {error}"));
        }
    }
}
