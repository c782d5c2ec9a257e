//! One file with everything the database holds: written while the shop serves, restored into an empty database of
//! either kind. It is also the way from one kind of database to the other.

mod format;
mod read;
mod restore;
mod store;
pub mod tables;
mod write;

use crate::http::error::{Code, Error};

pub use format::Counts;
pub use restore::restore;
pub use write::back_up;

/// Where lines go that tell somebody who waits how far it is.
pub type Progress = fn(&str);

/// A sentence for the operator; nothing was changed.
fn refusal(sentence: impl Into<String>) -> Error {
    Error::new(Code::InvalidRequest, sentence)
}
