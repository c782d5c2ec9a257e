//! The navigation bar above every page and the footer below it.

mod footer;
mod navigation;
mod navigation_props;
mod products_menu;

pub use footer::{FooterEvents, FooterProps, Theme, footer};
pub use navigation::{NavigationEvents, navigation_bar};
pub use navigation_props::{Account, NavigationProps, ProductLink};
