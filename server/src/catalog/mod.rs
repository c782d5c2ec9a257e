//! Catalog: products with their prices, pictures and stock.

pub mod back_in_stock;
pub mod images;
pub mod low_stock;
pub mod photos;
pub mod products;
pub mod stock_ledger;

use std::pin::Pin;
use std::sync::Arc;

use axum::http::HeaderMap;
use tokio::sync::Notify;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::images::{Bitmaps, EmailPictures};
use self::photos::Photos;
use self::products::CatalogSnapshot;
use crate::accounts::Accounts;
use crate::config::Config;
use crate::db::Db;
use crate::error::Error;
use crate::http::response_cache::{PageVersion, ResponseCaches};
use crate::infra::clock::Clock;
use crate::infra::jobs::Jobs;
use crate::limits::Limits;
use crate::mail::{PictureSource, Pictures};
use crate::platform::Platform;
use crate::settings::CurrentSettings;

/// What the domain works with.
pub struct Catalog {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    pub accounts: Arc<Accounts>,
    pub settings: Arc<CurrentSettings>,
    pub limits: Arc<Limits>,
    pub mail_enqueued: Arc<Notify>,
    pub common_headers: HeaderMap,
    /// Snapshot of the products, and the cached responses about them.
    pub snapshot: Arc<CatalogSnapshot>,
    /// Limits of photo uploads, and the photos that were served recently.
    pub photos: Photos,
    /// Bitmaps of the drawings.
    pub bitmaps: Bitmaps,
}

impl Catalog {
    /// # Errors
    /// If the registry already has a metric.
    pub fn new(
        platform: &Platform,
        accounts: Arc<Accounts>,
        settings: Arc<CurrentSettings>,
        caches: &ResponseCaches,
        pages: PageVersion,
    ) -> prometheus::Result<Self> {
        let Platform { config, db, clock, registry, .. } = platform.clone();
        Ok(Self {
            snapshot: Arc::new(CatalogSnapshot::new(db.clone(), caches.clone(), pages, &registry)?),
            photos: Photos::default(),
            bitmaps: Bitmaps::default(),
            common_headers: caches.common_headers.clone(),
            limits: accounts.limits.clone(),
            mail_enqueued: accounts.mail_enqueued.clone(),
            config,
            db,
            clock,
            accounts,
            settings,
        })
    }

    /// Emails about products that are back in stock or low.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        jobs.every("back_in_stock_emails", back_in_stock::INTERVAL, self, |catalog| async move {
            back_in_stock::notify_waiting(&catalog).await
        });
        jobs.every(
            "low_stock_email",
            low_stock::INTERVAL,
            self,
            |catalog| async move { low_stock::notify(&catalog).await },
        );
    }
}

impl PictureSource for Catalog {
    fn load(self: Arc<Self>) -> Pin<Box<dyn Future<Output = Result<Pictures, Error>> + Send>> {
        Box::pin(async move {
            let pictures = EmailPictures::of(&self).await?;
            Ok(Box::new(move |product_id: &str| pictures.find(product_id)) as Pictures)
        })
    }
}

impl AsRef<Accounts> for Catalog {
    fn as_ref(&self) -> &Accounts {
        &self.accounts
    }
}

impl AsRef<Config> for Catalog {
    fn as_ref(&self) -> &Config {
        &self.config
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
