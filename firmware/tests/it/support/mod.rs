//! What the tests speak with: a flash, a host, and other people's tools for the drive.

mod flash;
mod host;
mod tools;

pub use flash::{Cut, Flash};
pub use host::{Bench, PowerLost, block10, facts};
pub use tools::{Image, fsck};
