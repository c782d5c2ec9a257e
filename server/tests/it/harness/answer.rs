//! What the shop answered, and what every answer must be.

use reqwest::header::HeaderMap;
use serde_json::Value;

/// Sentences and names that would tell a stranger how the shop is built.
const INSIDES: [&str; 7] = ["sqlx", "SELECT ", "INSERT ", ".rs:", "panicked", "sk_test_", "whsec_"];

#[derive(Clone, Debug)]
pub struct Answer {
    /// The call, for the message when something is wrong with its answer.
    pub call: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
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

    /// The body of an answer that must have this status.
    #[track_caller]
    pub fn gives(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self}");
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    /// The body of a refusal: its status, its code, and the one form that every refusal has.
    #[track_caller]
    pub fn refuses(&self, status: u16, code: &str) -> Value {
        let body = self.refusal();
        assert_eq!((self.status, body["code"].as_str()), (status, Some(code)), "{self}");
        body
    }

    /// The body of a refusal of whatever kind, in the one form.
    #[track_caller]
    pub fn refusal(&self) -> Value {
        assert!((400..500).contains(&self.status) || self.status == 503, "{self}");
        let body = self.json();
        let message = body["error"].as_str().unwrap_or_default();
        assert!(!message.is_empty(), "{self}");
        assert!(body["code"].is_string(), "{self}");
        assert_eq!(body["request_id"].as_str(), self.header("x-request-id"), "{self}");
        for inside in INSIDES {
            assert!(!self.text.contains(inside), "tells of its insides: {self}");
        }
        body
    }

    /// A 400 that names exactly these fields, each with a message.
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

    /// Status and body without what differs from call to call.
    pub fn essence(&self) -> (u16, Value) {
        let mut body = if self.text.is_empty() { Value::Null } else { self.json() };
        if let Some(body) = body.as_object_mut() {
            body.remove("request_id");
        }
        (self.status, body)
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} → {} {}", self.call, self.status, self.text.chars().take(1_000).collect::<String>())
    }
}
