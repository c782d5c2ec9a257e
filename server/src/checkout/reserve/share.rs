//! How much of what is available one account may hold, so that others can buy as well.
//!
//! Its first open checkout may take whatever there is, its further ones together at most half of what is left. A chain
//! of checkouts, of which each takes the place of the one before, holds goods for at most twice the time of a
//! reservation. An account that has held some of a product for as long, in whatever checkouts, and not paid leaves half
//! of it to others until it has held none for a while: whoever knows the moment in which goods become free would
//! otherwise always be the one who gets them.

use sqlx::AnyConnection;

use crate::checkout::store as checkouts;
use crate::http::error::Error;
use crate::infra::clock::SECOND;

/// Time for somebody who tries once in a while, also where reservations are short.
const SHORTEST_REST: i64 = 10 * SECOND;

/// When everything that a chain holds is everybody's again.
pub fn end_of_chain(began_at: i64, reservation: i64) -> i64 {
    began_at.saturating_add(reservation.saturating_mul(2))
}

/// Who asks, and when. No other transaction of this account goes on until the one that asks ends.
pub struct Account<'a> {
    pub user_id: &'a str,
    pub has_open: bool,
    pub now: i64,
    pub reservation: i64,
}

impl Account<'_> {
    /// What it may take of the product, and since when it has held some of it without a rest.
    pub async fn share_of(&self, tx: &mut AnyConnection, product_id: &str) -> Result<(Share, i64), Error> {
        let rest = self.reservation.max(SHORTEST_REST);
        let given_back = checkouts::find_given_back(tx, self.user_id, product_id, self.now - rest).await?;
        let held_since = given_back.unwrap_or(self.now);
        let share = if self.has_open {
            let held = checkouts::count_held_beside_first(tx, self.user_id, product_id).await?;
            Share::Half { held }
        } else if end_of_chain(held_since, self.reservation) <= self.now {
            Share::Half { held: 0 }
        } else {
            Share::Whole
        };
        Ok((share, held_since))
    }
}

/// What an account may take of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Whatever is available.
    Whole,
    /// Half of what is available and of the `held` that it counts in.
    Half { held: i64 },
}

impl Share {
    /// How much must be available for `quantity` to be taken.
    pub fn needed(self, quantity: i64) -> i64 {
        match self {
            Self::Whole => quantity,
            // held + quantity <= (available + held) / 2
            Self::Half { held } => quantity.saturating_mul(2).saturating_add(held),
        }
    }

    /// How much may be taken where so much is available.
    pub fn most(self, available: i64) -> i64 {
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
                    let most = share.most(available);
                    assert!(most == 0 || share.needed(most) <= available, "{share:?} of {available}");
                    assert!(share.needed(most + 1) > available, "{share:?} of {available}");
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
