//! Lamp output: the schedule, or a signal pattern.
//!
//! The output is a function of timestamps, without counters. A stalled CPU (erasing flash stalls it) delays one edge
//! and never shifts the following ones.

use wasm_core::schedule::{Brightness, Instant, Light, LocalTime, Schedule};
use wasm_core::status::LampSignal;

use crate::report::WifiStatus;

/// Lamp output and how long it stays valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LampOutput {
    /// None is off.
    pub brightness: Option<Brightness>,
    /// Milliseconds until the next evaluation. Never 0.
    pub valid_ms: u32,
}

impl LampOutput {
    const fn off(valid_ms: u32) -> Self {
        Self { brightness: None, valid_ms }
    }
}

/// Signal pattern: on and off times in milliseconds, alternating, starting with on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    durations_ms: &'static [u16],
    brightness: Brightness,
}

/// A saved schedule is active.
pub const SCHEDULE_ACTIVE: Pattern = Pattern::of(LampSignal::ScheduleActive);
/// A saved schedule has errors.
pub const SCHEDULE_ERROR: Pattern = Pattern::of(LampSignal::ScheduleError);
/// The time is unknown because there is no Wi-Fi.
pub const NO_WIFI: Pattern = Pattern::of(LampSignal::NoWifi);
/// The time is unknown although Wi-Fi works.
pub const NO_TIME: Pattern = Pattern::of(LampSignal::NoTime);

/// Brightness of repeated patterns. It is low because the light may be in a bedroom.
const fn dim() -> Brightness {
    match Brightness::percent(20) {
        Some(dim) => dim,
        None => Brightness::FULL,
    }
}

impl Pattern {
    const fn of(signal: LampSignal) -> Self {
        let brightness = if signal.is_repeated() { dim() } else { Brightness::FULL };
        Self { durations_ms: signal.durations_ms(), brightness }
    }

    /// Output at a time since the start of the pattern. None after its end.
    #[must_use]
    pub fn at(self, elapsed_ms: u64) -> Option<LampOutput> {
        let mut end = 0;
        for (index, duration) in self.durations_ms.iter().enumerate() {
            end += u64::from(*duration);
            if elapsed_ms < end {
                let valid_ms = u32::try_from(end - elapsed_ms).unwrap_or(u32::MAX);
                return Some(LampOutput { brightness: (index % 2 == 0).then_some(self.brightness), valid_ms });
            }
        }
        None
    }

    /// Output of the repeated pattern.
    #[must_use]
    pub fn repeated(self, elapsed_ms: u64) -> LampOutput {
        let length = self.durations_ms.iter().map(|duration| u64::from(*duration)).sum::<u64>().max(1);
        self.at(elapsed_ms % length).unwrap_or(LampOutput::off(1))
    }
}

/// Reason for an unknown time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeError {
    NoWifi,
    NotSynchronized,
}

impl TimeError {
    /// Reason for a Wi-Fi status. A board without a radio gets the time over the serial line, so Wi-Fi is never the
    /// reason.
    #[must_use]
    pub const fn from_wifi(wifi: WifiStatus) -> Self {
        match wifi {
            WifiStatus::Connected | WifiStatus::NoRadio => Self::NotSynchronized,
            WifiStatus::Disabled | WifiStatus::NotConfigured | WifiStatus::Connecting | WifiStatus::JoinFailed => {
                Self::NoWifi
            }
        }
    }

    #[must_use]
    pub const fn pattern(self) -> Pattern {
        match self {
            Self::NoWifi => NO_WIFI,
            Self::NotSynchronized => NO_TIME,
        }
    }
}

/// Lamp with an optional signal in progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lamp {
    /// Pattern and the uptime of its start.
    signal: Option<(Pattern, u64)>,
}

impl Lamp {
    /// Lamp without a signal.
    #[must_use]
    pub const fn new() -> Self {
        Self { signal: None }
    }

    /// Plays a pattern once. It overrides the schedule.
    pub fn signal(&mut self, pattern: Pattern, uptime_ms: u64) {
        self.signal = Some((pattern, uptime_ms));
    }

    /// Output at an uptime: the signal first, then the schedule. Without a valid time, an error pattern replaces the
    /// schedule.
    pub fn output(&mut self, uptime_ms: u64, time: Result<Instant, TimeError>, schedule: &Schedule) -> LampOutput {
        if let Some((pattern, since)) = self.signal {
            match pattern.at(uptime_ms.saturating_sub(since)) {
                Some(output) => return output,
                None => self.signal = None,
            }
        }
        match time {
            Ok(instant) => scheduled(schedule, schedule.time_zone().local(instant)),
            Err(error) => error.pattern().repeated(uptime_ms),
        }
    }
}

/// Output of the schedule at a local time.
#[must_use]
pub fn scheduled(schedule: &Schedule, local: LocalTime) -> LampOutput {
    // Windows and clock changes start at full seconds.
    let to_next_second = 1000 - local.ms_of_day() % 1000;
    let Some(decides) = schedule.active_rule(local) else { return LampOutput::off(to_next_second) };
    match decides.rule.light {
        Light::Off => LampOutput::off(to_next_second),
        Light::On(brightness) => LampOutput { brightness: Some(brightness), valid_ms: to_next_second },
        Light::Blink(speed, brightness) => {
            let (lit, dark) = (u32::from(speed.lit_ms()), u32::from(speed.dark_ms()));
            let phase = decides.elapsed_ms(local).checked_rem(lit + dark).unwrap_or_default();
            let (brightness, edge) = if phase < lit { (Some(brightness), lit) } else { (None, lit + dark) };
            LampOutput { brightness, valid_ms: to_next_second.min(edge - phase) }
        }
    }
}

