//! Backup file format: JSON lines.
//!
//! A header, then for each table of [`super::tables`] a line with its name and columns and one line per
//! row, ordered by primary key; binary values are base64. Then the row counts. The last line is the SHA-256 checksum of all bytes before it.

use std::collections::BTreeMap;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;

use super::tables::{Kind, Table};

/// Format version. Increment it when older files can no longer be read.
pub const FORMAT: i64 = 2;

#[derive(Debug, Serialize, Deserialize)]
pub struct Header {
    /// Format version; the member's name identifies the file.
    pub nudgelight_backup: i64,
    /// Version of the program that wrote the file.
    pub version: String,
    /// Schema version.
    pub schema: i64,
    pub taken_at: String,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    Text(Option<String>),
    Integer(Option<i64>),
    #[serde(serialize_with = "as_base64")]
    Blob(Vec<u8>),
}

impl Value {
    /// Approximate size in memory, in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.as_ref().map_or(0, String::len),
            Self::Integer(_) => size_of::<i64>(),
            Self::Blob(bytes) => bytes.len(),
        }
    }
}

fn as_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&BASE64_STANDARD.encode(bytes))
}

pub type Row = Vec<Value>;

/// Rows per table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<&'static str, u64>);

impl Counts {
    pub fn begin(&mut self, table: &'static Table) {
        self.0.insert(table.name, 0);
    }

    pub fn add_row(&mut self, table: &'static Table) {
        *self.0.entry(table.name).or_default() += 1;
    }

    pub fn of(&self, table: &Table) -> u64 {
        self.0.get(table.name).copied().unwrap_or(0)
    }

    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    pub fn line(&self) -> String {
        json!({ "rows": self.0 }).to_string()
    }
}

pub fn table_line(table: &Table) -> String {
    json!({ "table": table.name, "columns": table.column_names() }).to_string()
}

pub fn seal_line(digest: &[u8]) -> String {
    json!({ "sha256": hex::encode(digest) }).to_string()
}

/// `None` if the line is no row of this table.
pub fn parse_row(table: &Table, line: &[u8]) -> Option<Row> {
    let values: Vec<serde_json::Value> = serde_json::from_slice(line).ok()?;
    if values.len() != table.columns().count() {
        return None;
    }
    table.columns().zip(values).map(|((_, kind), value)| of_kind(kind, value)).collect()
}

fn of_kind(kind: Kind, value: serde_json::Value) -> Option<Value> {
    match (kind, value) {
        (Kind::Text, serde_json::Value::Null) => Some(Value::Text(None)),
        (Kind::Text, serde_json::Value::String(text)) => Some(Value::Text(Some(text))),
        (Kind::Integer, serde_json::Value::Null) => Some(Value::Integer(None)),
        (Kind::Integer, serde_json::Value::Number(number)) => Some(Value::Integer(Some(number.as_i64()?))),
        (Kind::Blob, serde_json::Value::String(text)) => BASE64_STANDARD.decode(text).ok().map(Value::Blob),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIGHTS: Table =
        Table { name: "lights", key: &["id"], texts: &["id", "note"], integers: &["stock"], blobs: &[] };
    const PICTURES: Table = Table { name: "pictures", key: &["id"], texts: &["id"], integers: &[], blobs: &["bytes"] };

    #[test]
    fn a_row_reads_back_as_it_was_written() {
        let row = vec![
            Value::Text(Some("\"snow\"\n\u{2744}\u{0}".to_owned())),
            Value::Text(None),
            Value::Integer(Some(i64::MIN)),
        ];
        let line = serde_json::to_string(&row).unwrap();
        assert!(!line.contains('\n'), "{line}");
        assert_eq!(parse_row(&LIGHTS, line.as_bytes()).unwrap(), row);
    }

    #[test]
    fn bytes_read_back_as_they_were_written() {
        let row = vec![Value::Text(Some("p1".to_owned())), Value::Blob(vec![0, b'\n', 0xFF])];
        let line = serde_json::to_string(&row).unwrap();
        assert_eq!(line, r#"["p1","AAr/"]"#);
        assert_eq!(parse_row(&PICTURES, line.as_bytes()).unwrap(), row);
        for wrong in [r#"["p1",null]"#, r#"["p1","AAr"]"#, r#"["p1","A A="]"#, r#"["p1",[0]]"#] {
            assert_eq!(parse_row(&PICTURES, wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn a_row_of_another_shape_is_no_row() {
        for line in
            ["[]", "[\"a\",\"b\"]", "[\"a\",\"b\",1,2]", "[\"a\",1,1]", "[\"a\",\"b\",1.5]", "[\"a\",\"b\",\"1\"]", "{"]
        {
            assert_eq!(parse_row(&LIGHTS, line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn numbers_beyond_an_integer_column_are_no_row() {
        assert_eq!(parse_row(&LIGHTS, b"[\"a\",null,9223372036854775808]"), None);
    }
}
