//! Rule of a schedule.

use super::days::Days;
use super::light::Light;

/// Time windows of a rule, in seconds. Starts count from midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// `07:00-07:30` or `07:00 for 30m`.
    Once {
        /// Below 86,400.
        start: u32,
        /// 1 to 86,400; can reach into the next day.
        length: u32,
    },
    /// `every 30m 09:00-17:00 for 10s`.
    Every {
        /// Start of the first window, below 86,400.
        start: u32,
        /// Length of the range in which windows start: 1 to 86,400.
        range: u32,
        /// From one start to the next: 2 to 86,400.
        interval: u32,
        /// Length of each window; shorter than `interval`.
        length: u32,
    },
}

impl When {
    /// Start of the first window, in seconds from midnight of the rule's day.
    #[must_use]
    pub const fn start(self) -> u32 {
        match self {
            Self::Once { start, .. } | Self::Every { start, .. } => start,
        }
    }

    /// Length of each window in seconds.
    #[must_use]
    pub const fn length(self) -> u32 {
        match self {
            Self::Once { length, .. } | Self::Every { length, .. } => length,
        }
    }

    /// Number of days before a time on which a rule's day can lie whose window covers the time: a window can start a
    /// day after START, and last a day.
    pub(super) const fn reach(self) -> i32 {
        match self {
            Self::Once { .. } => 1,
            Self::Every { .. } => 2,
        }
    }

    /// Start of the latest window at or before `second`. Both count from midnight of the rule's day.
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

    /// Start of the first window after `second`. Both count from midnight of the rule's day.
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

/// Rule of the file.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Line number, from 1.
    pub line: u16,
    /// The light while the rule is active.
    pub light: Light,
    /// Windows on each of its days.
    pub when: When,
    /// Days of the rule.
    pub days: Days,
}

impl Rule {
    /// Value of an unused slot.
    pub(super) const NEVER: Self =
        Self { line: 0, light: Light::Off, when: When::Once { start: 0, length: 0 }, days: Days::NEVER };
}
