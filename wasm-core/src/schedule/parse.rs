//! Parser of the file, line by line. An invalid line is reported and skipped.

use super::MAX_BYTES;
use super::clock_time::Word;
use super::error::{Diagnostic, LineError, Span};
use super::problem::Problem;
use super::rules;
use super::settings::{self, SETTING_NAMES, SeenSettings, Setting};
use super::store::Schedule;
use super::suggest::closest;
use super::words::{ACTIONS, Words};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Parses a file. Diagnostics go to `report`; the valid lines form the schedule.
///
/// ```
/// use wasm_core::schedule::{self, Problem};
///
/// let file = "timezone = UTC\n\
///             on 07:00\n\
///             blink every 30m 09:00-17:00 for 10s fast\n";
/// let mut found = Vec::new();
/// let schedule = schedule::parse(file, &mut |diagnostic| found.push((diagnostic.line, diagnostic.problem)));
///
/// assert_eq!(found, [(2, Problem::LoneStart)]);
/// assert_eq!(schedule.rules().len(), 1);
/// ```
pub fn parse(text: impl AsRef<[u8]>, report: &mut impl FnMut(Diagnostic)) -> Schedule {
    let mut schedule = Schedule::EMPTY;
    schedule.read(text.as_ref(), report);
    schedule
}

impl Schedule {
    /// Parses in place, as [`parse`] does: the device has one schedule in a `static` and no room for another on its
    /// stack.
    pub fn read(&mut self, file: &[u8], report: &mut dyn FnMut(Diagnostic)) {
        self.clear();
        let mut reader = Reader {
            schedule: self,
            report,
            named: SeenSettings::default(),
            line: Line::default(),
            has_reported_overflow: false,
        };
        reader.file(file);
    }
}

/// Current line: its number, its bytes and their offset in the file.
#[derive(Clone, Copy, Default)]
struct Line<'t> {
    number: u16,
    bytes: &'t [u8],
    start: usize,
}

struct Reader<'t, 'r> {
    schedule: &'r mut Schedule,
    report: &'r mut dyn FnMut(Diagnostic),
    named: SeenSettings,
    line: Line<'t>,
    /// Whether too many rules have been reported.
    has_reported_overflow: bool,
}

