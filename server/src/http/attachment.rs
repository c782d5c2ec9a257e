//! Downloads: responses that the browser saves as a file.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::error::Error;

pub const CSV: &str = "text/csv; charset=utf-8; header=present";
pub const HTML: &str = "text/html; charset=utf-8";
pub const TEXT: &str = "text/plain; charset=utf-8";

/// A file with its `Content-Disposition`.
pub struct Attachment {
    content_type: &'static str,
    file_name: String,
    content: Body,
}

impl Attachment {
    /// The file name is ASCII without quotes, as it is the shop's own.
    pub fn new(content_type: &'static str, file_name: impl Into<String>, content: impl Into<Body>) -> Self {
        Self { content_type, file_name: file_name.into(), content: content.into() }
    }
}

impl IntoResponse for Attachment {
    fn into_response(self) -> Response {
        match HeaderValue::from_str(&format!("attachment; filename=\"{}\"", self.file_name)) {
            Ok(disposition) => {
                let content_type = HeaderValue::from_static(self.content_type);
                let headers = [(header::CONTENT_TYPE, content_type), (header::CONTENT_DISPOSITION, disposition)];
                (headers, self.content).into_response()
            }
            Err(error) => Error::internal(error).into_response(),
        }
    }
}
