//! Extractors for JSON bodies, query strings and path parameters, with errors that name the field.

use std::collections::{BTreeMap, HashSet};

use axum::BoxError;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt as _, Limited};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_ignored::Path as UnknownPath;
use serde_json::value::RawValue;
use wasm_core::validation::FieldErrors;

use crate::error::{Code, Error};
use crate::http::body_limits::{BodyLimits, FIRST_ARRIVAL, FIRST_BYTES, JSON_LIMIT};
use crate::http::load_shedding::Permit;

/// A JSON body of at most [`JSON_LIMIT`] bytes. Unknown members are ignored.
pub struct Body<T>(pub T);

impl<S, T> FromRequest<S> for Body<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        require_json(request.headers())?;
        let bytes = read_body(request, BodyLimits::of_bytes(JSON_LIMIT)).await?;
        parse_json(&bytes).map(Self)
    }
}

/// The members of a JSON body of at most [`JSON_LIMIT`] bytes.
///
/// # Errors
/// 400 for anything but an object.
pub async fn read_members(request: Request) -> Result<BTreeMap<String, Box<RawValue>>, Error> {
    require_json(request.headers())?;
    let bytes = read_body(request, BodyLimits::of_bytes(JSON_LIMIT)).await?;
    serde_json::from_str(object_text(&bytes)?).map_err(|_| invalid_json())
}

/// The query string. Unknown parameters are ignored.
pub struct Params<T>(pub T);

impl<S, T> FromRequestParts<S> for Params<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = serde_urlencoded::Deserializer::new(form_pairs(query));
        serde_path_to_error::deserialize(pairs).map(Self).map_err(|error| {
            let path = error.path().to_string();
            Error::invalid(field_error(&path, &error.into_inner().to_string()))
        })
    }
}

/// The variable part of a path. A value that cannot be a name or an ID is not found.
pub struct Path(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Path {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        match axum::extract::Path::<String>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(part)) if !part.contains('\0') => Ok(Self(part)),
            _ => Err(Error::new(Code::NotFound, "Not found.")),
        }
    }
}

/// Reads a body within its limits. Only then the request counts toward the concurrency limit.
pub async fn read_body(request: Request, limits: BodyLimits) -> Result<Bytes, Error> {
    reject_encoding(request.headers())?;
    let permit = request.extensions().get::<Permit>().cloned();
    let evicted = permit.as_ref().map(Permit::body_evicted).unwrap_or_default();
    let read = tokio::select! {
        read = receive(request.into_body(), limits) => read,
        () = evicted.cancelled() => return Err(Error::overloaded("a request body made room for others")),
    };
    match read {
        Ok(Some(bytes)) => {
            permit.map_or(Ok(()), |permit| permit.body_arrived())?;
            Ok(bytes)
        }
        Ok(None) => Err(Error::new(Code::InvalidRequest, "The request took too long to arrive.")),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => {
            Err(Error::new(Code::BodyTooLarge, format!("The request body is limited to {} bytes.", limits.bytes)))
        }
        Err(error) => Err(Error::new(Code::InvalidRequest, "The request body is incomplete.").with_cause(error)),
    }
}

/// `None` if the body did not arrive in time.
async fn receive(body: axum::body::Body, limits: BodyLimits) -> Result<Option<Bytes>, BoxError> {
    let (mut body, mut bytes) = (Limited::new(body, limits.bytes), Vec::new());
    let all = async {
        let first = receive_at_least(FIRST_BYTES, &mut body, &mut bytes);
        match tokio::time::timeout(FIRST_ARRIVAL, first).await {
            Ok(first) => first?,
            Err(_) => return Ok(false),
        }
        // In one piece: growing a photo step by step would take twice its memory.
        let announced = body.size_hint().exact().and_then(|rest| usize::try_from(rest).ok());
        bytes.reserve_exact(announced.unwrap_or(0).min(limits.bytes));
        receive_at_least(usize::MAX, &mut body, &mut bytes).await?;
        Ok::<_, BoxError>(true)
    };
    let arrived = tokio::time::timeout(limits.time, all).await.unwrap_or(Ok(false))?;
    Ok(arrived.then(|| bytes.into()))
}

