//! Catalog: products with their prices, pictures and stock.

pub mod back_in_stock;
pub mod daily_totals;
pub mod images;
pub mod low_stock;
pub mod photos;
pub mod products;
mod state;
pub mod stock_ledger;

pub use self::state::Catalog;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::infra::jobs::Jobs;

impl Catalog {
    /// Emails about products that are back in stock or low. The email about low stock waits an interval after a start,
    /// in which an administrator can correct the stock.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        jobs.every("back_in_stock_emails", back_in_stock::INTERVAL, self, |catalog| async move {
            back_in_stock::notify_waiting(&catalog).await
        });
        jobs.after_every("low_stock_email", low_stock::INTERVAL, self, |catalog| async move {
            low_stock::notify(&catalog).await
        });
    }
}

pub fn routes() -> OpenApiRouter<Arc<Catalog>> {
    back_in_stock::router()
}

/// For pages of listed origins, too.
pub fn cross_origin_routes() -> OpenApiRouter<Arc<Catalog>> {
    products::cross_origin_router()
}

/// For pages of any origin.
pub fn public_files() -> OpenApiRouter<Arc<Catalog>> {
    images::public_files_router().merge(photos::public_files_router())
}

pub fn admin_routes() -> OpenApiRouter<Arc<Catalog>> {
    products::admin_router()
        .merge(low_stock::router())
        .merge(photos::router())
        .routes(routes!(stock_ledger::get_stock_ledger))
        .routes(routes!(stock_ledger::movements::receive_stock))
        .routes(routes!(stock_ledger::movements::correct_stock))
}
