//! Fulfillment: what administrators do with orders and customers, and the overview of what is to do.

mod alerts;
mod bulk;
mod customers;
mod export;
mod label_csv;
mod neighbors;
mod order_counts;
mod order_notes;
mod order_status;
mod orders;
mod overview;
mod packing_slips;
mod resend_email;
mod ship_anyway;
mod state;
mod store;
mod tracking_check;
pub mod tracking_import;

pub use self::state::Fulfillment;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn admin_routes() -> OpenApiRouter<Arc<Fulfillment>> {
    OpenApiRouter::new()
        .routes(routes!(orders::list_orders))
        .routes(routes!(export::export_orders))
        .routes(routes!(packing_slips::get_packing_slips))
        .routes(routes!(orders::get_order, orders::update_order))
        .routes(routes!(order_notes::add_order_note))
        .routes(routes!(ship_anyway::ship_anyway))
        .routes(routes!(resend_email::resend_order_email))
        .routes(routes!(customers::list_customers))
        .routes(routes!(customers::get_customer))
        .routes(routes!(customers::list_customer_orders))
        .routes(routes!(customers::emails::list_customer_emails))
        .routes(routes!(order_counts::get_order_counts))
        .routes(routes!(neighbors::find_order_neighbors))
        .routes(routes!(order_status::preview_order_status))
        .routes(routes!(order_status::update_order_status))
        .merge(tracking_import::router())
        .routes(routes!(overview::get_overview))
        .routes(routes!(alerts::resolve_alert))
}
