//! Exported JavaScript functions of the schedule, for integrators. The shop's own package omits them.
//!
//! Parsing takes a fraction of a millisecond, so each function takes the text of the file and there is no handle to
//! free. Offsets count UTF-16 units, as in JavaScript. An argument that is not a string throws a `TypeError`, and an
//! invalid time an `Error`; both name the argument.
#![expect(clippy::missing_errors_doc, reason = "each function throws as said above")]

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::js::{self, JsText};
use crate::schedule::{self, Change, Diagnostic, Light, Moment, Schedule, Span};

/// Light of the lamp.
#[derive(Serialize, Tsify)]
#[serde(tag = "action", rename_all = "camelCase", rename_all_fields = "camelCase")]
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
#[serde(rename_all = "camelCase")]
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
#[serde(rename_all = "camelCase")]
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

type JsResult<T> = Result<T, JsValue>;

fn read_schedule(text: &JsText) -> JsResult<Schedule> {
    let text: String = js::read("text", text)?;
    Ok(schedule::parse(&text, &mut |_| ()))
}

fn read_moment(argument: &'static str, time: &JsText) -> JsResult<Moment> {
    let time: String = js::read(argument, time)?;
    Moment::parse(&time).ok_or_else(|| {
        let message =
            [argument, ": expected a time such as 2026-11-27T09:00:05, optionally with an offset or Z"].concat();
        JsError::new(&message).into()
    })
}

fn write<T: Tsify + Serialize>(value: impl Into<T>) -> JsResult<Ts<T>> {
    Ok(Ts::new_unchecked(js::write(&value.into())?))
}

/// Parses a schedule file: its rules, settings and diagnostics.
#[wasm_bindgen(js_name = parseSchedule)]
pub fn parse_schedule(text: JsText) -> JsResult<Ts<ParsedSchedule>> {
    let text: String = js::read("text", &text)?;
    let mut found = Vec::new();
    let schedule = schedule::parse(&text, &mut |diagnostic| found.push(diagnostic));
    found.sort_by_key(|diagnostic: &Diagnostic| (diagnostic.line, diagnostic.column));
    let rules = schedule.rules().iter().map(|rule| ScheduleRule {
        line: rule.line,
        text: schedule.display_rule(rule).to_string(),
        light: rule.light.into(),
    });
    write(ParsedSchedule {
        rules: rules.collect(),
        wifi: schedule.network().wifi().map(ToOwned::to_owned),
        password: schedule.network().password().map(ToOwned::to_owned),
        timezone: schedule.time_zone().name().to_owned(),
        time_server: schedule.network().time_server().map(ToOwned::to_owned),
        diagnostics: found.iter().map(|diagnostic| schedule_diagnostic(&text, diagnostic)).collect(),
        normalized: schedule.to_string(),
    })
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

/// The light at a time: a local time, or an instant if it has an offset or `Z`.
#[wasm_bindgen(js_name = lightAt)]
pub fn light_at(text: JsText, time: JsText) -> JsResult<Ts<ScheduleLight>> {
    let (schedule, moment) = (read_schedule(&text)?, read_moment("time", &time)?);
    write(schedule.light_at(moment.local(schedule.time_zone())))
}

/// The line of the active rule at a time, from 1; `undefined` if no rule is active.
#[wasm_bindgen(js_name = decidingLine)]
pub fn deciding_line(text: JsText, time: JsText) -> JsResult<Option<u16>> {
    let (schedule, moment) = (read_schedule(&text)?, read_moment("time", &time)?);
    Ok(schedule.active_rule(moment.local(schedule.time_zone())).map(|decides| decides.rule.line))
}

/// The first change of the light after a time; `undefined` if there is none within 366 days.
#[wasm_bindgen(js_name = nextChange)]
pub fn next_change(text: JsText, after: JsText) -> JsResult<Option<Ts<ScheduleChange>>> {
    let (schedule, moment) = (read_schedule(&text)?, read_moment("after", &after)?);
    let next = schedule.next_change(moment.instant(schedule.time_zone()));
    next.map(|next| write(change(&schedule, next))).transpose()
}

/// Changes of the light after a time and before another: the data of a timeline.
#[wasm_bindgen(js_name = changesBetween)]
pub fn changes_between(text: JsText, after: JsText, before: JsText) -> JsResult<Vec<Ts<ScheduleChange>>> {
    let schedule = read_schedule(&text)?;
    let zone = schedule.time_zone();
    let changes =
        schedule.changes(read_moment("after", &after)?.instant(zone), read_moment("before", &before)?.instant(zone));
    changes.map(|next| write(change(&schedule, next))).collect()
}

fn change(schedule: &Schedule, change: Change) -> ScheduleChange {
    ScheduleChange { at: schedule.time_zone().format(change.at).to_string(), light: change.light.into() }
}