/// PWM compare value for a brightness, out of `top` counts. It is linear and rounded up: the lowest brightness is
/// never off, however coarse the counter.
///
/// ```
/// use firmware::lamp::pwm_duty;
/// use wasm_core::schedule::Brightness;
///
/// assert_eq!(pwm_duty(Brightness::percent(40), 1000), 400);
/// assert_eq!(pwm_duty(None, 1000), 0);
/// ```
#[must_use]
pub fn pwm_duty(brightness: Option<Brightness>, top: u16) -> u16 {
    let percent = brightness.map_or(0, |brightness| u32::from(brightness.get()));
    u16::try_from((u32::from(top) * percent).div_ceil(100)).unwrap_or(top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_core::schedule::parse;

    fn brightness(percent: u8) -> Option<Brightness> {
        Brightness::percent(percent)
    }

    fn at(text: &str, time: &str) -> LampOutput {
        use wasm_core::schedule::Moment;
        let schedule = parse(text, &mut |_| ());
        let moment = Moment::parse(time).expect("a time");
        scheduled(&schedule, moment.local(schedule.time_zone()))
    }

    #[test]
    fn the_duty_is_linear_and_ends_at_the_top() {
        assert_eq!(pwm_duty(brightness(100), u16::MAX), u16::MAX);
        assert_eq!([1, 25, 50].map(|percent| pwm_duty(brightness(percent), 1000)), [10, 250, 500]);
    }

    #[test]
    fn the_dimmest_light_is_never_dark() {
        assert_eq!(pwm_duty(brightness(1), 10), 1);
    }

    #[test]
    fn a_blink_is_looked_at_again_at_its_next_edge_and_at_each_second() {
        let blink = "blink 09:00 for 30s 200ms/1300ms 40%";
        let shown = |ms: &str| at(blink, &format!("2026-11-27T09:00:{ms}"));
        assert_eq!(shown("00"), LampOutput { brightness: brightness(40), valid_ms: 200 });
        assert_eq!(shown("00.150"), LampOutput { brightness: brightness(40), valid_ms: 50 });
        assert_eq!(shown("00.200"), LampOutput { brightness: None, valid_ms: 800 });
        assert_eq!(shown("01"), LampOutput { brightness: None, valid_ms: 500 });
        assert_eq!(shown("01.500"), LampOutput { brightness: brightness(40), valid_ms: 200 });
        assert_eq!(shown("30"), LampOutput { brightness: None, valid_ms: 1000 });
    }

    #[test]
    fn the_guide_and_the_shop_count_as_many_blinks_for_a_saved_file_as_the_lamp_gives() {
        assert_eq!(SCHEDULE_ACTIVE.durations_ms.len() / 2, 3);
        assert!(
            include_str!("../../docs/guide/device.md").contains("| three quick flashes | your schedule is active |")
        );
        assert!(include_str!("../../app/src/pages/text.rs").contains("Three quick flashes confirm your schedule"));
    }

    #[test]
    fn without_a_time_there_are_no_alarms() {
        let schedule = parse("on 00:00-24:00", &mut |_| ());
        let mut lamp = Lamp::new();
        let lit: u64 = (0..10_000)
            .filter(|ms| lamp.output(*ms, Err(TimeError::NotSynchronized), &schedule).brightness.is_some())
            .count() as u64;
        assert_eq!(lit, 360, "three short flashes in ten seconds");
        let output = lamp.output(10_000, Ok(Instant::from_unix_seconds(1_795_788_005)), &schedule);
        assert_eq!(output.brightness, brightness(100));
    }

    #[test]
    fn two_flashes_are_for_want_of_wifi_and_three_for_want_of_the_time() {
        let schedule = parse("", &mut |_| ());
        let flashes = |wifi| {
            let mut lamp = Lamp::new();
            let mut lit = |ms| lamp.output(ms, Err(TimeError::from_wifi(wifi)), &schedule).brightness;
            let shown: Vec<_> = (10_000..20_000).map(&mut lit).collect();
            assert!(shown.iter().flatten().all(|lit| lit.get() == 20), "dim");
            shown
                .iter()
                .zip([&None].into_iter().chain(&shown))
                .filter(|(now, before)| now.is_some() && before.is_none())
                .count()
        };
        for wifi in [WifiStatus::NotConfigured, WifiStatus::Connecting, WifiStatus::JoinFailed, WifiStatus::Disabled] {
            assert_eq!(flashes(wifi), 2, "{wifi:?}");
        }
        for wifi in [WifiStatus::Connected, WifiStatus::NoRadio] {
            assert_eq!(flashes(wifi), 3, "{wifi:?}");
        }
    }

    #[test]
    fn what_is_said_is_said_once_and_each_thing_looks_different() {
        let schedule = parse("", &mut |_| ());
        let time = Ok(Instant::from_unix_seconds(1_795_788_005));
        let edges = |pattern: Pattern| {
            let mut lamp = Lamp::new();
            lamp.signal(pattern, 500);
            let lit = |ms| lamp.output(ms, time, &schedule).brightness.is_some();
            let lit: Vec<bool> = (500..12_000).map(lit).collect();
            let pairs = lit.windows(2).enumerate();
            pairs.filter(|(_, pair)| pair.first() != pair.last()).map(|(ms, _)| ms + 1).collect::<Vec<_>>()
        };
        let mut said = [SCHEDULE_ACTIVE, SCHEDULE_ERROR, NO_WIFI, NO_TIME].into_iter().map(edges);
        assert_eq!(said.next(), Some(vec![100, 200, 300, 400, 500]));
        assert_eq!(said.next(), Some(vec![1200, 1400, 1550, 1750, 1900]));
        assert_eq!(said.next(), Some(vec![120, 360, 480]));
        assert_eq!(said.next(), Some(vec![120, 360, 480, 720, 840]));
    }
}
