//! The form that a proof is bound to.

use serde::Deserialize;
use utoipa::ToSchema;

/// The form that a proof is bound to: a proof for signing up is invalid for logging in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Signup,
    Login,
    BackInStock,
}

impl Action {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Login => "login",
            Self::BackInStock => "back_in_stock",
        }
    }
}
