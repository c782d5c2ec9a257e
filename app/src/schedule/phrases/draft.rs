//! The parts of a rule that have been read, and the rule they form.

use super::clock::{ClockTime, clock_time};
use super::days::{DAILY, DayList, date, weekdays};
use super::length::{bare_unit, length, notation};
use super::reading::Reading;
use super::words::{Words, number};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    On,
    Blink,
    Off,
}

/// A part of the day: its name, where it starts and ends in hours.
const PARTS_OF_DAY: [(&str, u32, u32); 6] = [
    ("morning", 7, 9),
    ("afternoon", 13, 17),
    ("evening", 18, 22),
    ("night", 22, 6),
    ("overnight", 22, 6),
    ("bedtime", 21, 22),
];

/// Words without a meaning of their own.
const FILLERS: [&str; 35] = [
    "the",
    "a",
    "an",
    "my",
    "me",
    "it",
    "light",
    "lights",
    "lamp",
    "please",
    "at",
    "in",
    "on",
    "of",
    "and",
    "then",
    "is",
    "be",
    "should",
    "will",
    "to",
    "turn",
    "turns",
    "switch",
    "go",
    "goes",
    "up",
    "with",
    "brightness",
    "during",
    "around",
    "starting",
    "from",
    "between",
    "time",
];

const NO_END: &str = "The light is off until a line turns it on. End that line instead, such as on 18:00-23:00.";
const NO_START: &str = "Write when it starts too, such as on 18:00-23:00.";
const ONE_TIME: &str = "Write one line for each time.";

#[derive(Default)]
pub(super) struct Draft {
    action: Option<Action>,
    start: Option<ClockTime>,
    end: Option<ClockTime>,
    length: Option<u32>,
    interval: Option<u32>,
    part_of_day: Option<(u32, u32)>,
    is_all_day: bool,
    days: DayList,
    /// Days that are named now are left out.
    is_except: bool,
    brightness: Option<u32>,
    speed: Option<&'static str>,
    /// The next time is the end.
    expects_end: bool,
    sentence: Option<&'static str>,
}

impl Draft {
    /// Reads all words. `None` if one is unknown.
    pub fn read(mut words: Words<'_>) -> Option<Self> {
        let mut draft = Self::default();
        while words.peek().is_some() {
            let is_known = draft.interval(&mut words)
                || draft.days(&mut words)
                || draft.action(&mut words)
                || draft.length(&mut words)
                || draft.appearance(&mut words)
                || draft.part_of_day(&mut words)
                || draft.end_follows(&mut words)
                || draft.time(&mut words)
                || words.skip_any(&FILLERS);
            if !is_known {
                return None;
            }
        }
        Some(draft)
    }

    fn action(&mut self, words: &mut Words<'_>) -> bool {
        let action = match words.peek() {
            Some("on" | "glow" | "glows" | "shine" | "shines") => Action::On,
            Some("blink" | "blinks" | "blinking" | "flash" | "flashes" | "flashing" | "pulse" | "flicker") => {
                Action::Blink
            }
            Some("remind" | "reminds" | "nudge" | "notify" | "alert") => Action::Blink,
            Some("off") => Action::Off,
            _ => return false,
        };
        match (self.action, action) {
            (None, action) => self.action = Some(action),
            // "on at 7 and off at 9"
            (Some(_), Action::Off) if self.start.is_some() => self.expects_end = true,
            // "turn on at 7 on Mondays"
            (Some(_), Action::On) => {}
            (Some(before), action) if before == action => {}
            (Some(_), _) => return false,
        }
        words.next();
        true
    }

    fn interval(&mut self, words: &mut Words<'_>) -> bool {
        let read = words.try_read(|words| match words.next()? {
            "hourly" => Some(3_600),
            "twice" => words.skip(&["an", "hour"]).then_some(1_800),
            "once" => words.skip(&["an", "hour"]).then_some(3_600),
            "every" | "each" => {
                let seconds = length(words).or_else(|| bare_unit(words))?;
                words.skip(&["on", "the", "hour"]);
                Some(seconds)
            }
            _ => None,
        });
        self.interval = read.or(self.interval);
        read.is_some() || words.skip(&["on", "the", "hour"])
    }

    fn length(&mut self, words: &mut Words<'_>) -> bool {
        let read = words.try_read(|words| words.skip_any(&["for"]).then(|| length(words)).flatten());
        self.length = read.or(self.length);
        read.is_some()
    }

    fn days(&mut self, words: &mut Words<'_>) -> bool {
        if words.skip(&["every", "day"]) || words.skip(&["each", "day"]) || words.skip(&["all", "days"]) {
            self.days.add(DAILY);
            return true;
        }
        if words.skip_any(&["except", "excluding", "without", "but", "not"]) {
            self.is_except = true;
            return true;
        }
        if words.skip_any(&["every", "each"]) {
            // Before a day or a part of the day; anything else is unknown.
            return weekdays(&mut { *words }).is_some() || self.part_of_day(&mut { *words });
        }
        if let Some(bits) = weekdays(words) {
            if self.is_except {
                self.days.except(bits)
            } else {
                self.days.add(bits)
            }
            return true;
        }
        let Some(date) = date(words) else { return false };
        self.days.add_date(date);
        true
    }

    fn part_of_day(&mut self, words: &mut Words<'_>) -> bool {
        if words.skip(&["all", "day"]) || words.skip_any(&["always", "24/7"]) {
            self.is_all_day = true;
            return true;
        }
        words.skip(&["all"]);
        let Some(word) = words.peek() else { return false };
        let named = word.strip_suffix('s').unwrap_or(word);
        let Some((_, start, end)) = PARTS_OF_DAY.into_iter().find(|(name, ..)| *name == named) else { return false };
        self.part_of_day = Some((start, end));
        words.next();
        true
    }