impl<'t> Reader<'t, '_> {
    fn file(&mut self, file: &'t [u8]) {
        let body = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
        let start = file.len().saturating_sub(body.len());
        self.line = Line { number: 1, bytes: b"", start };
        let kept = file.get(..MAX_BYTES).unwrap_or(file);
        if let Some(at) = binary(kept) {
            return self.binary(kept, at);
        }
        if self.lines(file, kept, start).is_none() {
            let span = Span { start: self.line.start, end: kept.len() };
            self.report_error(LineError::new(Problem::TooManyBytes, span));
        }
        if !self.named.has(Setting::TimeZone) {
            self.line = Line { number: 1, bytes: b"", start };
            self.report_error(LineError::new(Problem::NoTimeZone, Span::empty(start)).suggest_text("timezone = UTC\n"));
        }
    }

    /// Parses the lines that lie completely in `kept`. `None` if the file continues after them.
    fn lines(&mut self, file: &'t [u8], kept: &'t [u8], start: usize) -> Option<()> {
        let mut rest = kept.get(start..).unwrap_or_default();
        let mut at = start;
        while !rest.is_empty() {
            let newline = rest.iter().position(|byte| *byte == b'\n');
            let (bytes, behind) = rest.split_at_checked(newline.unwrap_or(rest.len()))?;
            self.line.bytes = bytes;
            self.line.start = at;
            if newline.is_none() && !is_line_end(file.get(kept.len()..).unwrap_or_default()) {
                return None;
            }
            self.line(bytes, at);
            let length = bytes.len().saturating_add(usize::from(newline.is_some()));
            at = at.saturating_add(length);
            rest = behind.get(1..).unwrap_or_default();
            self.line = Line { number: self.line.number.saturating_add(1), bytes: rest, start: at };
        }
        (file.len() == kept.len()).then_some(())
    }

    /// Reports a file that is not text as one error, at its first invalid byte.
    fn binary(&mut self, kept: &'t [u8], at: usize) {
        let before = kept.get(..at).unwrap_or_default();
        let start =
            before.iter().rposition(|byte| *byte == b'\n').map_or(self.line.start, |newline| newline.saturating_add(1));
        let newlines = before.iter().filter(|byte| **byte == b'\n').count();
        let number = u16::try_from(newlines).unwrap_or_default().saturating_add(1);
        let start = start.min(at);
        self.line = Line { number, bytes: kept.get(start..).unwrap_or_default(), start };
        self.report_error(LineError::new(
            Problem::Encoding,
            Span { start: at, end: at.saturating_add(1).min(kept.len()) },
        ));
    }

    fn line(&mut self, line: &'t [u8], at: usize) {
        let trimmed = line.trim_ascii_start();
        let start = at.saturating_add(line.len().saturating_sub(trimmed.len()));
        let content = trimmed.trim_ascii_end();
        if content.is_empty() || content.starts_with(b"#") {
            return;
        }
        let comment = content.windows(2).position(|pair| matches!(pair, [b' ' | b'\t', b'#']));
        let before_comment = comment.and_then(|at| content.get(..at)).unwrap_or(content);
        let equals = before_comment.iter().position(|byte| *byte == b'=');
        let done = match equals.filter(|at| is_setting(content, *at)) {
            Some(equals) => self.text(content, start).and_then(|text| self.setting(text, equals)),
            None => self.text(before_comment, start).and_then(|text| self.rule(text)),
        };
        if let Err(error) = done {
            self.report_error(error);
        }
    }

    fn text(&self, bytes: &'t [u8], start: usize) -> Result<Word<'t>, LineError> {
        match core::str::from_utf8(bytes) {
            Ok(text) => Ok(Word { text: text.trim_ascii_end(), start }),
            Err(error) => {
                let at = start.saturating_add(error.valid_up_to());
                Err(LineError::new(Problem::NotUtf8, Span { start: at, end: at.saturating_add(1) }))
            }
        }
    }

    fn setting(&mut self, line: Word<'t>, equals: usize) -> Result<(), LineError> {
        let Some((name, value)) = line.text.split_at_checked(equals) else { return Ok(()) };
        let value = value.strip_prefix('=').unwrap_or_default();
        let trimmed = value.trim_ascii_start();
        let behind = line.start.saturating_add(line.text.len()).saturating_sub(trimmed.len());
        let name = Word { text: name.trim_ascii_end(), start: line.start };
        let value = Word { text: trimmed.trim_ascii_end(), start: behind };
        let Self { schedule, named, line, report, .. } = self;
        settings::set(name, value, schedule, named, &mut |error| report_error(*line, error, &mut **report))
    }

    fn rule(&mut self, line: Word<'t>) -> Result<(), LineError> {
        let mut words = Words::new(line.text, line.start);
        let Some(first) = words.next() else { return Ok(()) };
        let Some(action) = rules::action(first) else { return Err(unknown_line(first)) };
        if self.schedule.is_full() {
            return self.too_many_rules(line);
        }
        let dates = self.schedule.date_count();
        let Self { schedule, line, report, .. } = self;
        let warn = &mut |error| report_error(*line, error, &mut **report);
        match rules::rule(action, first, &mut words, schedule, warn) {
            Ok(mut rule) => {
                rule.line = line.number;
                schedule.push_rule(rule);
                Ok(())
            }
            Err(error) => {
                schedule.drop_dates_from(dates);
                Err(error)
            }
        }
    }

    fn too_many_rules(&mut self, line: Word<'_>) -> Result<(), LineError> {
        if self.has_reported_overflow {
            return Ok(());
        }
        self.has_reported_overflow = true;
        Err(line.error(Problem::TooManyRules))
    }

    fn report_error(&mut self, error: LineError) {
        report_error(self.line, error, self.report);
    }
}

/// Reports a problem with its columns in characters, which are the bytes that begin one.
fn report_error(line: Line<'_>, error: LineError, report: &mut dyn FnMut(Diagnostic)) {
    let column = |at: usize| {
        let before = at.saturating_sub(line.start).min(line.bytes.len());
        let characters = line.bytes.iter().take(before).filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count();
        u16::try_from(characters).unwrap_or(u16::MAX).saturating_add(1)
    };
    report(Diagnostic {
        line: line.number,
        column: column(error.span.start),
        end_column: column(error.span.end),
        span: error.span,
        problem: error.problem,
        suggestion: error.suggestion,
    });
}

/// Offset that shows that a file is not UTF-8 text: the byte-order mark of UTF-16, or a NUL byte.
fn binary(file: &[u8]) -> Option<usize> {
    if file.starts_with(b"\xff\xfe") || file.starts_with(b"\xfe\xff") {
        return Some(0);
    }
    file.iter().position(|byte| *byte == 0)
}

/// Whether a line that reaches the size limit ends there.
fn is_line_end(behind: &[u8]) -> bool {
    matches!(behind, [] | [b'\n', ..] | [b'\r', b'\n', ..])
}

/// Whether a line with `=` is a setting and not a rule with an invalid word.
fn is_setting(line: &[u8], equals: usize) -> bool {
    let name = line.get(..equals).unwrap_or_default().trim_ascii_end();
    let first = name.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    first.len() == name.len() || ACTIONS.iter().all(|(action, _)| !first.eq_ignore_ascii_case(action.as_bytes()))
}

/// Error of a line that is neither a rule nor a setting.
fn unknown_line(first: Word<'_>) -> LineError {
    if settings::setting(first.text).is_some() {
        return first.error(Problem::MissingEquals).suggest_at(Span::empty(first.span().end), " =");
    }
    let error = first.error(Problem::UnknownAction);
    let meant = closest(first.text, &["on", "blink", "off"]).or_else(|| closest(first.text, &SETTING_NAMES));
    meant.map_or(error, |meant| error.suggest_text(meant))
}
