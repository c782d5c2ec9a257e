//! The API reference as one HTML page, without scripts or external resources.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::shape::{escape, shape};

const STYLE: &str = include_str!("page.css");

/// An operation with its method and path.
struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    operation: &'a Value,
}

/// Content security policy: only the page's own stylesheet.
pub fn policy() -> HeaderValue {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'; style-src 'sha256-{hash}'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

pub fn render(document: &Value) -> String {
    let title = escape(text(&document["info"]["title"]));
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\">\
         <title>{title}: calls</title><style>{STYLE}</style></head><body><main><h1>{title}</h1>"
    );
    paragraphs(&mut page, text(&document["info"]["description"]));
    page.push_str("<p>For programs: <a href=\"/openapi.json\">openapi.json</a></p>");
    for (tag, calls) in by_tag(document) {
        let _ = write!(page, "<section><h2>{}</h2>", escape(tag));
        calls.iter().for_each(|call| write_operation(&mut page, call));
        page.push_str("</section>");
    }
    page.push_str("<section><h2>Schemas</h2>");
    for (name, schema) in members(&document["components"]["schemas"]) {
        write_schema(&mut page, name, schema);
    }
    page.push_str("</section></main></body></html>");
    page
}

fn by_tag(document: &Value) -> BTreeMap<&str, Vec<Operation<'_>>> {
    let mut tags: BTreeMap<&str, Vec<Operation<'_>>> = BTreeMap::new();
    for (path, item) in members(&document["paths"]) {
        for (method, operation) in item.as_object().into_iter().flatten() {
            tags.entry(text(&operation["tags"][0])).or_default().push(Operation { method, path, operation });
        }
    }
    tags
}

fn write_operation(page: &mut String, call: &Operation<'_>) {
    let operation = call.operation;
    let _ = write!(
        page,
        "<details id=\"{}\"><summary><b class=\"{}\">{}</b> <code>{}</code> <span>{}</span></summary>",
        escape(text(&operation["operationId"])),
        call.method,
        call.method.to_uppercase(),
        escape(call.path),
        prose(text(&operation["summary"])),
    );
    paragraphs(page, text(&operation["description"]));
    paragraphs(page, caller(operation));
    let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
    if !parameters.is_empty() {
        page.push_str("<h3>Parameters</h3>");
        write_rows(page, parameters.iter().map(parameter_row));
    }
    let body = &operation["requestBody"]["content"];
    if let Some((kind, content)) = members(body).next() {
        let _ = write!(page, "<h3>Body</h3><p><code>{}</code> {}</p>", escape(kind), shape(&content["schema"]));
    }
    page.push_str("<h3>Responses</h3>");
    write_rows(page, members(&operation["responses"]).map(response_row));
    page.push_str("</details>");
}

/// The required authorization.
fn caller(operation: &Value) -> &'static str {
    let ways = operation["security"].as_array().map_or(&[][..], Vec::as_slice);
    let open = ways.iter().any(|way| way.as_object().is_some_and(Map::is_empty));
    match (ways.is_empty(), open, operation["responses"]["403"].is_null()) {
        (true, _, _) => "Public.",
        (false, true, _) => "Public; an access token may return more.",
        (false, false, true) => "Requires an access token.",
        (false, false, false) => "Requires an access token with the necessary role.",
    }
}

type Row = (String, String, String);

fn parameter_row(parameter: &Value) -> Row {
    let need = if parameter["required"] == true { "required" } else { "optional" };
    let name = format!("<code>{}</code> {}, {need}", escape(text(&parameter["name"])), escape(text(&parameter["in"])));
    (name, shape(&parameter["schema"]), prose(text(&parameter["description"])))
}

fn response_row((status, response): (&str, &Value)) -> Row {
    let body = members(&response["content"]).next().map(|(kind, content)| match kind {
        "application/json" => shape(&content["schema"]),
        other => format!("<code>{}</code>", escape(other)),
    });
    (format!("<code>{}</code>", escape(status)), body.unwrap_or_default(), prose(text(&response["description"])))
}

fn write_schema(page: &mut String, name: &str, schema: &Value) {
    let name = escape(name);
    let _ = write!(page, "<details id=\"schema-{name}\"><summary><code>{name}</code></summary>");
    paragraphs(page, text(&schema["description"]));
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let properties: Vec<_> = members(&schema["properties"]).collect();
    if properties.is_empty() {
        let _ = write!(page, "<p>{}</p>", shape(schema));
    } else {
        write_rows(
            page,
            properties.into_iter().map(|(member, schema)| {
                let need = if required.iter().any(|name| name == member) { "" } else { " optional" };
                let name = format!("<code>{}</code>{need}", escape(member));
                (name, shape(schema), prose(text(&schema["description"])))
            }),
        );
    }
    page.push_str("</details>");
}

fn write_rows(page: &mut String, rows: impl Iterator<Item = Row>) {
    page.push_str("<table>");
    for (first, second, third) in rows {
        let _ = write!(page, "<tr><th scope=\"row\">{first}</th><td>{second}</td><td>{third}</td></tr>");
    }
    page.push_str("</table>");
}

fn paragraphs(page: &mut String, text: &str) {
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let _ = write!(page, "<p>{}</p>", prose(paragraph));
    }
}

/// Escaped text, with text in backticks as code.
fn prose(text: &str) -> String {
    let pieces = text.split('`').enumerate().map(|(index, piece)| match index % 2 {
        0 => escape(piece),
        _ => format!("<code>{}</code>", escape(piece)),
    });
    pieces.collect()
}

fn members(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
