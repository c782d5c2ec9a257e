//! Exported JavaScript functions of the schedule: the entry `schedule` of the npm package. The shop's pages omit them.
//!
//! Parsing takes a fraction of a millisecond, so each function takes the text of the file and there is no handle to
//! free. Offsets count UTF-16 units, as in JavaScript. An argument that is not a string and an invalid time throw a
//! `TypeError` that names the argument; a mistake in the file is a diagnostic.
#![expect(clippy::missing_errors_doc, reason = "each function throws as said above")]

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::iter;

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js::typed::{JsResult, read_text, write, write_all};
use crate::js::{self, JsText, JsTime};
use crate::schedule::{self, Change, Diagnostic, Light, LocalTime, Moment, Schedule, Span};

/// Light of the lamp.
#[derive(Serialize, Tsify)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum ScheduleLight {
    /// Dark.
    Off,
    /// Lit continuously.
    On {
        /// 1 to 100 percent.
        brightness: u8,
    },
    /// Lit and dark in turn.
    Blink {
        /// Milliseconds.
        lit_ms: u16,
        /// Milliseconds.
        dark_ms: u16,
        /// 1 to 100 percent.
        brightness: u8,
    },
}

impl From<Light> for ScheduleLight {
    fn from(light: Light) -> Self {
        match light {
            Light::Off => Self::Off,
            Light::On(brightness) => Self::On { brightness: brightness.get() },
            Light::Blink(speed, brightness) => {
                Self::Blink { lit_ms: speed.lit_ms(), dark_ms: speed.dark_ms(), brightness: brightness.get() }
            }
        }
    }
}

/// Change of the light.
#[derive(Serialize, Tsify)]
pub struct ScheduleChange {
    /// With the offset of the file's time zone: `2026-11-27T09:00:00-05:00`.
    #[tsify(type = "Iso8601Date")]
    pub at: String,
    /// The light from then on.
    pub light: ScheduleLight,
}

/// Suggested fix: a replacement of a part of the line.
#[derive(Serialize, Tsify)]
pub struct ScheduleSuggestion {
    /// The first UTF-16 unit to replace.
    pub from: usize,
    /// The unit after the last one; equal to `from` for an insertion.
    pub to: usize,
    /// Replacement.
    pub replacement: String,
    /// Text to display: "did you mean `weekdays`?"
    pub label: String,
}

/// Error or warning about a line.
#[derive(Serialize, Tsify)]
pub struct ScheduleDiagnostic {
    /// A line with an error is skipped.
    #[tsify(type = "\"error\" | \"warning\"")]
    pub severity: String,
    /// Stable identifier, such as `lone-start`.
    pub code: String,
    /// The problem and the expected text.
    pub message: String,
    /// From 1.
    pub line: u16,
    /// In characters, from 1.
    pub column: u16,
    /// First UTF-16 unit of the problem.
    pub from: usize,
    /// The unit after the last one.
    pub to: usize,
    /// Suggested fix, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub suggestion: Option<ScheduleSuggestion>,
}

/// Valid rule.
#[derive(Serialize, Tsify)]
pub struct ScheduleRule {
    /// From 1.
    pub line: u16,
    /// Normalized text of the rule.
    pub text: String,
    /// The light while the rule is active.
    pub light: ScheduleLight,
}

/// Parsed schedule file.
#[derive(Serialize, Tsify)]
pub struct ParsedSchedule {
    /// Valid rules. Of the rules whose windows cover a time, the last one is active.
    pub rules: Vec<ScheduleRule>,
    /// Name of the Wi-Fi network (SSID).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub wifi: Option<String>,
    /// Password of the Wi-Fi network.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub password: Option<String>,
    /// Name of the time zone, or its POSIX rule.
    pub timezone: String,
    /// Name or address of the time server.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub time_server: Option<String>,
    /// Errors and warnings in the order of the lines.
    pub diagnostics: Vec<ScheduleDiagnostic>,
    /// The file without comments and invalid lines.
    pub normalized: String,
}

fn read_schedule(text: &JsText) -> JsResult<Schedule> {
    Ok(schedule::parse(&read_text("text", text)?, &mut |_| ()))
}

fn read_moment(argument: &'static str, time: &JsTime) -> JsResult<Moment> {
    let time: String = js::read(argument, time)?;
    let expected = "expected a time such as 2026-11-27T09:00:05, optionally with an offset or Z";
    Moment::parse(&time).ok_or_else(|| js::type_error(argument, expected))
}

