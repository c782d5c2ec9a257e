//! Reads a schedule file and says how bright the lamp is at an instant, and nothing else. It is linked for the board
//! and measured, never run: see `cargo xtask size-schedule`.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::panic::PanicInfo;

use wasm_core::schedule::{Instant, Schedule};

/// What the linker begins with. The file and the time come from outside, so that nothing is computed beforehand.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    let mut schedule = Schedule::EMPTY;
    loop {
        let file: &[u8] = black_box(&[]);
        black_box(read_file(&mut schedule, file));
        black_box(evaluate(&schedule, Instant::from_unix_ms(black_box(0))));
    }
}

/// How many mistakes there are.
#[inline(never)]
fn read_file(schedule: &mut Schedule, file: &[u8]) -> u32 {
    let mut mistakes = 0_u32;
    schedule.read(file, &mut |diagnostic| {
        black_box(diagnostic);
        mistakes = mistakes.wrapping_add(1);
    });
    mistakes
}

/// The brightness in percent.
#[inline(never)]
fn evaluate(schedule: &Schedule, instant: Instant) -> u8 {
    schedule.brightness_at(schedule.time_zone().local(instant))
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}
