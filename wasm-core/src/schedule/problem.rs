//! Everything that can be wrong with a file.

use super::error::Severity;

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident, $severity:ident, $code:literal, $what:literal, $expected:literal;)*) => {
        /// What is wrong with a line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Problem {
            $($(#[$doc])* $name,)*
        }

        impl Problem {
            /// Every problem there is.
            pub const ALL: [Self; [$($code),*].len()] = [$(Self::$name),*];

            /// Whether the line is skipped for it.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$name => Severity::$severity,)*
                }
            }

            /// A name that stays the same when the sentences change.
            ///
            /// ```
            /// assert_eq!(wasm_core::schedule::Problem::LoneStart.code(), "lone-start");
            /// ```
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }

            /// What is wrong.
            #[must_use]
            pub const fn what(self) -> &'static str {
                match self {
                    $(Self::$name => $what,)*
                }
            }

            /// What belongs there.
            #[must_use]
            pub const fn expected(self) -> &'static str {
                match self {
                    $(Self::$name => $expected,)*
                }
            }
        }
    };
}

problems! {
    /// UTF-16, or a file that is not text.
    Encoding, Error, "encoding", "this is not a UTF-8 text file", "a file saved as UTF-8";
    /// A line with bytes that are not UTF-8.
    NotUtf8, Error, "not-utf-8", "this line has characters that are not UTF-8", "a file saved as UTF-8";
    /// More bytes than are read.
    TooManyBytes, Error, "too-many-bytes", "the file is too long: the rest is skipped", "at most 8 KiB";
    /// More rules than are kept.
    TooManyRules, Error, "too-many-rules", "there are too many rules: this one and those below are skipped", "at most 64 rules";

    /// The first word of a line is neither an action nor a setting.
    UnknownAction, Error, "unknown-action", "this line begins with neither an action nor a setting", "`on`, `blink` or `off`, or `wifi`, `password`, `timezone` or `time-server` with `=`";
    /// An action alone.
    MissingTime, Error, "missing-time", "this rule does not say when", "a time as in `07:00-07:30`, `09:00 for 30s` or `every 30m for 10s`";
    /// Not a time.
    BadTime, Error, "bad-time", "this is not a time", "a time as `07:30`, `07:30:15` or `7:30am`";
    /// Spaces inside a range of times or in front of `am`.
    SplitTime, Error, "split-time", "there are spaces inside this time", "times without spaces, as `09:00-17:00` or `7:00am`";
    /// `24:00` where something starts.
    StartAtEnd, Error, "start-at-24", "nothing starts at 24:00", "`00:00`; `24:00` is an END only";
    /// END = START.
    EmptyRange, Error, "empty-range", "this ends when it starts", "two different times, or `00:00-24:00` for the whole day";
    /// A start without an end.
    LoneStart, Error, "lone-start", "this rule does not say how long", "START-END, or `for` with a duration";
    /// `for` where END has been given.
    EndGiven, Error, "end-given", "END and `for` cannot both be given", "either START-END or START for DURATION";
    /// Not a duration.
    BadDuration, Error, "bad-duration", "this is not a duration", "a duration as `10s`, `5m`, `2h` or `1h30m`";
    /// A duration of nothing.
    NoDuration, Error, "no-duration", "this lasts no time", "at least `1s`";
    /// More than 24 hours.
    TooLong, Error, "too-long", "nothing lasts longer than 24 hours", "at most `24h`";
    /// `every` without an interval.
    MissingInterval, Error, "missing-interval", "`every` does not say how often", "an interval as in `every 30m for 10s`";
    /// `every` without `for`.
    MissingFor, Error, "missing-for", "this `every` does not say how long", "`for` with a duration, as in `every 30m 09:00-17:00 for 10s`";
    /// DURATION is not shorter than INTERVAL.
    NotShorter, Error, "not-shorter", "each one lasts until the next one begins or longer", "a duration shorter than the interval";

    /// None of the words a rule may end with.
    UnknownWord, Error, "unknown-word", "this word has no meaning here", "days, `slow`, `fast`, a speed as `200ms/800ms`, or a brightness as `40%`";
    /// Not a day.
    BadDay, Error, "bad-day", "this is not a day", "days as `mon`, `mon-fri`, `weekdays`, `2026-12-24`, or several with commas";
    /// A date the calendar does not have.
    BadDate, Error, "bad-date", "there is no such date", "a date from 2000 to 2099 as `2026-12-24`";
    /// A range of dates that ends before it begins.
    DatesBackwards, Error, "dates-backwards", "these dates end before they begin", "the earlier date first";
    /// Spaces in a list of days.
    SplitDays, Error, "split-days", "there are spaces in this list of days", "commas without spaces, as `mon,wed,fri`";
    /// Days twice.
    DaysTwice, Error, "days-twice", "days are given twice", "one list with commas, as `mon,wed,fri`";
    /// A speed that is none.
    BadSpeed, Error, "bad-speed", "this is not a speed", "`slow`, `fast`, or lit and dark as `200ms/800ms`";
    /// A speed that the lamp does not have.
    SpeedBounds, Error, "speed-bounds", "this is too fast or too slow", "each half from `20ms` to `60s`";
    /// Speed twice.
    SpeedTwice, Error, "speed-twice", "a speed is given twice", "one speed";
    /// A brightness that is none.
    BadBrightness, Error, "bad-brightness", "this is not a brightness", "from `1%` to `100%`";
    /// Brightness twice.
    BrightnessTwice, Error, "brightness-twice", "a brightness is given twice", "one brightness";
    /// `off` with a speed or a brightness.
    OffTakesNone, Error, "off-takes-none", "`off` has neither speed nor brightness", "`off` with a time and days only";
    /// `on` with a speed.
    SpeedWithoutBlink, Warning, "speed-without-blink", "`on` does not blink: the speed has no effect", "`blink` for a speed";

    /// A name before `=` that is no setting.
    UnknownSetting, Error, "unknown-setting", "there is no such setting", "`wifi`, `password`, `timezone` or `time-server`";
    /// A setting without `=`.
    MissingEquals, Error, "missing-equals", "this setting has no `=`", "`=` between the setting and its value";
    /// A value that is longer than such a value can be.
    ValueTooLong, Error, "value-too-long", "this value is too long", "at most 32 bytes for `wifi`, 64 for `password`, 253 for `time-server`";
    /// A setting without a value.
    NoValue, Warning, "no-value", "this setting has no value", "a value after `=`, or no such line";
    /// A password that no wireless network has.
    ShortPassword, Warning, "short-password", "a Wi-Fi password this short will not work", "8 characters or more";
    /// A setting twice.
    SettingTwice, Warning, "setting-twice", "this setting is given twice: this lower line counts", "one line for each setting";
    /// No zone at all.
    NoTimeZone, Warning, "no-timezone", "no time zone is set: times are in UTC", "a line as `timezone = America/Toronto`";
    /// A name that is neither in the table nor a POSIX rule.
    BadTimeZone, Error, "bad-timezone", "this time zone is not known: the line is skipped", "a name as `America/Toronto`, or a POSIX rule as `EST5EDT,M3.2.0,M11.1.0`";
    /// A POSIX rule that names a summer time and does not say when it is.
    NoSummerRule, Warning, "no-summer-rule", "this does not say when summer time begins: the rule of the United States is used", "the rule too, as in `EST5EDT,M3.2.0,M11.1.0`";
    /// `UTC+5`, which means the opposite of what most people think.
    SignOfOffset, Warning, "sign-of-offset", "in a POSIX rule `UTC+5` is five hours behind UTC, and `UTC-5` ahead", "a name as `America/Toronto`, or the offset behind a name in brackets, as `<-05>5`";
}
