//! The product list and the product page.

mod added_notice;
mod back_in_stock_form;
mod card;
mod delivery;
mod gallery;
mod list;
mod not_found;
mod order_form;
mod page_link;
mod pagination;
mod picture;
mod product;
mod product_props;
mod related;
mod specs;
mod stock;

pub use card::{HeadingLevel, product_grid};
pub use list::{ProductListProps, product_list};
pub use not_found::product_not_found;
pub use product::product_page;
pub use product_props::{ArrivalEstimate, BackInStock, BackInStockState, ProductEvents, ProductProps};
pub use related::related_products;
pub use stock::stock_status;