/// Parses a schedule file: its rules, settings and diagnostics. Of a file longer than 8 KiB the rest is ignored, as are
/// rules beyond the 64th; a diagnostic says so.
///
/// @param text the whole file, `SCHEDULE.TXT`
/// @throws TypeError if `text` is not a string; a mistake in the file is a diagnostic
/// @example
/// parse("timezone = UTC\non 18:00-23:00 dayly").diagnostics[0].suggestion.replacement // "daily"
/// parse("timezone = UTC\nON 6:00pm-11:00pm daily 40%").rules[0].text // "on 18:00-23:00 40%"
#[wasm_bindgen]
pub fn parse(text: JsText) -> JsResult<Ts<ParsedSchedule>> {
    let text = read_text("text", &text)?;
    let mut found = Vec::new();
    let schedule = schedule::parse(&text, &mut |diagnostic| found.push(diagnostic));
    found.sort_by_key(|diagnostic: &Diagnostic| (diagnostic.line, diagnostic.column));
    write(parsed_schedule(&text, &schedule, &found))
}

fn parsed_schedule(text: &str, schedule: &Schedule, found: &[Diagnostic]) -> ParsedSchedule {
    let rules = schedule.rules().iter().map(|rule| ScheduleRule {
        line: rule.line,
        text: schedule.display_rule(rule).to_string(),
        light: rule.light.into(),
    });
    ParsedSchedule {
        rules: rules.collect(),
        wifi: schedule.network().wifi().map(ToOwned::to_owned),
        password: schedule.network().password().map(ToOwned::to_owned),
        timezone: schedule.time_zone().name().to_owned(),
        time_server: schedule.network().time_server().map(ToOwned::to_owned),
        diagnostics: found.iter().map(|diagnostic| schedule_diagnostic(text, diagnostic)).collect(),
        normalized: schedule.to_string(),
    }
}

fn schedule_diagnostic(text: &str, diagnostic: &Diagnostic) -> ScheduleDiagnostic {
    let (from, to) = utf16_range(text, diagnostic.span);
    let suggestion = diagnostic.suggestion.as_ref().map(|suggestion| {
        let (from, to) = utf16_range(text, suggestion.span);
        let replacement = suggestion.replacement.as_str().to_owned();
        ScheduleSuggestion { from, to, replacement, label: suggestion.to_string() }
    });
    ScheduleDiagnostic {
        severity: diagnostic.severity().to_string(),
        code: diagnostic.problem.code().to_owned(),
        message: diagnostic.message().to_string(),
        line: diagnostic.line,
        column: diagnostic.column,
        from,
        to,
        suggestion,
    }
}

/// A byte range in UTF-16 units. An offset inside a character, as in a truncated file, becomes the start of the
/// character.
fn utf16_range(text: &str, span: Span) -> (usize, usize) {
    let count = |to: usize| -> usize {
        text.char_indices().take_while(|(at, _)| *at < to).map(|(_, character)| character.len_utf16()).sum()
    };
    (count(span.start), count(span.end))
}

/// The file in its normalized form, without comments and invalid lines. It parses to an equal schedule.
///
/// @param text the whole file
/// @throws TypeError if `text` is not a string
/// @example
/// display("TimeZone=america/toronto\n ON 7:00pm-11:00pm 40% Mon-Fri # late") // "timezone = America/Toronto\non 19:00-23:00 weekdays 40%\n"
#[wasm_bindgen]
pub fn display(text: JsText) -> JsResult<String> {
    Ok(read_schedule(&text)?.to_string())
}

/// The light at a time.
///
/// @param text the whole file
/// @param time a local time of the file's time zone, or an instant if it has an offset or `Z`
/// @throws TypeError if an argument is not a string, or `time` is not a time
/// @example
/// lightAt("on 18:00-23:00 40%", "2026-11-27T19:30") // { action: "on", brightness: 40 }
/// lightAt("on 18:00-23:00 40%", "2026-11-27T23:30") // { action: "off" }
#[wasm_bindgen(js_name = lightAt)]
pub fn light_at(text: JsText, time: JsTime) -> JsResult<Ts<ScheduleLight>> {
    let (schedule, moment) = (read_schedule(&text)?, read_moment("time", &time)?);
    write(schedule.light_at(moment.local(schedule.time_zone())))
}

/// The line of the active rule at a time, from 1; `undefined` if no rule is active.
///
/// @param text the whole file
/// @param time a local time of the file's time zone, or an instant if it has an offset or `Z`
/// @throws TypeError if an argument is not a string, or `time` is not a time
/// @example
/// decidingLine("# evenings\non 18:00-23:00", "2026-11-27T19:30") // 2
#[wasm_bindgen(js_name = decidingLine)]
pub fn deciding_line(text: JsText, time: JsTime) -> JsResult<Option<u16>> {
    let (schedule, moment) = (read_schedule(&text)?, read_moment("time", &time)?);
    Ok(schedule.active_rule(moment.local(schedule.time_zone())).map(|decides| decides.rule.line))
}

