//! Reading a file of cases and comparing what comes out.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Case<'a> {
    name: String,
    /// The arguments as text: an amount is read from its decimal text, so the text must survive up to there.
    #[serde(borrow)]
    input: &'a RawValue,
    expected: Value,
}

/// Runs every case of a file through a function that takes the arguments as a JSON array and gives its result as JSON.
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

/// Equality as JavaScript sees it: 50 and 50.00 are the same number.
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
