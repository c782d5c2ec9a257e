//! Apportionment of an amount to the cent.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// Divides `amount` in proportion to `weights`, which are not negative (largest remainder method). The shares add up to
/// the amount, and none exceeds its weight if the amount does not exceed their sum. Without weights the first share is
/// the whole amount.
///
/// ```
/// use wasm_core::pricing::shares;
///
/// assert_eq!(shares(10, &[1, 1, 1]), [4, 3, 3]);
/// assert_eq!(shares(-10, &[2, 1]), [-7, -3]);
/// ```
#[must_use]
pub fn shares(amount: i64, weights: &[i64]) -> Vec<i64> {
    let whole: i128 = weights.iter().map(|weight| i128::from(*weight)).sum();
    if whole == 0 {
        let mut shares = vec![0; weights.len()];
        if let Some(first) = shares.first_mut() {
            *first = amount;
        }
        return shares;
    }
    let exact: Vec<i128> = weights.iter().map(|weight| i128::from(amount) * i128::from(*weight)).collect();
    let mut shares: Vec<i64> = exact.iter().map(|part| i64::try_from(part / whole).unwrap_or_default()).collect();
    let mut by_loss: Vec<usize> = (0..weights.len()).collect();
    by_loss.sort_by_key(|at| Reverse(exact.get(*at).map_or(0, |part| (part % whole).abs())));
    let left = amount - shares.iter().sum::<i64>();
    let count = usize::try_from(left.unsigned_abs()).unwrap_or_default();
    for at in by_loss.into_iter().take(count) {
        if let Some(share) = shares.get_mut(at) {
            *share += left.signum();
        }
    }
    shares
}
