//! Single flight per payment: the browser's request and the webhook arrive at the same moment, and the second one finds
//! the finished order instead of asking the provider again.
//!
//! An optimization within one process, not a guard: between processes, and after the timeout, the database decides.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Mutex as Lock, OwnedMutexGuard};

/// Longest wait, so that a hanging provider does not block every request for the same payment.
const TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub struct PaymentLocks {
    locks: Mutex<HashMap<String, Weak<Lock<()>>>>,
}

impl PaymentLocks {
    /// Locks the payment until the guard is dropped. None after a timeout.
    pub async fn lock(&self, intent_id: &str) -> Option<OwnedMutexGuard<()>> {
        let lock = self.find_or_insert(intent_id);
        tokio::time::timeout(TIMEOUT, lock.lock_owned()).await.ok()
    }

    fn find_or_insert(&self, intent_id: &str) -> Arc<Lock<()>> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| lock.strong_count() > 0);
        if let Some(lock) = locks.get(intent_id).and_then(Weak::upgrade) {
            return lock;
        }
        let lock = Arc::<Lock<()>>::default();
        locks.insert(intent_id.to_owned(), Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn payments_do_not_wait_for_each_other_and_nobody_waits_for_long() {
        let locks = PaymentLocks::default();
        let first = locks.lock("pi_1").await.unwrap();
        let other = locks.lock("pi_2").await.unwrap();
        assert!(locks.lock("pi_1").await.is_none());
        drop((first, other));
        drop(locks.lock("pi_1").await.unwrap());
        assert_eq!(locks.locks.lock().unwrap().len(), 1, "unused locks are removed");
    }
}
