//! A response with one message for the user.

use serde::Serialize;
use utoipa::ToSchema;

/// A response with one message for the user.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    #[schema(examples("Your email address is confirmed. You can log in now."))]
    pub message: &'static str,
}
