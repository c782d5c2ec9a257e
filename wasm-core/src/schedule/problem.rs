//! Problems of a schedule file, with their codes and messages.

use core::fmt;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The line is skipped.
    Error,
    /// The line is used, but maybe not as intended.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident, $severity:ident, $code:literal, $message:literal, $expected:literal;)*) => {
        /// Problem of a line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Problem {
            $($(#[$doc])* $name,)*
        }

        impl Problem {
            /// Every problem.
            pub const ALL: [Self; [$($code),*].len()] = [$(Self::$name),*];

            /// Severity of the problem.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$name => Severity::$severity,)*
                }
            }

            /// Stable identifier. Messages can change, codes do not.
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

            /// Message about the problem.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self {
                    $(Self::$name => $message,)*
                }
            }

            /// The expected text.
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
    /// A file in UTF-16, or one that is not text.
    Encoding, Error, "encoding", "this is not a UTF-8 text file", "a file saved as UTF-8";
    /// A line with bytes that are not UTF-8.
    NotUtf8, Error, "not-utf-8", "this line has characters that are not UTF-8", "a file saved as UTF-8";
    /// A file above the size limit.
    TooManyBytes, Error, "too-many-bytes", "the file is too long: the rest is skipped", "at most 8 KiB";
    /// A file above the limit of rules.
    TooManyRules, Error, "too-many-rules", "there are too many rules: this one and those below are skipped", "at most 64 rules";

    /// The first word of a line is neither an action nor a setting.
    UnknownAction, Error, "unknown-action", "this line starts with neither an action nor a setting", "`on`, `blink` or `off`, or `wifi`, `password`, `timezone` or `time-server` with `=`";
    /// An action without a time.
    MissingTime, Error, "missing-time", "this rule has no time", "a time as in `07:00-07:30`, `09:00 for 30s` or `every 30m for 10s`";
    /// An invalid time.
    BadTime, Error, "bad-time", "this is not a time", "a time such as `07:30`, `07:30:15` or `7:30am`";
    /// Spaces inside a time range or before `am`.
    SplitTime, Error, "split-time", "there are spaces inside this time", "times without spaces, such as `09:00-17:00` or `7:00am`";
    /// `24:00` as a start.
    StartAtEnd, Error, "start-at-24", "a rule cannot start at 24:00", "`00:00`; `24:00` is an END only";
    /// An END equal to START.
    EmptyRange, Error, "empty-range", "the end is equal to the start", "two different times, or `00:00-24:00` for the whole day";
    /// A start without an end.
    LoneStart, Error, "lone-start", "this rule has no end or duration", "START-END, or `for` with a duration";
    /// `for` after an END.
    EndGiven, Error, "end-given", "END and `for` cannot both be given", "either START-END or START for DURATION";
    /// An invalid duration.
    BadDuration, Error, "bad-duration", "this is not a duration", "a duration such as `10s`, `5m`, `2h` or `1h30m`";
    /// A duration of zero.
    NoDuration, Error, "no-duration", "this duration is zero", "at least `1s`";
    /// A duration above 24 hours.
    TooLong, Error, "too-long", "this duration is longer than 24 hours", "at most `24h`";
    /// `every` without an interval.
    MissingInterval, Error, "missing-interval", "this `every` has no interval", "an interval as in `every 30m for 10s`";
    /// `every` without `for`.
    MissingFor, Error, "missing-for", "this `every` has no duration", "`for` with a duration, as in `every 30m 09:00-17:00 for 10s`";
    /// A DURATION that is not shorter than INTERVAL.
    NotShorter, Error, "not-shorter", "the duration is not shorter than the interval", "a duration shorter than the interval";

    /// A word that is not a modifier.
    UnknownWord, Error, "unknown-word", "this word has no meaning here", "days, `slow`, `fast`, a speed such as `200ms/800ms`, or a brightness such as `40%`";
    /// An invalid day.
    BadDay, Error, "bad-day", "this is not a day", "days such as `mon`, `mon-fri`, `weekdays`, `2026-12-24`, or several with commas";
    /// A date that does not exist.
    BadDate, Error, "bad-date", "this date does not exist", "a date from 2000 to 2099 such as `2026-12-24`";
    /// A range of dates that ends before it begins.
    DatesBackwards, Error, "dates-backwards", "the range ends before it begins", "the earlier date first";
    /// Spaces in a list of days.
    SplitDays, Error, "split-days", "there are spaces in this list of days", "commas without spaces, such as `mon,wed,fri`";
    /// A second list of days.
    DaysTwice, Error, "days-twice", "days are given twice", "one list with commas, such as `mon,wed,fri`";
    /// An invalid speed.
    BadSpeed, Error, "bad-speed", "this is not a speed", "`slow`, `fast`, or lit and dark such as `200ms/800ms`";
    /// A speed outside the limits.
    SpeedBounds, Error, "speed-bounds", "this is too fast or too slow", "each half from `20ms` to `60s`";
    /// A second speed.
    SpeedTwice, Error, "speed-twice", "a speed is given twice", "one speed";
    /// An invalid brightness.
    BadBrightness, Error, "bad-brightness", "this is not a brightness", "from `1%` to `100%`";
    /// A second brightness.
    BrightnessTwice, Error, "brightness-twice", "a brightness is given twice", "one brightness";
    /// `off` with a speed or a brightness.
    OffTakesNone, Error, "off-takes-none", "`off` has neither speed nor brightness", "`off` with a time and days only";
    /// `on` with a speed.
    SpeedWithoutBlink, Warning, "speed-without-blink", "`on` does not blink: the speed has no effect", "`blink` for a speed";

    /// An unknown setting.
    UnknownSetting, Error, "unknown-setting", "unknown setting", "`wifi`, `password`, `timezone` or `time-server`";
    /// A setting without `=`.
    MissingEquals, Error, "missing-equals", "this setting has no `=`", "`=` between the setting and its value";
    /// A value above its size limit.
    ValueTooLong, Error, "value-too-long", "this value is too long", "at most 32 bytes for `wifi`, 64 for `password`, 253 for `time-server`";
    /// A setting without a value.
    NoValue, Warning, "no-value", "this setting has no value", "a value after `=`, or no line at all";
    /// A password shorter than Wi-Fi allows.
    ShortPassword, Warning, "short-password", "this password is too short for Wi-Fi", "8 characters or more";
    /// A repeated setting.
    SettingTwice, Warning, "setting-twice", "this setting is repeated: the last line is used", "one line for each setting";
    /// A file without a time zone.
    NoTimeZone, Warning, "no-timezone", "no time zone is set: times are in UTC", "a line such as `timezone = America/Toronto`";
    /// A value that is neither a known name nor a POSIX rule.
    BadTimeZone, Error, "bad-timezone", "unknown time zone: the line is skipped", "a name such as `America/Toronto`, or a POSIX rule such as `EST5EDT,M3.2.0,M11.1.0`";
    /// A POSIX rule with daylight saving time but without its dates.
    NoSummerRule, Warning, "no-summer-rule", "this rule has no dates for daylight saving time: those of the United States are used", "the rule too, as in `EST5EDT,M3.2.0,M11.1.0`";
    /// `UTC+5`, whose sign POSIX reverses.
    SignOfOffset, Warning, "sign-of-offset", "in a POSIX rule `UTC+5` is five hours behind UTC, and `UTC-5` ahead", "a name such as `America/Toronto`, or the offset after a name in brackets, such as `<-05>5`";
}
