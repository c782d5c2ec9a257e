//! Reads a CSV file: its columns and its rows, or one sentence why it can't be used.

use std::borrow::Cow;

use csv::{Reader, ReaderBuilder, StringRecord};
use csv_core::ReadRecordResult;

use super::columns::Columns;

/// Largest number of rows below the header.
const MAX_ROWS: usize = 10_000;
const MAX_COLUMNS: usize = 200;
/// Largest number of title lines above the header.
const MAX_TITLES: usize = 20;
const DELIMITERS: [u8; 3] = [b'\t', b';', b','];
const TOO_WIDE: &str = "The file has more than 200 columns.";
const TOO_LONG: &str = "The file has more than 10000 rows. Split it into smaller files.";
/// A record after the file's end. If quotes are not closed, the reader takes it for a part of their field.
const END: &str = "\u{1}end";

pub struct CsvFile {
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

pub struct Row {
    /// As a spreadsheet counts them: the first line is row 1, and that is the header unless there are titles.
    pub number: i64,
    pub fields: StringRecord,
}

/// Reads UTF-8 or Windows-1252 with commas, semicolons or tabs between its fields, as spreadsheets save it.
///
/// # Errors
/// The reason, as a sentence.
pub fn parse(bytes: &[u8]) -> Result<CsvFile, String> {
    let text = decode(bytes)?;
    let (separator, text) = split_separator(&text);
    let text = format!("{text}\n{END}");
    let candidates = separator.map_or_else(|| DELIMITERS.to_vec(), |separator| vec![separator]);
    let (wide, narrow): (Vec<u8>, Vec<u8>) =
        candidates.into_iter().partition(|delimiter| is_too_wide(&text, *delimiter));
    let separator = delimiter(&text, &narrow).ok_or(TOO_WIDE)?;
    let mut rows = read(&text, separator)?;
    if !wide.is_empty() && rows.iter().all(|row| row.fields.len() == 1) {
        return Err(TOO_WIDE.to_owned());
    }
    let Some(last) = rows.pop() else { return Err("The file is empty.".to_owned()) };
    if last.fields.iter().ne([END]) {
        return Err(format!("The quotes that start in row {} are never closed.", last.number));
    }
    if rows.is_empty() {
        return Err("The file is empty.".to_owned());
    }
    let mut rows = rows.split_off(header_position(&rows));
    let header = rows.remove(0).fields;
    rows.retain(|row| row.fields.iter().any(|field| !field.is_empty()));
    if rows.is_empty() {
        return Err("The file has no rows.".to_owned());
    }
    check_widths(&header, &rows)?;
    Ok(CsvFile { columns: header.iter().map(str::to_owned).collect(), rows })
}

fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    if bytes.starts_with(b"PK\x03\x04") {
        return Err("This is a workbook, not a CSV file. Save it as CSV UTF-8 and try again.".to_owned());
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err("The file is UTF-16. Save it as CSV UTF-8 and try again.".to_owned());
    }
    if bytes.contains(&0) {
        return Err("This isn’t a CSV file in UTF-8. Save it as CSV UTF-8 and try again.".to_owned());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}').into()),
        Err(_) => decode_windows_1252(bytes).map(Cow::Owned),
    }
}

/// The characters of the bytes 0x80 to 0x9F; a space where there is none.
const WINDOWS_1252: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

fn decode_windows_1252(bytes: &[u8]) -> Result<String, String> {
    let mut text = String::with_capacity(bytes.len());
    let mut row = 1;
    for &byte in bytes {
        row += usize::from(byte == b'\n');
        let character = match byte {
            0x80..=0x9f => WINDOWS_1252.chars().nth(usize::from(byte - 0x80)).filter(|found| *found != ' '),
            // Latin-1, whose characters have the numbers of their bytes.
            _ => Some(char::from(byte)),
        };
        let unreadable = || format!("Row {row} isn’t UTF-8. Save the file as CSV UTF-8 and try again.");
        text.push(character.ok_or_else(unreadable)?);
    }
    Ok(text)
}

/// The separator of a first line such as `sep=;`, which spreadsheets don't show, and the rest of the text.
fn split_separator(text: &str) -> (Option<u8>, &str) {
    let first = text.lines().next().unwrap_or_default();
    let rest = text.get(first.len()..).unwrap_or_default().trim_start_matches(['\r', '\n']);
    match first.trim_matches('"').as_bytes() {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator @ (b',' | b';' | b'\t')] => (Some(*separator), rest),
        _ => (None, text),
    }
}

