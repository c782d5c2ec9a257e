//! Evaluation of a schedule.

use super::civil::{DAY, Instant, LocalTime};
use super::days::DateRange;
use super::light::Light;
use super::rule::Rule;
use super::store::Schedule;

/// Search horizon of the next change in seconds: 366 days.
const HORIZON: i64 = 366 * DAY as i64;

/// Days after which a whole week without a change has been searched, including the two days into which a window can
/// reach. From then on only dates can bring a change.
const WHOLE_WEEK: i32 = 9;

/// Active rule at a local time.
#[derive(Clone, Copy, Debug)]
pub struct ActiveRule<'s> {
    /// The rule.
    pub rule: &'s Rule,
    /// Its index among the schedule's rules.
    pub index: usize,
    /// Start of its window, and of its blink phase.
    pub since: LocalTime,
    /// End of its window in local time. Another rule may become active before.
    pub until: LocalTime,
}

impl ActiveRule<'_> {
    /// Milliseconds of local time since the start of the window.
    #[must_use]
    pub fn elapsed_ms(&self, at: LocalTime) -> u32 {
        u32::try_from(at.ms_since(self.since)).unwrap_or_default()
    }
}

/// Change of the light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Time of the change.
    pub at: Instant,
    /// The light from then on.
    pub light: Light,
}

impl Schedule {
    /// The active rule at a local time: the last one in the file whose window covers it. Without one the lamp is off.
    ///
    /// ```
    /// use wasm_core::schedule::{self, LocalTime};
    ///
    /// let schedule = schedule::parse("on 18:00-23:00\nblink 22:00 for 10s", &mut |_| ());
    /// let time = LocalTime::new(2026, 11, 27, 22, 0, 5).unwrap();
    /// let decides = schedule.active_rule(time).unwrap();
    /// assert_eq!((decides.rule.line, decides.elapsed_ms(time)), (2, 5_000));
    /// ```
    #[must_use]
    pub fn active_rule(&self, local: LocalTime) -> Option<ActiveRule<'_>> {
        self.rules().iter().enumerate().rev().find_map(|(index, rule)| {
            let (since, until) = window(rule, local, self.all_dates())?;
            Some(ActiveRule { rule, index, since, until })
        })
    }

    /// The light at a local time.
    #[must_use]
    pub fn light_at(&self, local: LocalTime) -> Light {
        self.active_rule(local).map_or(Light::Off, |decides| decides.rule.light)
    }

    /// Brightness at a local time, to the millisecond: 0 to 100 percent. The dark half of a blink is 0.
    ///
    /// ```
    /// use wasm_core::schedule::{self, LocalTime};
    ///
    /// let schedule = schedule::parse("blink 09:00 for 30s 40%", &mut |_| ());
    /// let second = |second| schedule.brightness_at(LocalTime::new(2026, 11, 27, 9, 0, second).unwrap());
    /// assert_eq!([second(0), second(1), second(2), second(30)], [40, 0, 40, 0]);
    /// ```
    #[must_use]
    pub fn brightness_at(&self, local: LocalTime) -> u8 {
        let Some(decides) = self.active_rule(local) else { return 0 };
        match decides.rule.light {
            Light::On(brightness) => brightness.get(),
            Light::Blink(speed, brightness) if speed.is_lit(decides.elapsed_ms(local)) => brightness.get(),
            Light::Blink(..) | Light::Off => 0,
        }
    }

    /// The first change of [`Schedule::light_at`] after an instant, in the schedule's time zone; `None` if there is
    /// none within 366 days. The edges of a blink are not changes.
    ///
    /// The search visits each start of a rule that could change the light and each end of the active rule. Rules that
    /// cover each other every other second cost milliseconds on a computer and seconds on the device, which uses
    /// [`Schedule::brightness_at`] instead.
    ///
    /// ```
    /// use wasm_core::schedule::{self, Moment};
    ///
    /// let file = "timezone = America/New_York\non 07:00-07:30 weekdays";
    /// let schedule = schedule::parse(file, &mut |_| ());
    /// let Some(Moment::Instant(friday)) = Moment::parse("2026-11-27T12:30:00Z") else { panic!() };
    /// let change = schedule.next_change(friday).unwrap();
    /// assert_eq!(schedule.time_zone().format(change.at).to_string(), "2026-11-30T07:00:00-05:00");
    /// ```
    #[must_use]
    pub fn next_change(&self, after: Instant) -> Option<Change> {
        Walk::from(self, after).next()
    }

    /// Changes after an instant and before another, in order: the data of a timeline.
    ///
    /// ```
    /// use wasm_core::schedule::{self, Instant};
    ///
    /// let schedule = schedule::parse("on 07:00-07:30 weekdays", &mut |_| ());
    /// let monday = Instant::from_unix_seconds(1_795_392_000);
    /// assert_eq!(schedule.changes(monday, monday.plus_seconds(7 * 86_400)).count(), 10);
    /// ```
    #[must_use]
    pub fn changes(&self, after: Instant, before: Instant) -> Changes<'_> {
        Changes { walk: Walk::from(self, after), before }
    }

    /// The next local time at which the light could change: the end of the active rule, or the start of a rule below it
    /// with another light.
    fn next_candidate(&self, local: LocalTime, light: Light) -> Option<LocalTime> {
        let decides = self.active_rule(local);
        let below = decides.map_or(0, |decides| decides.index.saturating_add(1));
        let others = self.rules().iter().skip(below).filter(|rule| rule.light != light);
        let starts = others.filter_map(|rule| next_start(rule, local, self.all_dates()));
        starts.chain(decides.map(|decides| decides.until)).min()
    }

    /// The next midnight at which a date of any rule begins or has ended.
    fn next_date_edge(&self, local: LocalTime) -> Option<LocalTime> {
        let edges = self.all_dates().iter().flat_map(|range| [range.first_day(), range.last_day().saturating_add(1)]);
        let next = edges.filter(|day| *day > local.day()).min()?;
        Some(LocalTime::after_midnight(next, 0))
    }
}

