//! Light of the lamp: off, on, or blinking.

use core::fmt;

/// Brightness in percent of the full duty cycle: 1 to 100. A dark lamp is [`Light::Off`].
///
/// ```
/// use wasm_core::schedule::Brightness;
///
/// assert_eq!(Brightness::percent(40).map(Brightness::get), Some(40));
/// assert_eq!(Brightness::percent(0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Brightness(u8);

impl Brightness {
    /// 100 percent.
    pub const FULL: Self = Self(100);

    /// The brightness of `percent`, or `None` outside 1 to 100.
    #[must_use]
    pub const fn percent(percent: u8) -> Option<Self> {
        match percent {
            1..=100 => Some(Self(percent)),
            _ => None,
        }
    }

    /// The percentage.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// Blink speed: the lit half and the dark half in milliseconds. Each is from 20 ms, below which blinking is invisible,
/// to 60 s.
///
/// ```
/// use wasm_core::schedule::Speed;
///
/// assert_eq!(Speed::new(200, 800).map(Speed::lit_ms), Some(200));
/// assert_eq!(Speed::new(10, 800), None);
/// assert_eq!((Speed::SLOW.lit_ms(), Speed::FAST.lit_ms()), (1000, 200));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Speed {
    lit_ms: u16,
    dark_ms: u16,
}

impl Speed {
    /// 1 s lit, 1 s dark.
    pub const SLOW: Self = Self { lit_ms: 1000, dark_ms: 1000 };
    /// 0.2 s lit, 0.2 s dark.
    pub const FAST: Self = Self { lit_ms: 200, dark_ms: 200 };
    /// Shortest half in milliseconds.
    pub const MIN_MS: u16 = 20;
    /// Longest half in milliseconds.
    pub const MAX_MS: u16 = 60_000;

    /// The speed of two halves in milliseconds, or `None` outside the limits.
    #[must_use]
    pub const fn new(lit_ms: u16, dark_ms: u16) -> Option<Self> {
        match (lit_ms, dark_ms) {
            (Self::MIN_MS..=Self::MAX_MS, Self::MIN_MS..=Self::MAX_MS) => Some(Self { lit_ms, dark_ms }),
            _ => None,
        }
    }

    /// The lit half in milliseconds.
    #[must_use]
    pub const fn lit_ms(self) -> u16 {
        self.lit_ms
    }

    /// The dark half in milliseconds.
    #[must_use]
    pub const fn dark_ms(self) -> u16 {
        self.dark_ms
    }

    /// Whether the lamp is lit `elapsed_ms` milliseconds after it started to blink. A blink starts lit.
    ///
    /// ```
    /// use wasm_core::schedule::Speed;
    ///
    /// assert_eq!([0, 199, 200, 399, 400].map(|ms| Speed::FAST.is_lit(ms)), [true, true, false, false, true]);
    /// ```
    #[must_use]
    pub fn is_lit(self, elapsed_ms: u32) -> bool {
        let period = u32::from(self.lit_ms).saturating_add(u32::from(self.dark_ms)).max(1);
        elapsed_ms.checked_rem(period).is_some_and(|phase| phase < u32::from(self.lit_ms))
    }
}

/// Light of the lamp. Its text, as the command line prints it, is `off`, `on 100%` or `blink 200/800 40%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Light {
    /// Dark.
    Off,
    /// Lit all the time.
    On(Brightness),
    /// Lit and dark in turn.
    Blink(Speed, Brightness),
}

impl Light {
    /// Whether the lamp is lit `elapsed_ms` milliseconds after the start of the window.
    #[must_use]
    pub fn is_lit(self, elapsed_ms: u32) -> bool {
        match self {
            Self::Off => false,
            Self::On(_) => true,
            Self::Blink(speed, _) => speed.is_lit(elapsed_ms),
        }
    }
}

impl fmt::Display for Light {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => out.write_str("off"),
            Self::On(brightness) => write!(out, "on {}%", brightness.get()),
            Self::Blink(speed, brightness) => {
                write!(out, "blink {}/{} {}%", speed.lit_ms, speed.dark_ms, brightness.get())
            }
        }
    }
}
