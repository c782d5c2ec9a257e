//! The columns `kind` and `data` of an enum with data: `#[serde(tag = "kind", content = "data")]`.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::json::from_json;
use crate::error::Error;

/// A variant's word and its data as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tagged {
    pub kind: String,
    pub data: String,
}

impl Tagged {
    /// # Errors
    /// For a value that is not serialized with `kind` and `data`.
    pub fn of<T: Serialize>(value: &T) -> Result<Self, Error> {
        let mut value = serde_json::to_value(value).map_err(Error::internal)?;
        let data = value.get_mut("data").map(Value::take).unwrap_or_default();
        let kind =
            value.get("kind").and_then(Value::as_str).ok_or_else(|| Error::internal("a value without a kind"))?;
        Ok(Self { kind: kind.to_owned(), data: data.to_string() })
    }
}

/// # Errors
/// For an unknown word, or data of another kind.
pub fn from_columns<T: DeserializeOwned>(kind: &str, data: &str) -> Result<T, Error> {
    let data: Value = from_json(data)?;
    serde_json::from_value(json!({ "kind": kind, "data": data })).map_err(Error::internal)
}

/// An amount as whole cents: `#[serde(with = "whole_cents")]`.
pub mod whole_cents {
    use serde::{Deserialize as _, Deserializer, Serializer};
    use wasm_core::money::Cents;

    pub fn serialize<S: Serializer>(amount: &Cents, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(amount.cents())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cents, D::Error> {
        i64::deserialize(deserializer).map(Cents::from_cents)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use wasm_core::money::Cents;

    use super::*;

    #[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(tag = "kind", content = "data", rename_all = "snake_case")]
    enum Event {
        Began,
        MoneyMoved {
            #[serde(with = "whole_cents")]
            amount: Cents,
        },
    }

    #[test]
    fn a_value_is_read_as_it_was_written_with_its_amounts_in_whole_cents() {
        let moved = Event::MoneyMoved { amount: Cents::from_cents(2_999) };
        for (event, kind, data) in [(Event::Began, "began", "null"), (moved, "money_moved", r#"{"amount":2999}"#)] {
            let tagged = Tagged::of(&event).unwrap();
            assert_eq!((tagged.kind.as_str(), tagged.data.as_str()), (kind, data));
            assert_eq!(from_columns::<Event>(&tagged.kind, &tagged.data).unwrap(), event);
        }
    }

    #[test]
    fn an_unknown_kind_and_data_of_another_kind_are_errors() {
        assert!(from_columns::<Event>("ended", "null").is_err());
        assert!(from_columns::<Event>("money_moved", "{}").is_err());
    }
}