/// Receives this many bytes, or all of a shorter body.
async fn receive_at_least(
    length: usize,
    body: &mut Limited<axum::body::Body>,
    bytes: &mut Vec<u8>,
) -> Result<(), BoxError> {
    while bytes.len() < length
        && let Some(frame) = body.frame().await
    {
        if let Ok(data) = frame?.into_data() {
            bytes.extend_from_slice(&data);
        }
    }
    Ok(())
}

/// Receives a body within its limits without keeping it, for a response that the client reads after it has sent the body.
pub async fn discard_body(request: Request, limits: BodyLimits) {
    let mut body = Limited::new(request.into_body(), limits.bytes);
    let all = async { while body.frame().await.is_some_and(|frame| frame.is_ok()) {} };
    // The response is sent in any case.
    let _ = tokio::time::timeout(limits.time, all).await;
}

fn form_pairs(query: &str) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(query.as_bytes())
}

fn require_json(headers: &HeaderMap) -> Result<(), Error> {
    let is_json = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if is_json {
        return Ok(());
    }
    Err(Error::new(Code::UnsupportedMediaType, "Send the body as application/json."))
}

fn reject_encoding(headers: &HeaderMap) -> Result<(), Error> {
    if headers.contains_key(header::CONTENT_ENCODING) {
        return Err(Error::new(Code::UnsupportedMediaType, "Send the body without Content-Encoding."));
    }
    Ok(())
}

/// The text of a JSON object. The decoder stops at the first value it cannot use, and some of its messages about an invalid
/// value read like a syntax error, so the syntax is checked first.
fn object_text(bytes: &[u8]) -> Result<&str, Error> {
    let text = std::str::from_utf8(bytes).map_err(|_| invalid_json())?;
    serde_json::from_str::<IgnoredAny>(text).map_err(|_| invalid_json())?;
    if text.trim_start().starts_with('{') {
        return Ok(text);
    }
    // The decoder would read a list as the members in their order.
    Err(Error::invalid_field("body", "This must be an object."))
}

/// # Errors
/// 400 that names the value of the wrong type.
pub fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let text = object_text(bytes)?;
    let mut unknown = HashSet::new();
    let mut json = serde_json::Deserializer::from_str(text);
    let mut note_unknown = |path: UnknownPath<'_>| {
        unknown.insert(steps(&path));
    };
    let value = serde_path_to_error::deserialize(serde_ignored::Deserializer::new(&mut json, &mut note_unknown))
        .map_err(|error| {
            let path = error.path().to_string();
            Error::invalid(field_error(&path, &error.into_inner().to_string()))
        })?;
    reject_nul(text, &unknown)?;
    Ok(value)
}

/// Path of a value in a body: `[0]` for an array index, `.name` for a member.
type Steps = Vec<String>;

fn steps(path: &UnknownPath<'_>) -> Steps {
    let (parent, step) = match path {
        UnknownPath::Root => return Steps::new(),
        UnknownPath::Seq { parent, index } => (parent, format!("[{index}]")),
        UnknownPath::Map { parent, key } => (parent, format!(".{key}")),
        UnknownPath::Some { parent }
        | UnknownPath::NewtypeStruct { parent }
        | UnknownPath::NewtypeVariant { parent } => return steps(parent),
    };
    with(&steps(parent), step)
}

fn with(steps: &[String], step: String) -> Steps {
    steps.iter().cloned().chain([step]).collect()
}

/// Rejects U+0000 in text, which PostgreSQL cannot store. Members in `unknown` are ignored.
fn reject_nul(json: &str, unknown: &HashSet<Steps>) -> Result<(), Error> {
    // JSON always escapes it, so a body without this escape needs no closer look.
    if !json.contains("\\u0000") {
        return Ok(());
    }
    let body: &RawValue = serde_json::from_str(json).map_err(|_| invalid_json())?;
    match find_nul(body, &Steps::new(), unknown) {
        None => Ok(()),
        Some(at) => {
            let path = at.concat();
            let path = path.strip_prefix('.').unwrap_or(&path);
            Err(Error::invalid_field(path, "This contains an invalid character."))
        }
    }
}

