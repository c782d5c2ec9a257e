//! The LED.

use embassy_futures::select::select;
use embassy_rp::Peri;
use embassy_rp::peripherals::{PIN_15, PWM_SLICE7};
use embassy_rp::pwm::{Config, Pwm};
use embassy_time::{Instant, Timer};
use firmware::lamp::duty;

use crate::shared::{self, LAMP_CHANGED};
use crate::supervision;

/// It comes round at least so often, for the watchdog.
const LONGEST_REST: u32 = 1000;
/// One period: 4 kHz at 125 MHz. No eye sees it, and an edge waits for the end of a period.
const PERIOD: u16 = 31_250;

pub fn pwm(slice: Peri<'static, PWM_SLICE7>, pin: Peri<'static, PIN_15>) -> Pwm<'static> {
    Pwm::new_output_b(slice, pin, config(0))
}

fn config(lit: u16) -> Config {
    let mut config = Config::default();
    config.top = PERIOD - 1;
    config.compare_b = lit;
    config
}

#[embassy_executor::task]
pub async fn run(mut pwm: Pwm<'static>) {
    loop {
        let uptime = shared::uptime();
        let shown = shared::show(uptime);
        pwm.set_config(&config(duty(shown.brightness, PERIOD)));
        supervision::came_round(supervision::Task::Lamp);
        let next = Instant::from_millis(uptime + u64::from(shown.for_ms.min(LONGEST_REST)));
        select(Timer::at(next), LAMP_CHANGED.wait()).await;
    }
}
