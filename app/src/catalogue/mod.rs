//! The product list and the product page.

mod card;
mod list;
mod not_found;
mod order_form;
mod product;
mod product_props;
mod specs;
mod stock;

pub use card::{HeadingLevel, product_grid};
pub use list::{ProductListProps, product_list};
pub use not_found::product_not_found;
pub use product::product_page;
pub use product_props::{ProductEvents, ProductProps};
pub use stock::stock_status;
