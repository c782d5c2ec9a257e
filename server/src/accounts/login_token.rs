//! Login tokens: bind an emailed code to the browser that asked for it.
//!
//! The browser that has the token is logged in by the code. Somebody who reads the code elsewhere can confirm an address
//! with it, but gets no session. A browser sends its token with each request for a code, so a new code keeps the token.

use super::sessions::{is_well_formed, token_hash};
use crate::error::Error;
use crate::infra::encoding::base64url;
use crate::infra::random;

/// 256 random bits in URL-safe base64.
pub struct LoginToken(String);

impl LoginToken {
    /// The token that the browser sent, or a new one.
    ///
    /// # Errors
    /// 400 if the sent one is malformed.
    pub fn sent_or_new(sent: Option<String>) -> Result<Self, Error> {
        match sent {
            Some(token) => Self::parse(token),
            None => Ok(Self(base64url(random::random_bytes::<32>()))),
        }
    }

    /// # Errors
    /// 400 if it is malformed.
    pub fn parse(token: String) -> Result<Self, Error> {
        if is_well_formed(&token) {
            return Ok(Self(token));
        }
        Err(Error::invalid_field(
            "login_token",
            "Send the token of the response to your last request for a code, or omit it.",
        ))
    }

    /// What is stored: SHA-256.
    pub fn hash(&self) -> String {
        token_hash(&self.0)
    }

    pub fn into_string(self) -> String {
        self.0
    }
}
