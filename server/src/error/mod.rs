//! The error type of every handler, and its JSON representation.

mod code;
pub mod database;
pub mod details;
pub mod responses;
pub mod schema;

use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::to_raw_value;
use wasm_core::validation::FieldErrors;

pub use self::code::Code;
use self::database::is_unavailable;
use self::details::{Details, EditConflict};
use crate::infra::request_id;

/// Response extension: the limit that rejected the request.
#[derive(Clone, Debug)]
pub struct LimitExceeded {
    pub code: Code,
    pub cause: Option<String>,
    /// Whether the database is the cause, whose messages are of any form.
    pub is_database: bool,
}

/// Body of every error. Its schema, in [`schema`], depends on the code.
#[derive(Serialize)]
pub struct ErrorBody {
    error: String,
    code: Code,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Details>,
    #[serde(skip_serializing_if = "FieldErrors::is_empty")]
    fields: FieldErrors,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
}

/// Boxed to keep every `Result` small.
#[derive(Debug)]
pub struct Error(Box<Parts>);

#[derive(Debug)]
struct Parts {
    code: Code,
    message: String,
    details: Option<Details>,
    fields: FieldErrors,
    retry_after_seconds: Option<u64>,
    /// Logged, never sent.
    cause: Option<String>,
    /// The database's error: decides whether the transaction is retried.
    database: Option<sqlx::Error>,
}

impl Error {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            code,
            message: message.into(),
            details: None,
            fields: FieldErrors::default(),
            retry_after_seconds: None,
            cause: None,
            database: None,
        }))
    }

    /// 400 with a message for each invalid field.
    pub fn invalid(fields: FieldErrors) -> Self {
        let mut error = Self::new(Code::InvalidRequest, "Please correct the marked fields.");
        error.0.fields = fields;
        error
    }

    /// 400 for one field.
    pub fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        let mut fields = FieldErrors::default();
        fields.insert(field, message);
        Self::invalid(fields)
    }

    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("{what} not found."))
    }

    /// 500 with a constant message; the cause is logged.
    pub fn internal(cause: impl Display) -> Self {
        let mut error = Self::new(Code::Internal, "Something went wrong on our end. Please try again in a moment.");
        error.0.cause = Some(cause.to_string());
        error
    }

    /// 503 with a constant message, for a condition that may pass in a moment, such as an unavailable database.
    pub fn overloaded(cause: impl Display) -> Self {
        Self::new(Code::Overloaded, "The shop is very busy. Please try again in a moment.")
            .retry_after(2)
            .with_cause(cause)
    }

    /// 409 `EditConflict`, with the current state of an item that was changed in the meantime.
    pub fn edit_conflict(current: &impl Serialize, message: impl Into<String>) -> Self {
        match to_raw_value(current) {
            Ok(current) => Self::with_details(Details::EditConflict(EditConflict { current }), message),
            Err(error) => Self::internal(&error),
        }
    }

    /// The error that these details belong to.
    pub fn with_details(details: Details, message: impl Into<String>) -> Self {
        let mut error = Self::new(details.code(), message);
        error.0.details = Some(details);
        error
    }

    pub fn with_cause(mut self, cause: impl Display) -> Self {
        self.0.cause = Some(cause.to_string());
        self
    }

    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after_seconds = Some(seconds);
        self
    }

    pub fn code(&self) -> Code {
        self.0.code
    }

    pub fn message(&self) -> &str {
        &self.0.message
    }

    pub fn database_error(&self) -> Option<&sqlx::Error> {
        self.0.database.as_ref()
    }

    /// The reason of a rejection by a limit: such rejections are logged together.
    fn too_much(&self) -> Option<LimitExceeded> {
        let code = self.0.code;
        let is_too_much = matches!(code, Code::Overloaded | Code::TooManyRequests);
        let (cause, is_database) = (self.0.cause.clone(), self.0.database.is_some());
        is_too_much.then_some(LimitExceeded { code, cause, is_database })
    }

    fn log(&self) {
        let cause = self.0.cause.as_deref().unwrap_or("");
        if self.0.code != Code::Overloaded && self.0.code.status().is_server_error() {
            tracing::error!(code = ?self.0.code, cause, "request failed");
        } else {
            tracing::debug!(code = ?self.0.code, cause, "request rejected");
        }
    }
}

/// For logs and the command line, which cannot mark fields.
impl Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.0.fields.is_empty() {
            let fields: Vec<String> =
                self.0.fields.iter().map(|(field, message)| format!("{field}: {message}")).collect();
            return formatter.write_str(&fields.join(" "));
        }
        match &self.0.cause {
            Some(cause) => write!(formatter, "{} ({cause})", self.0.message),
            None => formatter.write_str(&self.0.message),
        }
    }
}

impl std::error::Error for Error {}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let mut mapped = if is_unavailable(&error) { Error::overloaded(&error) } else { Error::internal(&error) };
        mapped.0.database = Some(error);
        mapped
    }
}

impl From<wasm_core::money::Overflow> for Error {
    fn from(_: wasm_core::money::Overflow) -> Self {
        Error::new(Code::InvalidRequest, "The amount is too large.")
    }
}

impl From<wasm_core::pricing::PricingError> for Error {
    fn from(error: wasm_core::pricing::PricingError) -> Self {
        Error::invalid_field("items", error.to_string())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.log();
        let too_much = self.too_much();
        let parts = *self.0;
        let body = ErrorBody {
            error: parts.message,
            code: parts.code,
            details: parts.details,
            fields: parts.fields,
            request_id: request_id::current(),
        };
        let mut response = (parts.code.status(), Json(body)).into_response();
        if let Some(seconds) = parts.retry_after_seconds {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(too_much) = too_much {
            response.extensions_mut().insert(too_much);
        }
        response
    }
}