/// Path of the first known string with U+0000. Unknown members are skipped as raw text: they may be nested more deeply
/// than a decoder accepts.
fn find_nul(value: &RawValue, at: &Steps, unknown: &HashSet<Steps>) -> Option<Steps> {
    if unknown.contains(at) {
        return None;
    }
    let json = value.get();
    match json.as_bytes().first()? {
        b'"' => serde_json::from_str::<String>(json).ok()?.contains('\0').then(|| at.clone()),
        b'[' => {
            let values: Vec<&RawValue> = serde_json::from_str(json).ok()?;
            let mut values = values.into_iter().enumerate();
            values.find_map(|(index, value)| find_nul(value, &with(at, format!("[{index}]")), unknown))
        }
        b'{' => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(json).ok()?;
            members.into_iter().find_map(|(name, value)| find_nul(value, &with(at, format!(".{name}")), unknown))
        }
        _ => None,
    }
}

fn invalid_json() -> Error {
    Error::new(Code::InvalidJson, "The body is not valid JSON.")
}

/// Turns the decoder's "missing field `x`" or "invalid type: …, expected …" into a field and a message.
fn field_error(path: &str, message: &str) -> FieldErrors {
    let mut fields = FieldErrors::default();
    let message = message.split(" at line ").next().unwrap_or(message);
    let parent = if path == "." { "" } else { path };
    if let Some(name) = message.strip_prefix("missing field `").and_then(|rest| rest.split('`').next()) {
        let field = if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") };
        fields.insert(&field, "This is required.");
        return fields;
    }
    let detail = match message.rsplit_once("expected ") {
        // Our own types have a message already.
        None if message.ends_with('.') => message.to_owned(),
        None => format!("Invalid value: {message}."),
        Some((_, expected)) => format!("This must be {}.", plain_type_name(expected)),
    };
    fields.insert(if parent.is_empty() { "body" } else { parent }, detail);
    fields
}

/// A decoder's name for a type, in plain words.
fn plain_type_name(expected: &str) -> &str {
    match expected {
        "i64" | "u64" | "i32" | "u32" => "a whole number",
        "bool" => "true or false",
        "value" => "another kind of value",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[expect(dead_code, reason = "only decoded")]
    struct Line {
        product_id: String,
        quantity: i64,
    }

    #[derive(Debug, serde::Deserialize)]
    #[expect(dead_code, reason = "only decoded")]
    struct Cart {
        items: Vec<Line>,
    }

    fn fields_of(json: &str) -> String {
        let error = parse_json::<Cart>(json.as_bytes()).unwrap_err();
        format!("{error:?}")
    }

    #[test]
    fn the_field_that_is_wrong_is_named_by_its_path() {
        let wrong = fields_of(r#"{"items":[{"product_id":"a","quantity":"1"}]}"#);
        assert!(wrong.contains("items[0].quantity") && wrong.contains("This must be a whole number."), "{wrong}");
        let missing = fields_of(r#"{"items":[{"quantity":1}]}"#);
        assert!(missing.contains("items[0].product_id") && missing.contains("required"), "{missing}");
    }

    #[test]
    fn a_text_with_a_nul_in_it_is_named_and_one_that_spells_it_is_not() {
        let wrong = fields_of(r#"{"items":[{"product_id":"a\u0000","quantity":1}]}"#);
        assert!(wrong.contains("items[0].product_id"), "{wrong}");
        assert!(parse_json::<Cart>(br#"{"items":[{"product_id":"a\\u0000","quantity":1}]}"#).is_ok());
    }

    #[test]
    fn what_is_not_json_is_told_from_what_is_wrong() {
        let broken = parse_json::<Cart>(b"{\"items\":").unwrap_err();
        assert_eq!(broken.code(), Code::InvalidJson);
        let trailing = parse_json::<Cart>(b"{\"items\":[]} x").unwrap_err();
        assert_eq!(trailing.code(), Code::InvalidJson);
        let late = parse_json::<Cart>(b"{\"items\":7} x").unwrap_err();
        assert_eq!(late.code(), Code::InvalidJson);
        for wrong in [&b"[]"[..], b"{\"items\":7}", b"null"] {
            let wrong = parse_json::<Cart>(wrong).unwrap_err();
            assert_eq!(wrong.code(), Code::InvalidRequest);
        }
    }
}
