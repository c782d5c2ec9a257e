//! Administration: orders, refunds, tax report, export, packing slips, overview and alerts.

mod alerts;
mod csv;
mod export;
mod label_csv;
mod orders;
mod overview;
mod packing_slips;
mod refunds;
mod store;
mod tax_report;

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
        .routes(routes!(refunds::list_refunds, refunds::create_refund))
        .routes(routes!(refunds::preview_refund))
        .routes(routes!(tax_report::get_tax_report))
        .routes(routes!(tax_report::export_tax_report))
        .routes(routes!(overview::get_overview))
        .routes(routes!(alerts::resolve_alert))
}
