//! What every view shares.

mod dress;
mod one_line;

pub use dress::{Dress, Medium};
pub use one_line::one_line;
