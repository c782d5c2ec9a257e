//! Calendar months in the shop's time zone.

use std::fmt;

use crate::infra::clock::parse_day;
use crate::time_zone::ShopZone;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    year: i64,
    /// 1 to 12.
    month: i64,
}

impl Month {
    /// Parses `2026-11`.
    pub fn parse(text: &str) -> Option<Self> {
        parse_day(&format!("{text}-01"))?;
        let (year, month) = text.split_once('-')?;
        Some(Self { year: year.parse().ok()?, month: month.parse().ok()? })
    }

    pub fn of(ms: i64, zone: ShopZone) -> Option<Self> {
        zone.day_text_of(ms).get(..7).and_then(Self::parse)
    }

    pub fn january(self) -> Self {
        Self { month: 1, ..self }
    }

    pub fn next(self) -> Self {
        match self.month {
            12 => Self { year: self.year + 1, month: 1 },
            month => Self { month: month + 1, ..self },
        }
    }

    /// Number of months from this one to the other, both included.
    pub fn count_to(self, last: Self) -> i64 {
        (last.year - self.year) * 12 + last.month - self.month + 1
    }

    /// The first instant of the month.
    pub fn start(self, zone: ShopZone) -> i64 {
        parse_day(&format!("{self}-01")).map_or(i64::MAX, |day| zone.start_of(day))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_follow_each_other_and_nonsense_is_none() {
        let december = Month::parse("2026-12").unwrap();
        assert_eq!(december.next().to_string(), "2027-01");
        for zone in ["UTC", "America/Los_Angeles", "Pacific/Auckland"] {
            let zone = ShopZone::of_name(zone).unwrap();
            assert_eq!(Month::of(december.next().start(zone) - 1, zone), Some(december));
            assert_eq!(Month::of(december.start(zone), zone), Some(december));
        }
        assert_eq!(december.january().count_to(december), 12);
        for nonsense in ["", "2026", "2026-13", "2026-00", "2026-1", "26-01", "2026-12-01", "+026-01", "2026/12"] {
            assert_eq!(Month::parse(nonsense), None, "{nonsense}");
        }
    }
}
