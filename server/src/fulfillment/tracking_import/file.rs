//! Reads a CSV file: its columns and its rows, or one sentence why it can't be used.

use csv::{ReaderBuilder, StringRecord};

/// Largest number of rows below the header.
const MAX_ROWS: usize = 10_000;
const MAX_COLUMNS: usize = 200;
/// A record after the file's end. If quotes are not closed, the reader takes it for a part of their field.
const END: &str = "\u{1}end";

pub struct CsvFile {
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

pub struct Row {
    /// As a spreadsheet counts them: the header is row 1.
    pub number: i64,
    pub fields: StringRecord,
}

/// Reads UTF-8 with commas, semicolons or tabs between its fields.
///
/// # Errors
/// The reason, as a sentence.
pub fn parse(bytes: &[u8]) -> Result<CsvFile, String> {
    let text = format!("{}\n{END}", decode(bytes)?);
    let mut rows = read(&text, delimiter(&text))?;
    let Some(last) = rows.pop() else { return Err("The file is empty.".to_owned()) };
    if last.fields.iter().ne([END]) {
        return Err(format!("The quotes that start in row {} are never closed.", last.number));
    }
    if rows.is_empty() {
        return Err("The file is empty.".to_owned());
    }
    let header = rows.remove(0).fields;
    check_widths(&header, &rows)?;
    rows.retain(|row| row.fields.iter().any(|field| !field.is_empty()));
    Ok(CsvFile { columns: header.iter().map(str::to_owned).collect(), rows })
}

fn decode(bytes: &[u8]) -> Result<&str, String> {
    if bytes.starts_with(b"PK\x03\x04") {
        return Err("This is a workbook, not a CSV file. Save it as CSV UTF-8 and try again.".to_owned());
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err("The file is UTF-16. Save it as CSV UTF-8 and try again.".to_owned());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let row = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("Row {row} isn’t UTF-8. Save the file as CSV UTF-8 and try again.")
    })?;
    if text.contains('\0') {
        return Err("This isn’t a CSV file in UTF-8. Save it as CSV UTF-8 and try again.".to_owned());
    }
    Ok(text.trim_start_matches('\u{feff}'))
}

/// The character that splits the header into the most columns.
fn delimiter(text: &str) -> u8 {
    let columns = |delimiter: &u8| {
        let mut reader = ReaderBuilder::new().has_headers(false).delimiter(*delimiter).from_reader(text.as_bytes());
        let mut header = StringRecord::new();
        reader.read_record(&mut header).map_or(0, |_| header.len())
    };
    // The last of several maxima.
    [b'\t', b';', b','].into_iter().max_by_key(columns).unwrap_or(b',')
}

fn read(text: &str, delimiter: u8) -> Result<Vec<Row>, String> {
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for (number, record) in (1..).zip(reader.records()) {
        let mut fields = record.map_err(|_| format!("Row {number} can’t be read."))?;
        fields.trim();
        rows.push(Row { number, fields });
        // Besides the header and the end.
        if rows.len() > MAX_ROWS + 2 {
            return Err(format!("The file has more than {MAX_ROWS} rows. Split it into smaller files."));
        }
    }
    Ok(rows)
}

fn check_widths(header: &StringRecord, rows: &[Row]) -> Result<(), String> {
    if header.len() > MAX_COLUMNS {
        return Err(format!("The file has more than {MAX_COLUMNS} columns."));
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
    fn a_file_that_is_no_table_is_refused_with_its_row() {
        assert_eq!(refused(b""), "The file is empty.");
        assert_eq!(refused(b"\r\n\r\n"), "The file is empty.");
        assert_eq!(refused(b"\xff\xfeO\0"), "The file is UTF-16. Save it as CSV UTF-8 and try again.");
        assert!(refused(b"O\0r\0").contains("isn’t a CSV file"));
        assert!(refused(b"PK\x03\x04\xff").contains("workbook"));
        assert!(refused(b"a,b\n1,\xe9\n").starts_with("Row 2 isn’t UTF-8."));
        assert_eq!(refused(b"a,b\n1,2\n3\n"), "Row 3 has 1 fields, but the header has 2.");
        assert_eq!(refused(b"a,b\n1,\"2\n3,4\n"), "The quotes that start in row 2 are never closed.");
        assert_eq!(refused(b"a,\"b\n1,2\n"), "The quotes that start in row 1 are never closed.");
        let long = "a,b\n".repeat(MAX_ROWS + 2);
        assert!(refused(long.as_bytes()).contains("more than 10000 rows"));
        assert_eq!(rows(&"a,b\n".repeat(MAX_ROWS + 1)).len(), MAX_ROWS);
    }
}