/// Iterator of [`Schedule::changes`].
#[derive(Clone, Debug)]
pub struct Changes<'s> {
    walk: Walk<'s>,
    before: Instant,
}

impl Iterator for Changes<'_> {
    type Item = Change;

    fn next(&mut self) -> Option<Change> {
        self.walk.next().filter(|change| change.at < self.before)
    }
}

/// Walk along a schedule, from one possible change to the next.
#[derive(Clone, Debug)]
struct Walk<'s> {
    schedule: &'s Schedule,
    at: Instant,
    /// UTC offset in seconds, and its next transition.
    offset: i32,
    transition: Option<Instant>,
    /// Local day since which neither a date mattered nor the light changed.
    quiet_from: i32,
}

impl<'s> Walk<'s> {
    fn from(schedule: &'s Schedule, at: Instant) -> Self {
        let zone = schedule.time_zone();
        let quiet_from = zone.local(at).day();
        Self { schedule, at, offset: zone.offset_at(at), transition: zone.next_transition(at), quiet_from }
    }

    fn local(&self) -> LocalTime {
        LocalTime::in_utc(self.at.plus_seconds(self.offset.into()))
    }

    fn next(&mut self) -> Option<Change> {
        let limit = self.at.plus_seconds(HORIZON);
        let before = self.schedule.light_at(self.local());
        loop {
            let next = self.next_moment(before)?;
            if next <= self.at || next > limit {
                return None;
            }
            self.at = next;
            if self.transition == Some(next) {
                *self = Self::from(self.schedule, next);
            }
            let local = self.local();
            let light = self.schedule.light_at(local);
            if light != before {
                self.quiet_from = local.day();
                return Some(Change { at: next, light });
            }
        }
    }

    /// The next instant at which the light could change.
    fn next_moment(&mut self, light: Light) -> Option<Instant> {
        let local = self.local();
        let mut candidate = self.schedule.next_candidate(local, light);
        if local.day().saturating_sub(self.quiet_from) >= WHOLE_WEEK {
            candidate = self.schedule.next_date_edge(local);
            self.quiet_from = candidate.map_or(self.quiet_from, LocalTime::day);
        }
        let moved = candidate.map(|then| Instant::from_unix_ms(self.at.unix_ms().saturating_add(then.ms_since(local))));
        moved.into_iter().chain(self.transition).min()
    }
}

/// Start and end of the rule's window that covers a local time; the later one if two windows do.
fn window(rule: &Rule, local: LocalTime, dates: &[DateRange]) -> Option<(LocalTime, LocalTime)> {
    (0..=rule.when.reach()).find_map(|back| {
        let day = local.day().saturating_sub(back);
        let second = seconds_since_midnight(back, local);
        let start = rule.when.latest_start(second)?;
        let end = start.saturating_add(rule.when.length());
        let covers = second < end && rule.days.include(day, dates);
        covers.then(|| (LocalTime::after_midnight(day, start), LocalTime::after_midnight(day, end)))
    })
}

/// Start of the rule's first window after a local time.
fn next_start(rule: &Rule, local: LocalTime, dates: &[DateRange]) -> Option<LocalTime> {
    // A window starts on its rule's day or on the next one.
    let near = [1, 0].into_iter().filter_map(|back| {
        let day = local.day().saturating_sub(back);
        let start = rule.when.next_start(seconds_since_midnight(back, local))?;
        rule.days.include(day, dates).then(|| LocalTime::after_midnight(day, start))
    });
    let far = rule.days.next(local.day().saturating_add(1), dates);
    near.chain(far.map(|day| LocalTime::after_midnight(day, rule.when.start()))).min()
}

/// Seconds to a local time from the midnight `days_back` days before.
fn seconds_since_midnight(days_back: i32, local: LocalTime) -> u32 {
    days_back.unsigned_abs().saturating_mul(DAY).saturating_add(local.second_of_day())
}
