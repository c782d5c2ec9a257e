//! Fair share of stock: limits how much of the available stock one account may reserve, so that others can buy as well.
//!
//! - The first open checkout of an account may reserve all available stock; its further ones together at most half of
//!   what is left.
//! - A chain of checkouts, each of which replaces the one before, reserves stock for at most twice the reservation time.
//! - An account that has reserved a product for as long without paying, in any of its checkouts, must leave half of it
//!   to others until it has reserved none for a while. Otherwise an account that knows when stock is released could
//!   reserve it again and again.

use sqlx::AnyConnection;

use super::store;
use crate::error::Error;
use crate::infra::clock::SECOND;

/// Shortest pause without a reservation, for shops with short reservations.
const MIN_PAUSE: i64 = 10 * SECOND;

/// When a chain must release its stock.
pub fn end_of_chain(began_at: i64, reservation_ms: i64) -> i64 {
    began_at.saturating_add(reservation_ms.saturating_mul(2))
}

/// The account that reserves. Its row is locked, so its transactions run one at a time.
pub struct Account<'a> {
    pub user_id: &'a str,
    /// Whether it has another open checkout.
    pub has_open: bool,
    pub now: i64,
    pub reservation_ms: i64,
}

impl Account<'_> {
    /// The account's share of the product, and since when it has reserved the product without a pause.
    pub async fn share_of(&self, tx: &mut AnyConnection, product_id: &str) -> Result<(Share, i64), Error> {
        let pause = self.reservation_ms.max(MIN_PAUSE);
        let released = store::find_held_since(tx, self.user_id, product_id, self.now - pause).await?;
        let held_since = released.unwrap_or(self.now);
        let share = if self.has_open {
            let held = store::count_reserved_after_first(tx, self.user_id, product_id).await?;
            Share::Half { held }
        } else if end_of_chain(held_since, self.reservation_ms) <= self.now {
            Share::Half { held: 0 }
        } else {
            Share::Whole
        };
        Ok((share, held_since))
    }
}

/// How much of a product an account may reserve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Share {
    /// All available stock.
    #[default]
    Whole,
    /// Half of the available stock, where `held` counts as available.
    Half { held: i64 },
}

impl Share {
    /// Available stock that a reservation of `quantity` needs.
    pub fn needed(self, quantity: i64) -> i64 {
        match self {
            Self::Whole => quantity,
            // held + quantity <= (available + held) / 2
            Self::Half { held } => quantity.saturating_mul(2).saturating_add(held),
        }
    }

    /// Largest reservation for this available stock.
    pub fn limit(self, available: i64) -> i64 {
        match self {
            Self::Whole => available,
            Self::Half { held } => ((available - held) / 2).max(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_taken_is_what_there_is_enough_of() {
        for available in 0..40 {
            for held in 0..40 {
                for share in [Share::Whole, Share::Half { held }] {
                    let limit = share.limit(available);
                    assert!(limit == 0 || share.needed(limit) <= available, "{share:?} of {available}");
                    assert!(share.needed(limit + 1) > available, "{share:?} of {available}");
                }
            }
        }
    }

    #[test]
    fn further_checkouts_together_never_hold_more_than_half_of_what_was_left() {
        for left in 0..50 {
            let (mut available, mut held) = (left, 0);
            while (Share::Half { held }).needed(1) <= available {
                available -= 1;
                held += 1;
            }
            assert_eq!(held, left / 2);
        }
    }
}
