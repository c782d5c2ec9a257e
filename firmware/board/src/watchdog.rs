//! Watchdog and panic handler: reset the chip and record the reason.

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::Peri;
use embassy_rp::peripherals::WATCHDOG;
use embassy_rp::watchdog::{ResetReason, Watchdog};
use embassy_time::{Duration, Timer};
use firmware::report::{PanicCode, StartReason};

/// Watchdog timeout, slightly below the maximum of the hardware.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Interval of the checks. Each task checks in at least once per interval.
const CHECK_INTERVAL: Duration = Duration::from_secs(3);

/// Scratch registers. They keep their content over a reset, but not over a power loss.
mod scratch {
    pub const MAGIC: usize = 0;
    pub const PANIC_CODE: usize = 1;
    pub const CRASH_COUNT: usize = 2;
}

/// Marks the scratch registers as written by the panic handler: "NLF!".
const MAGIC: u32 = 0x214C_4E46;
/// Consecutive crashes that turn the radio off, so that the drive stays usable.
const MAX_CRASHES: u32 = 2;

/// Result of the last run.
pub struct BootStatus {
    pub start: StartReason,
    #[cfg_attr(not(feature = "wifi"), expect(dead_code, reason = "the board has no radio"))]
    pub may_use_radio: bool,
}

/// Starts the watchdog and reads its scratch registers.
pub fn start(watchdog: Peri<'static, WATCHDOG>) -> (Watchdog, BootStatus) {
    let mut watchdog = Watchdog::new(watchdog);
    let start = start_reason(&mut watchdog);
    watchdog.set_scratch(scratch::MAGIC, 0);
    let crashes = match start {
        StartReason::PowerOn => 0,
        _ => watchdog.get_scratch(scratch::CRASH_COUNT).saturating_add(1),
    };
    watchdog.set_scratch(scratch::CRASH_COUNT, crashes);
    watchdog.start(TIMEOUT);
    (watchdog, BootStatus { start, may_use_radio: crashes < MAX_CRASHES })
}

fn start_reason(watchdog: &mut Watchdog) -> StartReason {
    let has_panicked = watchdog.get_scratch(scratch::MAGIC) == MAGIC;
    match watchdog.reset_reason() {
        Some(_) if has_panicked => StartReason::Panic(PanicCode::from_word(watchdog.get_scratch(scratch::PANIC_CODE))),
        Some(ResetReason::TimedOut) => StartReason::Watchdog,
        Some(ResetReason::Forced) | None => StartReason::PowerOn,
    }
}

/// Task that must check in.
#[derive(Clone, Copy)]
pub enum WatchedTask {
    Lamp,
    Drive,
}

static LAMP: AtomicBool = AtomicBool::new(false);
static DRIVE: AtomicBool = AtomicBool::new(false);

/// Checks in. A task calls this in each iteration of its loop.
pub fn check_in(task: WatchedTask) {
    match task {
        WatchedTask::Lamp => &LAMP,
        WatchedTask::Drive => &DRIVE,
    }
    .store(true, Ordering::Relaxed);
}

/// Feeds the watchdog while all tasks check in. A minute without a crash resets the crash count.
#[embassy_executor::task]
pub async fn run(mut watchdog: Watchdog) {
    let mut feeds = 0_u32;
    loop {
        Timer::after(CHECK_INTERVAL).await;
        // Separate load and store: the Cortex-M0+ has no atomic swap.
        if LAMP.load(Ordering::Relaxed) && DRIVE.load(Ordering::Relaxed) {
            LAMP.store(false, Ordering::Relaxed);
            DRIVE.store(false, Ordering::Relaxed);
            watchdog.feed(TIMEOUT);
            feeds = feeds.saturating_add(1);
        }
        if feeds == 20 {
            watchdog.set_scratch(scratch::CRASH_COUNT, 0);
        }
    }
}

/// Records the location of a panic and resets the chip.
#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let code = info.location().map_or(0, |location| PanicCode::new(location.file(), location.line()).to_word());
    // SAFETY: no other code runs after a panic.
    #[expect(unsafe_code, reason = "the task that owns the watchdog never runs again")]
    let mut watchdog = Watchdog::new(unsafe { WATCHDOG::steal() });
    watchdog.set_scratch(scratch::MAGIC, MAGIC);
    watchdog.set_scratch(scratch::PANIC_CODE, code);
    watchdog.trigger_reset();
    loop {
        cortex_m::asm::wfi();
    }
}
