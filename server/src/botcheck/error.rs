//! Why a proof was refused, in words that say what to do.

use crate::http::error::{Code, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Missing,
    Unreadable,
    Wrong,
    OtherAction,
    Expired,
    Used,
    /// The service takes the visitor for a robot.
    LowScore,
}

impl Fault {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Missing => "Please complete the bot check, then try again.",
            Self::Unreadable | Self::Wrong => {
                "The bot check could not be verified. Please do it again, then try again."
            }
            Self::OtherAction => "The bot check was done for another form. Please do it again here, then try again.",
            Self::Expired => "The bot check has expired. Please do it again, then try again.",
            Self::Used => "The bot check was already used. Please do it again, then try again.",
            Self::LowScore => {
                "The bot check could not tell you from a robot. Please try again in a moment, or with another browser."
            }
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Error::new(Code::BotCheckFailed, fault.sentence())
    }
}
