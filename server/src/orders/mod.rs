//! Orders: created by the checkout, read by their customer and by administrators.

pub mod alerts;
pub mod bulk;
pub mod customer_mail;
pub mod daily_totals;
mod filter;
mod handlers;
pub mod history;
pub mod insert;
pub mod listing;
pub mod owed;
pub mod query;
pub mod search;
pub mod shipments;
pub mod sort;
mod state;
pub mod store;
mod stored_order;

pub use self::state::Orders;
pub use self::stored_order::StoredOrder;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// For pages of listed origins, too.
pub fn cross_origin_routes() -> OpenApiRouter<Arc<Orders>> {
    OpenApiRouter::new().routes(routes!(handlers::get_order)).routes(routes!(handlers::list_own_orders))
}