/// Whether a record has more than [`MAX_COLUMNS`] fields. It stores none of them, so a hostile file is rejected before it
/// takes memory.
fn is_too_wide(text: &str, delimiter: u8) -> bool {
    let mut reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    let (mut rest, mut fields) = (text.as_bytes(), 0);
    let (mut output, mut ends) = ([0; 4096], [0; MAX_COLUMNS + 1]);
    loop {
        let next_ends = ends.get_mut(fields..).unwrap_or_default();
        let (result, read, _, ended) = reader.read_record(rest, &mut output, next_ends);
        rest = rest.get(read..).unwrap_or_default();
        fields += ended;
        match result {
            ReadRecordResult::InputEmpty | ReadRecordResult::OutputFull => {}
            ReadRecordResult::OutputEndsFull => return true,
            ReadRecordResult::Record if fields > MAX_COLUMNS => return true,
            ReadRecordResult::Record => fields = 0,
            ReadRecordResult::End => return false,
        }
    }
}

/// The character that separates known columns, or else splits the most rows, or one into the most columns.
fn delimiter(text: &str, delimiters: &[u8]) -> Option<u8> {
    let columns = |delimiter: &u8| {
        let records = first_records(text, *delimiter);
        let is_known = records.iter().any(is_known_header);
        let split = records.iter().filter(|record| record.len() > 1).count();
        (is_known, split, records.iter().map(StringRecord::len).max().unwrap_or_default())
    };
    // The last of several maxima.
    delimiters.iter().copied().max_by_key(columns)
}

fn first_records(text: &str, delimiter: u8) -> Vec<StringRecord> {
    reader(text, delimiter).records().take(MAX_TITLES + 1).map_while(Result::ok).collect()
}

fn is_known_header(record: &StringRecord) -> bool {
    Columns::of(record).are_known()
}

/// Skips titles: lines above the known columns, or above the first row with several fields.
fn header_position(rows: &[Row]) -> usize {
    let mut first = rows.iter().take(MAX_TITLES + 1);
    let has_several = |row: &Row| row.fields.iter().filter(|field| !field.is_empty()).count() > 1;
    let known = first.clone().position(|row| is_known_header(&row.fields));
    known.or_else(|| first.position(has_several)).unwrap_or_default()
}

fn reader(text: &str, delimiter: u8) -> Reader<&[u8]> {
    ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes())
}

fn read(text: &str, delimiter: u8) -> Result<Vec<Row>, String> {
    let mut reader = reader(text, delimiter);
    let (mut rows, mut record) = (Vec::new(), StringRecord::new());
    let (mut number, mut end) = (0, 0);
    loop {
        // The reader skips blank lines, which a spreadsheet counts.
        number += 1 + blank_lines(text, end);
        if !reader.read_record(&mut record).map_err(|_| format!("Row {number} can’t be read."))? {
            return Ok(rows);
        }
        end = usize::try_from(reader.position().byte()).unwrap_or(text.len());
        rows.push(Row { number, fields: record.iter().map(value).collect() });
        // Besides titles, the header and the end.
        if rows.len() > MAX_ROWS + MAX_TITLES + 2 {
            return Err(TOO_LONG.to_owned());
        }
    }
}

/// The blank lines after a record that ends before this byte, or within the line break that does.
fn blank_lines(text: &str, end: usize) -> i64 {
    let (record, rest) = text.split_at_checked(end).unwrap_or_default();
    let rest = if record.ends_with('\r') { rest.strip_prefix('\n').unwrap_or(rest) } else { rest };
    let blank = rest.bytes().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    blank.map(|byte| i64::from(byte == b'\n')).sum()
}

/// The trimmed text of a cell that is marked as text: `="9400"` or `'9400`.
fn value(field: &str) -> &str {
    let field = field.trim();
    let text = field.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"'));
    text.filter(|text| !text.contains('"')).or_else(|| field.strip_prefix('\'')).unwrap_or(field).trim()
}

