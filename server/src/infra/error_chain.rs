//! Error messages with their causes.

use std::error::Error;

/// The error and its sources on one line. The outermost error alone rarely names the cause.
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        source = error.source();
    }
    text.replace(['\r', '\n'], " ")
}
