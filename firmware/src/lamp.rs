//! How bright the lamp is.

/// A brightness in percent: 1 to 100. Dark is not a brightness but the lamp being off.
///
/// ```
/// use firmware::lamp::Brightness;
///
/// assert_eq!(Brightness::percent(40).map(|brightness| brightness.duty(1000)), Some(400));
/// assert_eq!(Brightness::percent(0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brightness(u8);

impl Brightness {
    /// As bright as the lamp gets.
    pub const FULL: Self = Self(100);

    /// A brightness of `percent`, where that is from 1 to 100.
    #[must_use]
    pub const fn percent(percent: u8) -> Option<Self> {
        match percent {
            1..=100 => Some(Self(percent)),
            _ => None,
        }
    }

    /// How many of a PWM period's `top` counts the lamp is lit, in proportion and rounded up: the dimmest brightness
    /// is never dark, however coarse the counter.
    #[must_use]
    pub fn duty(self, top: u16) -> u16 {
        let lit = u32::from(top).saturating_mul(u32::from(self.0)).div_ceil(100);
        u16::try_from(lit).unwrap_or(top)
    }
}

#[cfg(test)]
mod tests {
    use super::Brightness;

    #[test]
    fn brightness_is_from_one_to_a_hundred_percent() {
        let valid = |percent| Brightness::percent(percent).is_some();
        assert_eq!([valid(0), valid(1), valid(100), valid(101)], [false, true, true, false]);
    }

    #[test]
    fn the_duty_is_linear_and_ends_at_the_top() {
        assert_eq!(Brightness::FULL.duty(u16::MAX), u16::MAX);
        assert_eq!(Brightness::percent(50).map(|half| half.duty(1000)), Some(500));
        assert_eq!(Brightness::percent(25).map(|quarter| quarter.duty(1000)), Some(250));
    }

    #[test]
    fn the_dimmest_light_is_never_dark() {
        assert_eq!(Brightness::percent(1).map(|dimmest| dimmest.duty(10)), Some(1));
    }
}
