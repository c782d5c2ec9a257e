//! Startup helpers.

use embassy_executor::{SpawnError, SpawnToken, Spawner};

use crate::DriveFlash;

/// Spawns a task. It cannot fail: each task is spawned once and has a statically allocated slot.
pub fn spawn<S>(spawner: Spawner, task: Result<SpawnToken<S>, SpawnError>) {
    if let Ok(token) = task {
        spawner.spawn(token);
    }
}

/// Serial number: the chip ID as 16 hexadecimal digits. USB mass storage requires at least 12.
pub fn serial_number(flash: &mut DriveFlash) -> [u8; 16] {
    let mut digits = [b'0'; 16];
    let id = chip_id(flash);
    for (index, digit) in digits.iter_mut().enumerate() {
        let shift = 60_usize.saturating_sub(index * 4);
        *digit = b"0123456789ABCDEF".get((id >> shift & 0xF) as usize).copied().unwrap_or(b'0');
    }
    digits
}

/// ID of the flash chip. The RP2040 has no ID of its own.
#[cfg(feature = "rp2040")]
fn chip_id(flash: &mut DriveFlash) -> u64 {
    let mut id = [0; 8];
    if flash.blocking_unique_id(&mut id).is_err() {
        return 0;
    }
    u64::from_be_bytes(id)
}

#[cfg(not(feature = "rp2040"))]
fn chip_id(_: &mut DriveFlash) -> u64 {
    embassy_rp::otp::get_chipid().unwrap_or_default()
}
