//! The form that a proof is bound to.

use serde::Deserialize;
use utoipa::ToSchema;

/// The form that a proof is bound to: a proof for signing up is invalid for logging in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Signup,
    Login,
}

impl Action {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Login => "login",
        }
    }
}
