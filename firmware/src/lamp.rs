//! What the lamp shows at a moment: the schedule, or something the device has to say.
//!
//! Everything follows from timestamps and nothing is counted, so whatever holds the chip up for a moment (the flash
//! does, for as long as it erases) makes an edge late and never shifts the ones behind it.

use wasm_core::schedule::{Brightness, Instant, Light, LocalTime, Schedule};

use crate::report::Wifi;

/// What is to be on the lamp, and for how long it surely stays so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// None is dark.
    pub brightness: Option<Brightness>,
    /// In so many milliseconds one has to look again; never 0.
    pub for_ms: u32,
}

impl Shown {
    const fn dark(for_ms: u32) -> Self {
        Self { brightness: None, for_ms }
    }
}

/// Something to say with the lamp: lit and dark in turn, in milliseconds, from lit on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    halves: &'static [u16],
    brightness: Brightness,
}

/// A saved file is in use.
pub const ACCEPTED: Pattern = Pattern { halves: &[100, 100, 100, 100, 100, 600], brightness: Brightness::FULL };
/// A saved file has errors: one long, two short.
pub const ERROR: Pattern = Pattern { halves: &[1200, 200, 150, 200, 150, 600], brightness: Brightness::FULL };
/// There is no time, for lack of Wi-Fi: two, again and again.
pub const NO_WIFI: Pattern = Pattern { halves: &[120, 240, 120, 9520], brightness: dim() };
/// There is no time although there is Wi-Fi: three, again and again.
pub const NO_TIME: Pattern = Pattern { halves: &[120, 240, 120, 240, 120, 9160], brightness: dim() };

/// What repeats in somebody's bedroom is not bright.
const fn dim() -> Brightness {
    match Brightness::percent(20) {
        Some(dim) => dim,
        None => Brightness::FULL,
    }
}

impl Pattern {
    /// What it shows so many milliseconds after it began; none once it is over.
    #[must_use]
    pub fn at(self, elapsed_ms: u64) -> Option<Shown> {
        let mut end = 0;
        for (index, half) in self.halves.iter().enumerate() {
            end += u64::from(*half);
            if elapsed_ms < end {
                let for_ms = u32::try_from(end - elapsed_ms).unwrap_or(u32::MAX);
                return Some(Shown { brightness: (index % 2 == 0).then_some(self.brightness), for_ms });
            }
        }
        None
    }

    /// The same, beginning anew each time it is over.
    #[must_use]
    pub fn repeated(self, elapsed_ms: u64) -> Shown {
        let length = self.halves.iter().map(|half| u64::from(*half)).sum::<u64>().max(1);
        self.at(elapsed_ms % length).unwrap_or(Shown::dark(1))
    }
}

/// Why there is no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    NoWifi,
    NoTime,
}

impl Trouble {
    /// A board without a radio is told the time by wire, and has no Wi-Fi to lack.
    #[must_use]
    pub const fn of(wifi: Wifi) -> Self {
        match wifi {
            Wifi::Connected | Wifi::NoRadio => Self::NoTime,
            Wifi::SwitchedOff | Wifi::NotSet | Wifi::Connecting | Wifi::Refused => Self::NoWifi,
        }
    }

    #[must_use]
    pub const fn pattern(self) -> Pattern {
        match self {
            Self::NoWifi => NO_WIFI,
            Self::NoTime => NO_TIME,
        }
    }
}

/// The lamp and what it was told to say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lamp {
    saying: Option<(Pattern, u64)>,
}

impl Lamp {
    /// Nothing to say.
    #[must_use]
    pub const fn new() -> Self {
        Self { saying: None }
    }

    /// Says something once, over whatever the schedule wants.
    pub fn say(&mut self, pattern: Pattern, uptime_ms: u64) {
        self.saying = Some((pattern, uptime_ms));
    }

    /// What to show, so many milliseconds after the start: what is to be said goes first, then the schedule, and
    /// without a time no schedule.
    pub fn show(&mut self, uptime_ms: u64, time: Result<Instant, Trouble>, schedule: &Schedule) -> Shown {
        if let Some((pattern, since)) = self.saying {
            match pattern.at(uptime_ms.saturating_sub(since)) {
                Some(shown) => return shown,
                None => self.saying = None,
            }
        }
        match time {
            Ok(instant) => scheduled(schedule, schedule.time_zone().local(instant)),
            Err(trouble) => trouble.pattern().repeated(uptime_ms),
        }
    }
}

/// What the schedule wants at a local time.
#[must_use]
pub fn scheduled(schedule: &Schedule, local: LocalTime) -> Shown {
    // Windows begin and end, and clocks change, with a whole second.
    let to_the_second = 1000 - local.ms_of_day() % 1000;
    let Some(decides) = schedule.in_force(local) else { return Shown::dark(to_the_second) };
    match decides.rule.light {
        Light::Off => Shown::dark(to_the_second),
        Light::On(brightness) => Shown { brightness: Some(brightness), for_ms: to_the_second },
        Light::Blink(speed, brightness) => {
            let (lit, dark) = (u32::from(speed.lit_ms()), u32::from(speed.dark_ms()));
            let phase = decides.elapsed_ms(local).checked_rem(lit + dark).unwrap_or_default();
            let (brightness, edge) = if phase < lit { (Some(brightness), lit) } else { (None, lit + dark) };
            Shown { brightness, for_ms: to_the_second.min(edge - phase) }
        }
    }
}

