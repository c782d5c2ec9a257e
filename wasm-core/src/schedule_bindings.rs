//! The schedule as a JavaScript module, for those who make files, editors or devices of their own. The shop's package
//! is built without it.
//!
//! Reading a file takes a fraction of a millisecond, so each function takes the file's text; there is no handle to
//! keep or to free. Places in it are counted as JavaScript counts, in UTF-16 units. An argument that is no string throws
//! a `TypeError`, and a time that cannot be read an `Error`; both name the argument.
#![allow(clippy::missing_errors_doc, reason = "each function throws as said above")]

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::js::{self, JsText};
use crate::schedule::{self, Change, Diagnostic, Light, Moment, Schedule, Span};

/// What the lamp does.
#[derive(Serialize, Tsify)]
#[serde(tag = "action", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ScheduleLight {
    /// Dark.
    Off,
    /// Lit all the time.
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

/// A change of the light.
#[derive(Serialize, Tsify)]
pub struct ScheduleChange {
    /// With the offset of the file's time zone: `2026-11-27T09:00:00-05:00`.
    pub at: String,
    /// What the lamp does from then on.
    pub light: ScheduleLight,
}

/// What would mend a line: the text from one place to another replaced.
#[derive(Serialize, Tsify)]
pub struct ScheduleSuggestion {
    /// The first UTF-16 unit to replace.
    pub from: usize,
    /// The one behind the last; the same as `from` where something is put in.
    pub to: usize,
    /// What to write there.
    pub replacement: String,
    /// For a person: "did you mean `weekdays`?"
    pub label: String,
}

/// Something that is wrong with a file.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleDiagnostic {
    /// An error's line is skipped.
    #[tsify(type = "\"error\" | \"warning\"")]
    pub severity: String,
    /// A name that stays the same when the sentences change: `lone-start`.
    pub code: String,
    /// What is wrong and what was expected.
    pub message: String,
    /// From 1.
    pub line: u16,
    /// In characters, from 1.
    pub column: u16,
    /// The first UTF-16 unit it is about.
    pub from: usize,
    /// The one behind the last.
    pub to: usize,
    /// What to write instead, where that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub suggestion: Option<ScheduleSuggestion>,
}

/// One rule that counts.
#[derive(Serialize, Tsify)]
pub struct ScheduleRule {
    /// From 1.
    pub line: u16,
    /// The rule in its plainest form.
    pub text: String,
    /// What the lamp does while it decides.
    pub light: ScheduleLight,
}

/// A file that has been read.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ParsedSchedule {
    /// The rules that count; of those in force the last one decides.
    pub rules: Vec<ScheduleRule>,
    /// The network's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub wifi: Option<String>,
    /// The network's password, literally.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub password: Option<String>,
    /// The name of the zone, or its POSIX rule.
    pub timezone: String,
    /// The name of the time server.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub time_server: Option<String>,
    /// What is wrong with the file, from its first line to its last.
    pub diagnostics: Vec<ScheduleDiagnostic>,
    /// The settings and rules as a file without comments and mistakes.
    pub normalized: String,
}

type Thrown<T> = Result<T, JsValue>;

fn read(text: &JsText) -> Thrown<Schedule> {
    let text: String = js::read("text", text)?;
    Ok(schedule::parse(&text, &mut |_| ()))
}

fn moment(argument: &'static str, time: &JsText) -> Thrown<Moment> {
    let time: String = js::read(argument, time)?;
    Moment::parse(&time).ok_or_else(|| {
        let wrong = [argument, ": a time is written as 2026-11-27T09:00:05, with an offset, Z or neither"].concat();
        JsError::new(&wrong).into()
    })
}

fn encode<T: Tsify + Serialize>(value: impl Into<T>) -> Thrown<Ts<T>> {
    Ok(Ts::new_unchecked(js::write(&value.into())?))
}

/// Reads a file: its rules and settings, and what is wrong with it.
#[wasm_bindgen(js_name = parseSchedule)]
pub fn parse_schedule(text: JsText) -> Thrown<Ts<ParsedSchedule>> {
    let text: String = js::read("text", &text)?;
    let mut found = Vec::new();
    let schedule = schedule::parse(&text, &mut |diagnostic| found.push(diagnostic));
    found.sort_by_key(|diagnostic: &Diagnostic| (diagnostic.line, diagnostic.column));
    let rules = schedule.rules().iter().map(|rule| ScheduleRule {
        line: rule.line,
        text: schedule.show_rule(rule).to_string(),
        light: rule.light.into(),
    });
    encode(ParsedSchedule {
        rules: rules.collect(),
        wifi: schedule.network().wifi().map(ToOwned::to_owned),
        password: schedule.network().password().map(ToOwned::to_owned),
        timezone: schedule.time_zone().name().to_owned(),
        time_server: schedule.network().time_server().map(ToOwned::to_owned),
        diagnostics: found.iter().map(|diagnostic| shown(&text, diagnostic)).collect(),
        normalized: schedule.to_string(),
    })
}

fn shown(text: &str, diagnostic: &Diagnostic) -> ScheduleDiagnostic {
    let (from, to) = units(text, diagnostic.span);
    let suggestion = diagnostic.suggestion.as_ref().map(|suggestion| {
        let (from, to) = units(text, suggestion.span);
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

/// Bytes as UTF-16 units; half a character, which only a cut file has, counts from its beginning.
fn units(text: &str, span: Span) -> (usize, usize) {
    let count = |to: usize| -> usize {
        text.char_indices().take_while(|(at, _)| *at < to).map(|(_, character)| character.len_utf16()).sum()
    };
    (count(span.start), count(span.end))
}

/// What the lamp does at a time: without an offset that of the clock on the wall, with one or `Z` an instant.
#[wasm_bindgen(js_name = lightAt)]
pub fn light_at(text: JsText, time: JsText) -> Thrown<Ts<ScheduleLight>> {
    let (schedule, moment) = (read(&text)?, moment("time", &time)?);
    encode(schedule.light_at(moment.local(schedule.time_zone())))
}

/// The line of the rule that decides at a time, from 1; `undefined` where none does.
#[wasm_bindgen(js_name = decidingLine)]
pub fn deciding_line(text: JsText, time: JsText) -> Thrown<Option<u16>> {
    let (schedule, moment) = (read(&text)?, moment("time", &time)?);
    Ok(schedule.in_force(moment.local(schedule.time_zone())).map(|decides| decides.rule.line))
}

/// The first change of the light after a time; `undefined` if there is none within 366 days.
#[wasm_bindgen(js_name = nextChange)]
pub fn next_change(text: JsText, after: JsText) -> Thrown<Option<Ts<ScheduleChange>>> {
    let (schedule, moment) = (read(&text)?, moment("after", &after)?);
    let next = schedule.next_change(moment.instant(schedule.time_zone()));
    next.map(|next| encode(change(&schedule, next))).transpose()
}

/// Every change of the light after a time and before another: what a timeline is drawn from.
#[wasm_bindgen(js_name = changesBetween)]
pub fn changes_between(text: JsText, after: JsText, before: JsText) -> Thrown<Vec<Ts<ScheduleChange>>> {
    let schedule = read(&text)?;
    let zone = schedule.time_zone();
    let changes = schedule.changes(moment("after", &after)?.instant(zone), moment("before", &before)?.instant(zone));
    changes.map(|next| encode(change(&schedule, next))).collect()
}

fn change(schedule: &Schedule, change: Change) -> ScheduleChange {
    ScheduleChange { at: schedule.time_zone().show(change.at).to_string(), light: change.light.into() }
}
