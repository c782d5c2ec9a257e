//! One after the other for each payment, within this process: the browser's return and the event come at the same
//! moment, and whoever is second finds the order made instead of asking the provider once more.
//!
//! That is thrift and no guard. Between processes, and for who has waited long enough, the database decides.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// A provider that hangs must not hold up everybody who asks for the same payment.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub struct Turns {
    taken: Mutex<HashMap<String, Weak<Turn<()>>>>,
}

impl Turns {
    /// Waits for whoever is at work on this payment, and then keeps others waiting until the guard is dropped. None
    /// when it took too long.
    pub async fn take(&self, intent_id: &str) -> Option<OwnedMutexGuard<()>> {
        let turn = self.of(intent_id);
        tokio::time::timeout(PATIENCE, turn.lock_owned()).await.ok()
    }

    fn of(&self, intent_id: &str) -> Arc<Turn<()>> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = taken.get(intent_id).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::<Turn<()>>::default();
        taken.insert(intent_id.to_owned(), Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn payments_do_not_wait_for_each_other_and_nobody_waits_for_long() {
        let turns = Turns::default();
        let first = turns.take("pi_1").await.unwrap();
        let other = turns.take("pi_2").await.unwrap();
        assert!(turns.take("pi_1").await.is_none());
        drop((first, other));
        drop(turns.take("pi_1").await.unwrap());
        assert_eq!(turns.taken.lock().unwrap().len(), 1, "what is over is forgotten");
    }
}
