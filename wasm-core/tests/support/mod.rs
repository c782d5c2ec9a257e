//! Runner of a file of cases.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Case<'a> {
    name: String,
    /// Arguments as JSON text, because amounts are parsed from their decimal text.
    #[serde(borrow)]
    input: &'a RawValue,
    expected: Value,
}

/// Runs every case of a file through a function from a JSON array of arguments to a JSON result.
pub fn check(file: &str, cases: &str, run: impl Fn(&str) -> String) {
    let cases: Vec<Case<'_>> = serde_json::from_str(cases).unwrap();
    assert!(!cases.is_empty(), "{file} holds no case");
    for case in cases {
        let text = run(case.input.get());
        let actual: Value = serde_json::from_str(&text).unwrap();
        assert!(
            same(&actual, &case.expected),
            "{file}: {}\n  gives    {text}\n  expected {}",
            case.name,
            case.expected
        );
    }
}

/// Equality as in JavaScript: 50 and 50.00 are the same number.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| same(left, right)))
        }
        _ => left == right,
    }
}
