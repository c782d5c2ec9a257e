//! The public pages that are not about products.

mod hero;
mod home;
mod text;
mod text_page;

pub use hero::{BlinkSpeed, HERO_EXAMPLES, HeroEvents, HeroLine, LampState};
pub use home::{HomeProps, USES, home_page};
pub use text::Text;
pub use text_page::{FirmwareFile, TextPageProps, text_page};
