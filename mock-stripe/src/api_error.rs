//! Errors of Stripe's API: `{"error": {"type", "code", "decline_code", "message", "param", …}}`.

use axum::Json;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

/// Stripe's `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Api,
    Card,
    Idempotency,
    InvalidRequest,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Api => "api_error",
            Self::Card => "card_error",
            Self::Idempotency => "idempotency_error",
            Self::InvalidRequest => "invalid_request_error",
        }
    }
}

/// An error response.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    status: StatusCode,
    kind: Kind,
    message: String,
    /// Optional members of Stripe's error object.
    more: Map<String, Value>,
}

impl ApiError {
    fn new(status: StatusCode, kind: Kind, message: impl Into<String>) -> Self {
        Self { status, kind, message: message.into(), more: Map::new() }
    }

    /// 400: an invalid request.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Kind::InvalidRequest, message)
    }

    /// 402: a card error.
    pub fn card(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYMENT_REQUIRED, Kind::Card, message)
    }

    pub fn missing(param: &str) -> Self {
        Self::invalid(format!("Missing required param: {param}.")).code("parameter_missing").param(param)
    }

    /// 404 for an object in the path.
    pub fn not_found(noun: &str, id: &str, param: &str) -> Self {
        let mut error = Self::no_such(noun, id, param);
        error.status = StatusCode::NOT_FOUND;
        error
    }

    /// 400 for an object in a parameter.
    pub fn no_such(noun: &str, id: &str, param: &str) -> Self {
        Self::invalid(format!("No such {noun}: '{id}'")).code("resource_missing").param(param)
    }

    /// 401: a missing or invalid key.
    pub fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, Kind::InvalidRequest, message)
    }

    /// 403: a publishable key where the secret key is required.
    pub fn secret_key_required() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            Kind::InvalidRequest,
            "This API call cannot be made with a publishable API key. Please use a secret API key.",
        )
        .code("secret_key_required")
    }

    /// 400: the idempotency key was used for another request.
    pub fn idempotency_mismatch(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Kind::Idempotency, message)
    }

    /// 409: the first request with this key is in progress.
    pub fn idempotency_in_use(key: &str) -> Self {
        let message = format!(
            "There is currently another in-progress request using this Idempotent Key (that probably means \
             you submitted twice, and the other request is still going through): {key}. Please try again later."
        );
        Self::new(StatusCode::CONFLICT, Kind::Idempotency, message).code("idempotency_key_in_use")
    }

    /// 404 for an unknown path or method.
    pub fn unknown_url(method: &str, path: &str) -> Self {
        let message = format!("Unrecognized request URL ({method}: {path}).");
        Self::new(StatusCode::NOT_FOUND, Kind::InvalidRequest, message)
    }

    /// A body that is too large or incomplete.
    pub fn unreadable(rejection: &BytesRejection) -> Self {
        Self::new(rejection.status(), Kind::InvalidRequest, rejection.body_text())
    }

    /// 500 with a constant message; the cause is logged.
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        tracing::error!(%cause, "a request to the mock Stripe failed");
        let message = "An error occurred with our connection to Stripe's test mode. Please try again.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, Kind::Api, message)
    }

    /// An injected error.
    pub fn injected(status: StatusCode) -> Self {
        let kind = if status.is_server_error() { Kind::Api } else { Kind::InvalidRequest };
        Self::new(status, kind, "This error was injected.")
    }

    pub fn code(self, code: &str) -> Self {
        self.with("code", json!(code))
    }

    pub fn param(self, param: &str) -> Self {
        self.with("param", json!(param))
    }

    pub fn with(mut self, member: &str, value: Value) -> Self {
        self.more.insert(member.to_owned(), value);
        self
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Members of the error object, also used in an intent's `last_payment_error`.
    pub fn members(&self) -> Value {
        let mut members = self.more.clone();
        if let Some(code) = members.get("code").and_then(Value::as_str) {
            let page = format!("https://stripe.com/docs/error-codes/{}", code.replace('_', "-"));
            members.insert("doc_url".to_owned(), json!(page));
        }
        members.insert("message".to_owned(), json!(self.message));
        members.insert("type".to_owned(), json!(self.kind.word()));
        Value::Object(members)
    }

    pub fn body(&self) -> Value {
        json!({ "error": self.members() })
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"Stripe\""));
        }
        if self.status == StatusCode::CONFLICT {
            headers.insert("stripe-should-retry", HeaderValue::from_static("true"));
        }
        response
    }
}

/// The error of a handler: an API error, which is a response, or a failure of the database, after which nothing is stored.
#[derive(Debug)]
pub enum CallError {
    Api(ApiError),
    Internal(sqlx::Error),
}

impl From<ApiError> for CallError {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<sqlx::Error> for CallError {
    fn from(error: sqlx::Error) -> Self {
        Self::Internal(error)
    }
}

impl IntoResponse for CallError {
    fn into_response(self) -> Response {
        match self {
            Self::Api(error) => error.into_response(),
            Self::Internal(error) => ApiError::internal(&error).into_response(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_stripes_form() {
        let error = ApiError::card("Your card was declined.")
            .code("card_declined")
            .with("decline_code", json!("generic_decline"));
        assert_eq!(error.status(), StatusCode::PAYMENT_REQUIRED);
        assert_eq!(
            error.body(),
            json!({"error": {
                "type": "card_error",
                "code": "card_declined",
                "decline_code": "generic_decline",
                "doc_url": "https://stripe.com/docs/error-codes/card-declined",
                "message": "Your card was declined.",
            }})
        );
    }

    #[test]
    fn our_own_failure_tells_nothing_of_its_cause() {
        let response = ApiError::internal(&"SELECT secret");
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!response.body().to_string().contains("SELECT"));
    }
}
