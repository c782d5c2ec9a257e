//! A handler's response.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::api_error::ApiError;

#[derive(Clone, Debug)]
pub struct ApiResponse {
    pub status: StatusCode,
    pub body: String,
    pub source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Fresh,
    /// The stored response of an earlier request with the same idempotency key.
    Replayed,
}

impl ApiResponse {
    pub fn ok(value: &Value) -> Self {
        Self { status: StatusCode::OK, body: value.to_string(), source: Source::Fresh }
    }

    pub fn from_error(error: &ApiError) -> Self {
        Self { status: error.status(), body: error.body().to_string(), source: Source::Fresh }
    }
}

impl IntoResponse for ApiResponse {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.source == Source::Replayed {
            headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
        }
        response
    }
}
