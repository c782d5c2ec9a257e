//! The sizes that are accepted.

use super::error::PhotoError;
use super::memory;

/// A photo is at most this many times as long as it is wide, or the reverse.
const MAX_RATIO: u32 = 4;

pub fn check_size(width: u32, height: u32) -> Result<(), PhotoError> {
    if u64::from(width) * u64::from(height) > memory::MAX_PIXELS {
        return Err(PhotoError::TooManyPixels);
    }
    let (short, long) = (width.min(height), width.max(height));
    if short == 0 {
        return Err(PhotoError::Damaged);
    }
    if long > short.saturating_mul(MAX_RATIO) { Err(PhotoError::TooNarrow) } else { Ok(()) }
}
