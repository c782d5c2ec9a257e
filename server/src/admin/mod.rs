//! Administration: orders, export, packing slips, payouts, journal, overview and alerts.

mod alerts;
mod csv;
mod export;
mod journal;
mod label_csv;
mod orders;
mod overview;
mod packing_slips;
mod payouts;
mod store;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::shop::Shop;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new()
        .routes(routes!(orders::list_orders))
        .routes(routes!(export::export_orders))
        .routes(routes!(packing_slips::get_packing_slips))
        .routes(routes!(orders::get_order, orders::update_order))
        .routes(routes!(payouts::get_order_balance))
        .routes(routes!(payouts::list_payouts))
        .routes(routes!(payouts::get_payout))
        .routes(routes!(payouts::export_payout))
        .routes(routes!(journal::export_journal))
        .routes(routes!(overview::get_overview))
        .routes(routes!(alerts::resolve_alert))
}
