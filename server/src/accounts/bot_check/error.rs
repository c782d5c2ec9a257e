//! Reasons for a failed bot check, with a message for the user.

use crate::error::{Code, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotCheckError {
    Missing,
    Malformed,
    Invalid,
    WrongAction,
    Expired,
    AlreadyUsed,
    /// The CAPTCHA service considers the visitor a bot.
    LowScore,
}

impl BotCheckError {
    pub fn message(self) -> &'static str {
        match self {
            Self::Missing => "Please complete the security check, then try again.",
            Self::Malformed | Self::Invalid => "The security check couldn’t be verified. Please try again.",
            Self::WrongAction => "The security check was for a different form. Please complete it here and try again.",
            Self::Expired => "The security check has expired. Please complete it again.",
            Self::AlreadyUsed => "The security check was already used. Please complete it again.",
            Self::LowScore => {
                "The security check couldn’t verify that you’re human. Please try again in a moment, or use another \
                 browser."
            }
        }
    }
}

impl From<BotCheckError> for Error {
    fn from(error: BotCheckError) -> Self {
        Error::new(Code::BotCheckFailed, error.message())
    }
}
