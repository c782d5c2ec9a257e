//! A schema in a few words: `array of Product`, `number 0.01–150`.

use serde_json::Value;

/// As HTML, with a link where the schema has a name.
pub fn shape(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let name = escape(name);
        return format!("<a href=\"#schema-{name}\">{name}</a>");
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(choices) = schema[choice].as_array() {
            return choices.iter().map(shape).collect::<Vec<_>>().join(" or ");
        }
    }
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().filter_map(Value::as_str).map(|word| format!("<code>{}</code>", escape(word)));
        return words.collect::<Vec<_>>().join(" | ");
    }
    match types(schema) {
        kind if kind == "array" => format!("array of {}", shape(&schema["items"])),
        kind => escape(&format!("{kind}{}", bounds(schema))),
    }
}

fn types(schema: &Value) -> String {
    match &schema["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "anything".to_owned(),
    }
}

fn bounds(schema: &Value) -> String {
    let range = |low: &str, high: &str, unit: &str| match (&schema[low], &schema[high]) {
        (Value::Null, Value::Null) => String::new(),
        (low, Value::Null) => format!(" from {low}{unit}"),
        (Value::Null, high) => format!(" up to {high}{unit}"),
        (low, high) => format!(" {low}–{high}{unit}"),
    };
    let format = schema["format"].as_str().map(|format| format!(" ({format})")).unwrap_or_default();
    let value = range("minimum", "maximum", "");
    let length = range("minLength", "maxLength", " characters");
    format!("{format}{value}{length}")
}

pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_said_in_a_few_words() {
        let said = |schema| shape(&schema);
        assert_eq!(
            said(json!({ "type": "array", "items": { "$ref": "#/components/schemas/Order" } })),
            "array of <a href=\"#schema-Order\">Order</a>"
        );
        assert_eq!(said(json!({ "type": "number", "minimum": 0.01, "maximum": 150.0 })), "number 0.01–150.0");
        assert_eq!(said(json!({ "type": ["string", "null"], "maxLength": 80 })), "string or null up to 80 characters");
        assert_eq!(said(json!({ "type": "string", "enum": ["US", "CA"] })), "<code>US</code> | <code>CA</code>");
    }

    #[test]
    fn what_has_a_meaning_in_html_is_shown_as_it_is() {
        assert_eq!(escape("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
    }
}
