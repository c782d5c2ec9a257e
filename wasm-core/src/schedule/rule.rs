//! One rule: what the lamp does, when, and on which days.

use super::days::Days;
use super::light::Light;

/// The part of a day, or of two, in which a rule is in force. All in seconds; starts are counted from midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// `07:00-07:30` or `07:00 for 30m`.
    Once {
        /// Below 86,400.
        start: u32,
        /// 1 to 86,400; may reach into the next day.
        length: u32,
    },
    /// `every 30m 09:00-17:00 for 10s`.
    Every {
        /// Where the first one begins, below 86,400.
        start: u32,
        /// Modifiers far from `start` others may begin: 1 to 86,400.
        range: u32,
        /// From one beginning to the next, 2 to 86,400.
        interval: u32,
        /// Modifiers long each one lasts; shorter than `interval`.
        length: u32,
    },
}

impl When {
    /// Where the first window begins, in seconds from the midnight of the day that the rule's days name.
    #[must_use]
    pub const fn start(self) -> u32 {
        match self {
            Self::Once { start, .. } | Self::Every { start, .. } => start,
        }
    }

    /// Modifiers long each window lasts, in seconds.
    #[must_use]
    pub const fn length(self) -> u32 {
        match self {
            Self::Once { length, .. } | Self::Every { length, .. } => length,
        }
    }

    /// Modifiers many days before a moment a window can have been named for that still covers it: a window may begin a day
    /// after its rule's START, and last a day.
    pub(super) const fn reach(self) -> i32 {
        match self {
            Self::Once { .. } => 1,
            Self::Every { .. } => 2,
        }
    }

    /// The beginning of the latest window at or before `second`; both are counted from the midnight of the rule's day.
    pub(super) fn latest_start(self, second: u32) -> Option<u32> {
        let since = second.checked_sub(self.start())?;
        match self {
            Self::Once { start, .. } => Some(start),
            Self::Every { start, range, interval, .. } => {
                let last = range.saturating_sub(1).checked_div(interval)?;
                let number = since.checked_div(interval)?.min(last);
                Some(start.saturating_add(number.saturating_mul(interval)))
            }
        }
    }

    /// The beginning of the first window after `second`, counted in the same way.
    pub(super) fn next_start(self, second: u32) -> Option<u32> {
        let Some(since) = second.checked_sub(self.start()) else {
            return Some(self.start());
        };
        match self {
            Self::Once { .. } => None,
            Self::Every { start, range, interval, .. } => {
                let next = since.checked_div(interval)?.saturating_add(1).saturating_mul(interval);
                (next < range).then(|| start.saturating_add(next))
            }
        }
    }
}

/// A rule of the file.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The line it stands on, from 1.
    pub line: u16,
    /// What the lamp does.
    pub light: Light,
    /// When, on each of its days.
    pub when: When,
    /// On which days.
    pub days: Days,
}

impl Rule {
    /// What an empty place for a rule holds.
    pub(super) const NEVER: Self =
        Self { line: 0, light: Light::Off, when: When::Once { start: 0, length: 0 }, days: Days::NEVER };
}
