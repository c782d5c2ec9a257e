//! The pages that are the same for every visitor.

mod home;
mod prose;
mod text;

pub use home::{HomeProps, LampShown, home_page};
pub use prose::{FirmwareFile, TextPageProps, text_page};
pub use text::Text;
