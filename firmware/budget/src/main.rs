//! Size budget of the schedule: a minimal program that parses a file and evaluates the brightness at an instant.
//! `cargo xtask size-schedule` measures it. It never runs.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::panic::PanicInfo;

use wasm_core::schedule::{Instant, Schedule};

/// Entry point. `black_box` hides the file and the time from the optimizer.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    let mut schedule = Schedule::EMPTY;
    loop {
        let file: &[u8] = black_box(&[]);
        black_box(read_file(&mut schedule, file));
        black_box(evaluate(&schedule, Instant::from_unix_ms(black_box(0))));
    }
}

/// Returns the number of diagnostics.
#[inline(never)]
fn read_file(schedule: &mut Schedule, file: &[u8]) -> u32 {
    let mut diagnostics = 0_u32;
    schedule.read(file, &mut |diagnostic| {
        black_box(diagnostic);
        diagnostics = diagnostics.wrapping_add(1);
    });
    diagnostics
}

/// Returns the brightness in percent.
#[inline(never)]
fn evaluate(schedule: &Schedule, instant: Instant) -> u8 {
    schedule.brightness_at(schedule.time_zone().local(instant))
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}