/// How many of a PWM period's `top` counts the lamp is lit, in proportion and rounded up: the dimmest brightness is
/// never dark, however coarse the counter.
///
/// ```
/// use firmware::lamp::duty;
/// use wasm_core::schedule::Brightness;
///
/// assert_eq!(duty(Brightness::percent(40), 1000), 400);
/// assert_eq!(duty(None, 1000), 0);
/// ```
#[must_use]
pub fn duty(brightness: Option<Brightness>, top: u16) -> u16 {
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

    fn at(text: &str, time: &str) -> Shown {
        use wasm_core::schedule::Moment;
        let schedule = parse(text, &mut |_| ());
        let moment = Moment::parse(time).expect("a time");
        scheduled(&schedule, moment.local(schedule.time_zone()))
    }

    #[test]
    fn the_duty_is_linear_and_ends_at_the_top() {
        assert_eq!(duty(brightness(100), u16::MAX), u16::MAX);
        assert_eq!([1, 25, 50].map(|percent| duty(brightness(percent), 1000)), [10, 250, 500]);
    }

    #[test]
    fn the_dimmest_light_is_never_dark() {
        assert_eq!(duty(brightness(1), 10), 1);
    }

    #[test]
    fn a_blink_is_looked_at_again_at_its_next_edge_and_at_each_second() {
        let blink = "blink 09:00 for 30s 200ms/1300ms 40%";
        let shown = |ms: &str| at(blink, &format!("2026-11-27T09:00:{ms}"));
        assert_eq!(shown("00"), Shown { brightness: brightness(40), for_ms: 200 });
        assert_eq!(shown("00.150"), Shown { brightness: brightness(40), for_ms: 50 });
        assert_eq!(shown("00.200"), Shown { brightness: None, for_ms: 800 });
        assert_eq!(shown("01"), Shown { brightness: None, for_ms: 500 });
        assert_eq!(shown("01.500"), Shown { brightness: brightness(40), for_ms: 200 });
        assert_eq!(shown("30"), Shown { brightness: None, for_ms: 1000 });
    }

    #[test]
    fn the_guide_and_the_shop_count_as_many_blinks_for_a_saved_file_as_the_lamp_gives() {
        assert_eq!(ACCEPTED.halves.len() / 2, 3);
        assert!(
            include_str!("../../docs/guide/device.md").contains("| three quick flashes | the saved file is in use |")
        );
        assert!(include_str!("../../app/src/pages/text.rs").contains("The light blinks three times when"));
    }

    #[test]
    fn without_a_time_there_are_no_alarms() {
        let schedule = parse("on 00:00-24:00", &mut |_| ());
        let mut lamp = Lamp::new();
        let lit: u64 = (0..10_000)
            .filter(|ms| lamp.show(*ms, Err(Trouble::NoTime), &schedule).brightness.is_some())
            .count() as u64;
        assert_eq!(lit, 360, "three short flashes in ten seconds");
        let shown = lamp.show(10_000, Ok(Instant::from_unix_seconds(1_795_788_005)), &schedule);
        assert_eq!(shown.brightness, brightness(100));
    }

    #[test]
    fn two_flashes_are_for_want_of_wifi_and_three_for_want_of_the_time() {
        let schedule = parse("", &mut |_| ());
        let flashes = |wifi| {
            let mut lamp = Lamp::new();
            let mut lit = |ms| lamp.show(ms, Err(Trouble::of(wifi)), &schedule).brightness;
            let shown: Vec<_> = (10_000..20_000).map(&mut lit).collect();
            assert!(shown.iter().flatten().all(|lit| lit.get() == 20), "dim");
            shown
                .iter()
                .zip([&None].into_iter().chain(&shown))
                .filter(|(now, before)| now.is_some() && before.is_none())
                .count()
        };
        for wifi in [Wifi::NotSet, Wifi::Connecting, Wifi::Refused, Wifi::SwitchedOff] {
            assert_eq!(flashes(wifi), 2, "{wifi:?}");
        }
        for wifi in [Wifi::Connected, Wifi::NoRadio] {
            assert_eq!(flashes(wifi), 3, "{wifi:?}");
        }
    }

    #[test]
    fn what_is_said_is_said_once_and_each_thing_looks_different() {
        let schedule = parse("", &mut |_| ());
        let time = Ok(Instant::from_unix_seconds(1_795_788_005));
        let edges = |pattern: Pattern| {
            let mut lamp = Lamp::new();
            lamp.say(pattern, 500);
            let lit = |ms| lamp.show(ms, time, &schedule).brightness.is_some();
            let lit: Vec<bool> = (500..12_000).map(lit).collect();
            let pairs = lit.windows(2).enumerate();
            pairs.filter(|(_, pair)| pair.first() != pair.last()).map(|(ms, _)| ms + 1).collect::<Vec<_>>()
        };
        let mut said = [ACCEPTED, ERROR, NO_WIFI, NO_TIME].into_iter().map(edges);
        assert_eq!(said.next(), Some(vec![100, 200, 300, 400, 500]));
        assert_eq!(said.next(), Some(vec![1200, 1400, 1550, 1750, 1900]));
        assert_eq!(said.next(), Some(vec![120, 360, 480]));
        assert_eq!(said.next(), Some(vec![120, 360, 480, 720, 840]));
    }
}
