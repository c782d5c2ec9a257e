//! Lamp task: the LED on a PWM output.

use embassy_futures::select::select;
use embassy_rp::Peri;
use embassy_rp::peripherals::{PIN_15, PWM_SLICE7};
use embassy_rp::pwm::{Config, Pwm};
use embassy_time::{Instant, Timer};
use firmware::lamp::pwm_duty;

use crate::state::{self, LAMP_CHANGED};
use crate::watchdog::{self, WatchedTask};

/// Maximum sleep in milliseconds. The task must check in with the watchdog.
const MAX_SLEEP: u32 = 1000;
/// PWM period in counts: 4 kHz at 125 MHz. It is free of visible flicker, and delays an edge by at most 0.25 ms.
const PERIOD: u16 = 31_250;

pub fn pwm(slice: Peri<'static, PWM_SLICE7>, pin: Peri<'static, PIN_15>) -> Pwm<'static> {
    Pwm::new_output_b(slice, pin, config(0))
}

fn config(duty: u16) -> Config {
    let mut config = Config::default();
    config.top = PERIOD - 1;
    config.compare_b = duty;
    config
}

#[embassy_executor::task]
pub async fn run(mut pwm: Pwm<'static>) {
    loop {
        let uptime = state::uptime();
        let output = state::lamp_output(uptime);
        pwm.set_config(&config(pwm_duty(output.brightness, PERIOD)));
        watchdog::check_in(WatchedTask::Lamp);
        let next = Instant::from_millis(uptime + u64::from(output.valid_ms.min(MAX_SLEEP)));
        select(Timer::at(next), LAMP_CHANGED.wait()).await;
    }
}
