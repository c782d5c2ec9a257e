//! The products, in a list and one by one.

mod card;
mod facts;
mod list;
mod not_found;
mod order_form;
mod product;
mod stock;

pub use card::{NameIs, product_grid};
pub use list::{ProductListProps, product_list};
pub use not_found::product_not_found;
pub use product::{ProductEvents, ProductProps, product_page};
pub use stock::stock_sign;
