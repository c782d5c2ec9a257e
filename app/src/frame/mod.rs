//! What stands around every page.

mod footer;
mod navigation;
mod products_menu;

pub use footer::{FooterEvents, FooterProps, Theme, footer};
pub use navigation::{Account, NavigationEvents, NavigationProps, ProductLink, navigation_bar};
