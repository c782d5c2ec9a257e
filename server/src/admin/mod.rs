//! Administration: orders, notes, refunds, disputes and their evidence, customers, products, stock, tax report, export,
//! import of tracking numbers, packing slips, payouts, journal, overview and alerts.

mod alerts;
mod bulk;
mod csv;
mod customers;
mod disputes;
mod evidence;
mod export;
mod journal;
mod label_csv;
mod neighbors;
mod order_counts;
mod order_notes;
mod order_status;
mod orders;
mod overview;
mod packing_slips;
mod payouts;
mod products;
mod refunds;
mod resend_email;
mod stock_ledger;
mod store;
mod tax_report;
pub mod tracking_import;

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
        .routes(routes!(disputes::list_order_disputes))
        .routes(routes!(evidence::get_evidence))
        .routes(routes!(payouts::list_payouts))
        .routes(routes!(payouts::get_payout))
        .routes(routes!(payouts::export_payout))
        .routes(routes!(journal::export_journal))
        .routes(routes!(order_notes::add_order_note))
        .routes(routes!(resend_email::resend_order_email))
        .routes(routes!(products::list_products))
        .routes(routes!(stock_ledger::get_stock_ledger))
        .routes(routes!(stock_ledger::movements::receive_stock))
        .routes(routes!(stock_ledger::movements::correct_stock))
        .routes(routes!(customers::list_customers))
        .routes(routes!(customers::get_customer))
        .routes(routes!(customers::list_customer_orders))
        .routes(routes!(customers::emails::list_customer_emails))
        .routes(routes!(order_counts::get_order_counts))
        .routes(routes!(neighbors::find_order_neighbors))
        .routes(routes!(order_status::preview_order_status))
        .routes(routes!(order_status::update_order_status))
        .merge(tracking_import::router())
        .routes(routes!(refunds::list_refunds, refunds::create_refund))
        .routes(routes!(refunds::preview_refund))
        .routes(routes!(tax_report::get_tax_report))
        .routes(routes!(tax_report::export_tax_report))
        .routes(routes!(overview::get_overview))
        .routes(routes!(alerts::resolve_alert))
}
