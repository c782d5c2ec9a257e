//! Result of a check.

/// Result of a check, with a message without its final period.
pub enum Status {
    Works(String),
    Fails(String),
}

impl Status {
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Works(_))
    }
}

impl From<Result<String, String>> for Status {
    fn from(outcome: Result<String, String>) -> Self {
        match outcome {
            Ok(message) => Self::Works(message),
            Err(message) => Self::Fails(message),
        }
    }
}
