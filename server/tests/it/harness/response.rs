//! HTTP responses, and assertions that hold for every response.

use reqwest::header::HeaderMap;
use serde_json::Value;

/// Implementation details that must not leak to clients.
const INTERNALS: [&str; 7] = ["sqlx", "SELECT ", "INSERT ", ".rs:", "panicked", "sk_test_", "whsec_"];

#[derive(Clone, Debug)]
pub struct ApiResponse {
    /// Method and path of the request, for assertion messages.
    pub call: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl ApiResponse {
    pub async fn of(call: String, response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.unwrap();
        Self { call, status, headers, text }
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_str(&self.text) {
            Ok(value) => value,
            Err(error) => panic!("{error} in {self}"),
        }
    }

    /// Asserts the status and returns the body, or null if it is empty.
    #[track_caller]
    pub fn gives(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self}");
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    /// Asserts the status and code of an error response, and the shape that all errors share.
    #[track_caller]
    pub fn refuses(&self, status: u16, code: &str) -> Value {
        let body = self.refusal();
        assert_eq!((self.status, body["code"].as_str()), (status, Some(code)), "{self}");
        body
    }

    /// Asserts that this is an error response in the shared shape, with any code.
    #[track_caller]
    pub fn refusal(&self) -> Value {
        assert!((400..500).contains(&self.status) || self.status == 503, "{self}");
        let body = self.json();
        let message = body["error"].as_str().unwrap_or_default();
        assert!(!message.is_empty(), "{self}");
        assert!(body["code"].is_string(), "{self}");
        assert_eq!(body["request_id"].as_str(), self.header("x-request-id"), "{self}");
        for internal in INTERNALS {
            assert!(!self.text.contains(internal), "internal detail in a response: {self}");
        }
        body
    }

    /// Asserts a 400 with a message for exactly these fields.
    #[track_caller]
    pub fn names(&self, fields: &[&str]) -> Value {
        let body = self.refuses(400, "InvalidRequest");
        let named: Vec<&str> =
            body["fields"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        let mut expected = fields.to_vec();
        expected.sort_unstable();
        assert_eq!(named, expected, "{self}");
        for field in fields {
            assert!(body["fields"][field].as_str().is_some_and(|message| !message.is_empty()), "{self}");
        }
        body
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Status and body without the request id, to compare two responses.
    pub fn essence(&self) -> (u16, Value) {
        let mut body = if self.text.is_empty() { Value::Null } else { self.json() };
        if let Some(body) = body.as_object_mut() {
            body.remove("request_id");
        }
        (self.status, body)
    }
}

impl std::fmt::Display for ApiResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} → {} {}", self.call, self.status, self.text.chars().take(1_000).collect::<String>())
    }
}
