//! Refunds that are already reconciled.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::provider::Refund;

/// Refunds that the last run of this process recorded, each with whether it had failed. The provider is not asked about
/// their payments again.
#[derive(Default)]
pub struct SeenRefunds(Mutex<BTreeSet<(Option<String>, bool)>>);

impl SeenRefunds {
    pub fn contains_all(&self, refunds: &[Refund]) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        refunds.iter().all(|refund| seen.contains(&(refund.id.clone(), refund.is_failed)))
    }

    pub fn replace(&self, seen: BTreeSet<(Option<String>, bool)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }
}