/// The first change of the light after a time; `undefined` if there is none within 366 days.
///
/// @param text the whole file
/// @param after a local time of the file's time zone, or an instant if it has an offset or `Z`
/// @throws TypeError if an argument is not a string, or `after` is not a time
/// @example
/// nextChange("timezone = America/New_York\non 18:00-23:00", "2026-11-27T20:00:00Z") // { at: "2026-11-27T18:00:00-05:00", light: { action: "on", brightness: 100 } }
#[wasm_bindgen(js_name = nextChange)]
pub fn next_change(text: JsText, after: JsTime) -> JsResult<Option<Ts<ScheduleChange>>> {
    let (schedule, moment) = (read_schedule(&text)?, read_moment("after", &after)?);
    let next = schedule.next_change(moment.instant(schedule.time_zone()));
    next.map(|next| write(change(&schedule, next))).transpose()
}

/// Changes of the light after a time and before another: the data of a timeline.
///
/// @param text the whole file
/// @param after a local time of the file's time zone, or an instant if it has an offset or `Z`
/// @param before as `after`
/// @throws TypeError if an argument is not a string, or `after` or `before` is not a time
/// @example
/// changesBetween("on 18:00-23:00 weekdays", "2026-11-23T00:00", "2026-11-30T00:00").length // 10
#[wasm_bindgen(js_name = changesBetween)]
pub fn changes_between(text: JsText, after: JsTime, before: JsTime) -> JsResult<Vec<Ts<ScheduleChange>>> {
    let schedule = read_schedule(&text)?;
    let zone = schedule.time_zone();
    let changes =
        schedule.changes(read_moment("after", &after)?.instant(zone), read_moment("before", &before)?.instant(zone));
    changes.map(|next| write(change(&schedule, next))).collect()
}

fn change(schedule: &Schedule, change: Change) -> ScheduleChange {
    ScheduleChange { at: schedule.time_zone().format(change.at).to_string(), light: change.light.into() }
}

/// A day of a schedule, from midnight to midnight in the file's time zone.
#[derive(Serialize, Tsify)]
pub struct ScheduleDay {
    /// `2026-11-27`
    #[tsify(type = "Iso8601Date")]
    pub date: String,
    /// The lights of the day in order, without gaps.
    pub spans: Vec<ScheduleSpan>,
}

/// Time with one light.
#[derive(Serialize, Tsify)]
pub struct ScheduleSpan {
    /// With the offset of the file's time zone: `2026-11-27T09:00:00-05:00`.
    #[tsify(type = "Iso8601Date")]
    pub from: String,
    /// The end, which is the start of the next span.
    #[tsify(type = "Iso8601Date")]
    pub to: String,
    /// The light in between.
    pub light: ScheduleLight,
}

/// Seven days with their lights: the data of a calendar. A day on which the clocks change has 23 or 25 hours.
///
/// @param text the whole file
/// @param first the first day: `2026-11-23`, or a time on it
/// @throws TypeError if an argument is not a string, or `first` is neither a day nor a time
/// @example
/// const days = week("timezone = UTC\non 18:00-23:00 weekdays", "2026-11-23");
/// days.length // 7
/// days[0].spans[1] // { from: "2026-11-23T18:00:00+00:00", to: "2026-11-23T23:00:00+00:00", light: { action: "on", brightness: 100 } }
#[wasm_bindgen]
pub fn week(text: JsText, first: JsTime) -> JsResult<Vec<Ts<ScheduleDay>>> {
    let schedule = read_schedule(&text)?;
    let typed: String = js::read("first", &first)?;
    let moment = Moment::parse(&typed).or_else(|| Moment::parse(&[&typed, "T00:00"].concat()));
    let moment = moment.ok_or_else(|| js::type_error("first", "expected a day such as 2026-11-23"))?;
    let first = moment.local(schedule.time_zone());
    write_all((0..7).map(|days| day_spans(&schedule, first.days_later(days))))
}

fn day_spans(schedule: &Schedule, midnight: LocalTime) -> ScheduleDay {
    let zone = schedule.time_zone();
    let (from, to) = (zone.instant(midnight), zone.instant(midnight.days_later(1)));
    let first = Change { at: from, light: schedule.light_at(zone.local(from)) };
    let changes: Vec<Change> = iter::once(first).chain(schedule.changes(from, to)).collect();
    let ends = changes.iter().skip(1).map(|next| next.at).chain([to]);
    let spans = changes.iter().zip(ends).map(|(start, end)| ScheduleSpan {
        from: zone.format(start.at).to_string(),
        to: zone.format(end).to_string(),
        light: start.light.into(),
    });
    let date = midnight.to_string().chars().take_while(|character| *character != 'T').collect();
    ScheduleDay { date, spans: spans.collect() }
}
