//! One after the other for each payment, within this process: the browser's return and the event come at the same
//! moment, and whoever is second finds the order made instead of asking the provider once more.
//!
//! That is thrift and no guard. Between processes, and for who has waited long enough, the database decides.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Mutex as Lock, OwnedMutexGuard};

/// A provider that hangs must not hold up everybody who asks for the same payment.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub struct PaymentLocks {
    known: Mutex<HashMap<String, Weak<Lock<()>>>>,
}

impl PaymentLocks {
    /// Waits for whoever is at work on this payment, and then keeps others waiting until the guard is dropped. None
    /// when it took too long.
    pub async fn lock(&self, intent_id: &str) -> Option<OwnedMutexGuard<()>> {
        let lock = self.of(intent_id);
        tokio::time::timeout(PATIENCE, lock.lock_owned()).await.ok()
    }

    fn of(&self, intent_id: &str) -> Arc<Lock<()>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, lock| lock.strong_count() > 0);
        if let Some(lock) = known.get(intent_id).and_then(Weak::upgrade) {
            return lock;
        }
        let lock = Arc::<Lock<()>>::default();
        known.insert(intent_id.to_owned(), Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
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
        assert_eq!(locks.known.lock().unwrap().len(), 1, "what is over is forgotten");
    }
}
