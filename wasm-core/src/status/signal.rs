//! The lamp's signals. The firmware plays them, the page draws them, and the manuals explain them in the same words.

/// A signal of the lamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LampSignal {
    /// A saved schedule is active.
    ScheduleActive,
    /// A saved schedule has errors.
    ScheduleError,
    /// The time is unknown because there is no Wi-Fi.
    NoWifi,
    /// The time is unknown although Wi-Fi works.
    NoTime,
}

impl LampSignal {
    /// Every signal.
    pub const ALL: [Self; 4] = [Self::ScheduleActive, Self::ScheduleError, Self::NoWifi, Self::NoTime];

    /// What the lamp does.
    #[must_use]
    pub const fn flashes(self) -> &'static str {
        match self {
            Self::ScheduleActive => "three quick flashes",
            Self::ScheduleError => "one long flash, two short ones",
            Self::NoWifi => "two dim flashes every 10 s",
            Self::NoTime => "three dim flashes every 10 s",
        }
    }

    /// What it means.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::ScheduleActive => "your schedule is active",
            Self::ScheduleError => "your schedule has errors: see STATUS.TXT",
            Self::NoWifi => "no Wi-Fi, so the light cannot get the time",
            Self::NoTime => "Wi-Fi works, but no time server responds",
        }
    }

    /// On and off times in milliseconds, alternating, starting with on.
    #[must_use]
    pub const fn durations_ms(self) -> &'static [u16] {
        match self {
            Self::ScheduleActive => &[100, 100, 100, 100, 100, 600],
            Self::ScheduleError => &[1200, 200, 150, 200, 150, 600],
            Self::NoWifi => &[120, 240, 120, 9520],
            Self::NoTime => &[120, 240, 120, 240, 120, 9160],
        }
    }

    /// Whether the signal repeats, dimly, until its reason is gone. The light may be in a bedroom.
    #[must_use]
    pub const fn is_repeated(self) -> bool {
        matches!(self, Self::NoWifi | Self::NoTime)
    }
}

#[cfg(test)]
mod tests {
    use super::LampSignal;

    #[test]
    fn the_words_count_the_flashes_and_the_seconds() {
        for signal in LampSignal::ALL {
            let durations = signal.durations_ms();
            let lit: std::vec::Vec<u16> = durations.iter().copied().step_by(2).collect();
            let words = match lit.as_slice() {
                [a, b, c] if a == b && b == c => "three",
                [_, _] => "two",
                [a, b, c] if a > b && b == c => "one long flash, two short ones",
                _ => "unknown",
            };
            assert!(signal.flashes().starts_with(words), "{signal:?}");
            let is_every_ten_seconds = durations.iter().map(|ms| u32::from(*ms)).sum::<u32>() == 10_000;
            assert_eq!(signal.flashes().ends_with("every 10 s"), is_every_ten_seconds, "{signal:?}");
            assert_eq!(signal.is_repeated(), is_every_ten_seconds, "{signal:?}");
        }
    }
}
