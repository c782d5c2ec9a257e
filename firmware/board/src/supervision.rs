//! What happens when something goes wrong: the chip starts again, and remembers why.

use core::panic::PanicInfo;
use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::Peri;
use embassy_rp::peripherals::WATCHDOG;
use embassy_rp::watchdog::{ResetReason, Watchdog};
use embassy_time::{Duration, Timer};
use firmware::report::{FaultCode, Start};

/// The longest that the watchdog can wait, less a little.
const PATIENCE: Duration = Duration::from_secs(8);
/// Each task comes round several times in that.
const ROUND: Duration = Duration::from_secs(3);

/// Registers that keep their content over a reset, but not without power.
mod scratch {
    pub const MARK: usize = 0;
    pub const CODE: usize = 1;
    pub const IN_A_ROW: usize = 2;
}

/// Says that the registers were written by a fault: "NLF!".
const MARK: u32 = 0x214C_4E46;
/// After so many faults in a row the radio stays off: whatever it is, the drive shall work.
const TOO_MANY: u32 = 2;

/// How this run came to be.
pub struct Begun {
    pub start: Start,
    #[cfg_attr(not(feature = "wifi"), expect(dead_code, reason = "there is no radio"))]
    pub may_use_radio: bool,
}

/// Starts the watchdog and looks at what it remembers.
pub fn begin(watchdog: Peri<'static, WATCHDOG>) -> (Watchdog, Begun) {
    let mut watchdog = Watchdog::new(watchdog);
    let had_fault = watchdog.get_scratch(scratch::MARK) == MARK;
    let start = match watchdog.reset_reason() {
        Some(_) if had_fault => Start::Fault(FaultCode::from_word(watchdog.get_scratch(scratch::CODE))),
        Some(ResetReason::TimedOut) => Start::Watchdog,
        Some(ResetReason::Forced) | None => Start::PluggedIn,
    };
    watchdog.set_scratch(scratch::MARK, 0);
    let in_a_row =
        if start == Start::PluggedIn { 0 } else { watchdog.get_scratch(scratch::IN_A_ROW).saturating_add(1) };
    watchdog.set_scratch(scratch::IN_A_ROW, in_a_row);
    watchdog.start(PATIENCE);
    (watchdog, Begun { start, may_use_radio: in_a_row < TOO_MANY })
}

/// Who has to come round.
#[derive(Clone, Copy)]
pub enum Task {
    Lamp,
    Drive,
}

static LAMP: AtomicBool = AtomicBool::new(false);
static DRIVE: AtomicBool = AtomicBool::new(false);

/// A task is at the beginning of its loop.
pub fn came_round(task: Task) {
    match task {
        Task::Lamp => &LAMP,
        Task::Drive => &DRIVE,
    }
    .store(true, Ordering::Relaxed);
}

/// Feeds the watchdog as long as both come round. After a minute without a fault the next one is the first again.
#[embassy_executor::task]
pub async fn run(mut watchdog: Watchdog) {
    let mut rounds = 0_u32;
    loop {
        Timer::after(ROUND).await;
        // One after the other, because the Cortex-M0+ cannot swap.
        if LAMP.load(Ordering::Relaxed) && DRIVE.load(Ordering::Relaxed) {
            LAMP.store(false, Ordering::Relaxed);
            DRIVE.store(false, Ordering::Relaxed);
            watchdog.feed(PATIENCE);
            rounds = rounds.saturating_add(1);
        }
        if rounds == 20 {
            watchdog.set_scratch(scratch::IN_A_ROW, 0);
        }
    }
}

/// A fault in the program: notes where it was, and starts again.
#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let code = info.location().map_or(0, |place| FaultCode::of(place.file(), place.line()).to_word());
    // SAFETY: nothing else runs any more.
    #[allow(unsafe_code, reason = "whoever had the watchdog does not have it any more")]
    let mut watchdog = Watchdog::new(unsafe { WATCHDOG::steal() });
    watchdog.set_scratch(scratch::MARK, MARK);
    watchdog.set_scratch(scratch::CODE, code);
    watchdog.trigger_reset();
    loop {
        cortex_m::asm::wfi();
    }
}
