//! What is needed once.

use embassy_executor::{SpawnError, SpawnToken, Spawner};

use crate::DriveFlash;

/// Starts a task. Each is started once and has its place, so this does not fail.
pub fn spawn<S>(spawner: Spawner, task: Result<SpawnToken<S>, SpawnError>) {
    if let Ok(token) = task {
        spawner.spawn(token);
    }
}

/// The chip's own number, in the 16 digits that a USB drive has to have at least 12 of.
pub fn serial_number(flash: &mut DriveFlash) -> [u8; 16] {
    let mut digits = [b'0'; 16];
    let number = chip_number(flash);
    for (place, digit) in digits.iter_mut().enumerate() {
        let shift = 60_usize.saturating_sub(place * 4);
        *digit = b"0123456789ABCDEF".get((number >> shift & 0xF) as usize).copied().unwrap_or(b'0');
    }
    digits
}

/// The RP2040 has none, but its flash has.
#[cfg(feature = "rp2040")]
fn chip_number(flash: &mut DriveFlash) -> u64 {
    let mut number = [0; 8];
    if flash.blocking_unique_id(&mut number).is_err() {
        return 0;
    }
    u64::from_be_bytes(number)
}

#[cfg(not(feature = "rp2040"))]
fn chip_number(_: &mut DriveFlash) -> u64 {
    embassy_rp::otp::get_chipid().unwrap_or_default()
}