    fn appearance(&mut self, words: &mut Words<'_>) -> bool {
        let percent = words.try_read(|words| {
            let word = words.next()?;
            match word.strip_suffix('%') {
                Some(percent) => number(percent),
                None => number(word).filter(|_| words.skip_any(&["percent", "pct", "%"])),
            }
        });
        let named = match words.peek() {
            _ if percent.is_some() => percent,
            Some("dim" | "dimly" | "dimmed" | "faint") => Some(10),
            Some("half") => words.try_read(|words| {
                (words.skip(&["half", "brightness"]) || words.skip(&["half", "bright"])).then_some(50)
            }),
            Some("bright" | "brightly" | "full" | "fully") => Some(100),
            _ => None,
        };
        if let Some(named) = named {
            self.brightness = Some(named);
            words.skip_any(&["dim", "dimly", "dimmed", "faint", "bright", "brightly", "full", "fully"]);
            return true;
        }
        let speed = match words.peek() {
            Some("slow" | "slowly") => "slow",
            Some("fast" | "quickly" | "quick" | "rapidly") => "fast",
            _ => return false,
        };
        self.speed = Some(speed);
        words.next();
        true
    }

    fn end_follows(&mut self, words: &mut Words<'_>) -> bool {
        let joint = ["to", "until", "till", "til", "through", "thru", "ending"];
        let is_end = words.skip_any(&joint) || (self.start.is_some() && self.end.is_none() && self.is_between(words));
        self.expects_end |= is_end;
        is_end
    }

    /// "between 9 and 5"
    fn is_between(&self, words: &mut Words<'_>) -> bool {
        words
            .try_read(|words| (words.skip_any(&["and"]) && clock_time(&mut { *words }).is_some()).then_some(()))
            .is_some()
    }

    fn time(&mut self, words: &mut Words<'_>) -> bool {
        let time = match clock_time(words) {
            None => return false,
            Some(Ok(time)) => time,
            Some(Err(sentence)) => {
                self.sentence = Some(sentence);
                return true;
            }
        };
        match (self.start, self.end) {
            _ if self.expects_end && self.end.is_none() => self.end = Some(time),
            (None, _) => self.start = Some(time),
            _ => self.sentence = Some(ONE_TIME),
        }
        self.expects_end = false;
        true
    }

    /// The rule, or a sentence about what is missing. `None` if it says no time.
    pub fn rule(self) -> Option<Reading> {
        if let Some(sentence) = self.sentence {
            return Some(Reading::Sentence(sentence));
        }
        let action = self.action.unwrap_or(if self.interval.is_some() { Action::Blink } else { Action::On });
        let when = match self.when(action)? {
            Reading::Line(when) => when,
            sentence @ Reading::Sentence(_) => return Some(sentence),
        };
        let name = match action {
            Action::On => "on",
            Action::Blink => "blink",
            Action::Off => "off",
        };
        let mut line = format!("{name} {when}");
        let brightness = self.brightness.filter(|percent| *percent != 100).map(|percent| format!("{percent}%"));
        let speed = self.speed.filter(|_| action == Action::Blink).map(str::to_owned);
        let days = Some(self.days).filter(|days| !days.is_empty()).map(|days| days.notation());
        let appearance = [speed, brightness].into_iter().flatten().filter(|_| action != Action::Off);
        for part in days.into_iter().chain(appearance) {
            line = format!("{line} {part}");
        }
        Some(Reading::Line(line))
    }

    fn when(&self, action: Action) -> Option<Reading> {
        let range = self.range();
        if let Some(interval) = self.interval {
            let range = range.map(|range| format!("{range} ")).unwrap_or_default();
            let length = notation(self.length.unwrap_or(10));
            return Some(Reading::Line(format!("every {} {range}for {length}", notation(interval))));
        }
        if self.end.is_some() && self.start.is_none() {
            return Some(Reading::Sentence(NO_START));
        }
        let start = self.start.map(|start| if self.is_evening() { start.in_afternoon() } else { start });
        let start = start.or_else(|| {
            let (hour, _) = self.part_of_day.filter(|_| action == Action::Blink || self.length.is_some())?;
            Some(ClockTime::at(hour.saturating_mul(60)))
        });
        match (start, self.length, range) {
            (Some(start), Some(length), _) => {
                Some(Reading::Line(format!("{} for {}", start.notation(), notation(length))))
            }
            (_, None, Some(range)) if self.end.is_some() || self.start.is_none() && action != Action::Blink => {
                Some(Reading::Line(range))
            }
            (Some(_), None, _) if action == Action::Off => Some(Reading::Sentence(NO_END)),
            (Some(start), None, _) => {
                let length = if action == Action::Blink { "30s" } else { "1h" };
                Some(Reading::Line(format!("{} for {length}", start.notation())))
            }
            _ => None,
        }
    }

    /// The range from start to end, of a part of the day, or the whole day.
    fn range(&self) -> Option<String> {
        match (self.start, self.end, self.part_of_day) {
            (Some(start), Some(end), _) if self.is_evening() => Some(start.in_afternoon().range(end)),
            (Some(start), Some(end), _) => Some(start.range(end)),
            (None, None, Some((start, end))) => {
                Some(ClockTime::at(start.saturating_mul(60)).range(ClockTime::at(end.saturating_mul(60))))
            }
            (None, None, None) if self.is_all_day => Some("00:00-24:00".to_owned()),
            _ => None,
        }
    }

    fn is_evening(&self) -> bool {
        self.part_of_day.is_some_and(|(start, _)| start >= 13)
    }
}
