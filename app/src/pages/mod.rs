//! The public pages that are not about products.

mod home;
mod text;
mod text_page;

pub use home::{HomeEvents, HomeHour, HomeProps, LampState, USES, home_page};
pub use text::Text;
pub use text_page::{FirmwareFile, TextPageProps, text_page};