fn check_widths(header: &StringRecord, rows: &[Row]) -> Result<(), String> {
    if rows.len() > MAX_ROWS {
        return Err(TOO_LONG.to_owned());
    }
    match rows.iter().find(|row| row.fields.len() != header.len()) {
        Some(Row { number, fields }) => {
            Err(format!("Row {number} has {} fields, but the header has {}.", fields.len(), header.len()))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let file = parse(text.as_bytes()).unwrap();
        file.rows.iter().map(|row| row.fields.iter().map(str::to_owned).collect()).collect()
    }

    fn refused(bytes: &[u8]) -> String {
        parse(bytes).err().unwrap()
    }

    #[test]
    fn commas_semicolons_and_tabs_separate_and_line_ends_of_either_kind_end() {
        for text in [
            "Order,Tracking\n1001,A1\n",
            "Order;Tracking\r\n1001;A1\r\n",
            "Order\tTracking\n1001\tA1",
            "\u{feff}Order,Tracking\r\n\r\n\"1001\", A1 \r\n,\r\n",
        ] {
            assert_eq!(rows(text), [["1001", "A1"]], "{text:?}");
        }
    }

    #[test]
    fn a_quoted_field_may_contain_what_separates() {
        assert_eq!(rows("a,b\n\"1, \"\"2\"\"\r\n3\",x\n"), [["1, \"2\"\r\n3", "x"]]);
        assert_eq!(parse(b"a;b\nx, y;z\n").unwrap().columns, ["a", "b"]);
    }

    #[test]
    fn what_spreadsheets_add_is_left_out() {
        assert_eq!(rows("a,b\n=\"0940\",'0941\n"), [["0940", "0941"]]);
        assert_eq!(rows("sep=;\r\na;b\r\n1;2,3\r\n"), [["1", "2,3"]]);
        assert_eq!(rows("May 1, 2026\nReport\n\nOrder;Tracking\n1;2\n"), [["1", "2"]]);
        assert_eq!(rows("Report\na,b\n1,2\n"), [["1", "2"]]);
        let windows = parse(b"Nom,No\nZo\xeb \x96 \x80,1\n").unwrap();
        assert_eq!(windows.rows[0].fields.get(0), Some("Zo\u{eb} \u{2013} \u{20ac}"));
        assert_eq!(windows.rows[0].number, 2);
    }

    #[test]
    fn rows_are_counted_like_in_a_spreadsheet() {
        let numbers =
            |text: &str| parse(text.as_bytes()).unwrap().rows.iter().map(|row| row.number).collect::<Vec<_>>();
        for line_end in ["\n", "\r\n"] {
            let text = "\na,b\n1,2\n\n\n\"3\n4\",5\n,\n6,7\n\n8,9".replace('\n', line_end);
            assert_eq!(numbers(&text), [3, 6, 8, 10], "{text:?}");
        }
        assert_eq!(refused(b"a,b\n\n1,\"2\n3,4\n"), "The quotes that start in row 3 are never closed.");
    }

    #[test]
    fn a_file_has_at_most_two_hundred_columns() {
        let line = |columns: usize, separator: &str| vec!["a"; columns].join(separator);
        for separator in [",", ";", "\t"] {
            let widest = format!("{0}\n{0}\n", line(200, separator));
            assert_eq!(parse(widest.as_bytes()).unwrap().columns.len(), 200);
            assert_eq!(parse(format!("sep={separator}\n{widest}").as_bytes()).unwrap().columns.len(), 200);
            // Another character may separate the columns.
            let note = format!(
                "Order{separator}Tracking{separator}Note\n1001{separator}T1{separator}\"{}\"\n",
                line(300, "|")
            );
            assert_eq!(parse(note.as_bytes()).unwrap().columns.len(), 3);
        }
        assert_eq!(parse(format!("a;b\n1;{}\n", line(300, ",")).as_bytes()).unwrap().columns, ["a", "b"]);
        for wide in [
            line(201, ","),
            format!("a,b\n{}", line(201, ",")),
            line(1_000_000, ","),
            format!("sep=;\n{}", line(201, ";")),
        ] {
            assert_eq!(refused(wide.as_bytes()), "The file has more than 200 columns.");
        }
    }

    #[test]
    fn a_file_that_is_no_table_is_refused_with_its_row() {
        assert_eq!(refused(b""), "The file is empty.");
        assert_eq!(refused(b"\r\n\r\n"), "The file is empty.");
        assert_eq!(refused(b"\xff\xfeO\0"), "The file is UTF-16. Save it as CSV UTF-8 and try again.");
        assert!(refused(b"O\0r\0").contains("isn’t a CSV file"));
        assert!(refused(b"PK\x03\x04\xff").contains("workbook"));
        assert!(refused(b"a,b\n1,\x81\n").starts_with("Row 2 isn’t UTF-8."));
        assert_eq!(refused(b"a,b\n,\n"), "The file has no rows.");
        assert_eq!(refused(b"a,b\n1,2\n3\n"), "Row 3 has 1 fields, but the header has 2.");
        assert_eq!(refused(b"a,b\n1,\"2\n3,4\n"), "The quotes that start in row 2 are never closed.");
        assert_eq!(refused(b"a,\"b\n1,2\n"), "The quotes that start in row 1 are never closed.");
        let long = "a,b\n".repeat(MAX_ROWS + 2);
        assert!(refused(long.as_bytes()).contains("more than 10000 rows"));
        assert_eq!(rows(&"a,b\n".repeat(MAX_ROWS + 1)).len(), MAX_ROWS);
    }
}
