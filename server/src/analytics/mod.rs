//! First-party page views: a count per day and path, and nothing about who looked.
//!
//! Anybody may send views, as many as they like. They are summed in memory and written every few seconds, so that they
//! cost no write each; a process that is killed loses those seconds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use tokio::sync::Semaphore;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalogue::store::{Visible, find_product_by_name};
use crate::config::Analytics;
use crate::http::error::Error;
use crate::http::error_responses::error_responses;
use crate::http::extract::Body;
use crate::infra::clock::utc_day;
use crate::pages::{self, PublicPage};
use crate::shop::Shop;

pub mod store;
mod visitor;

/// A product's name has at most 80 characters, each of at most twelve when it is percent-encoded.
const LONGEST_PATH: usize = 1_000;
const FLUSH_EVERY: Duration = Duration::from_secs(5);
/// How many views of products under a name of before are looked up at a time.
const LOOKUPS: usize = 2;

/// A day and a path.
type Page = (String, String);

/// Views that are not written yet. There are not more entries than public pages, on two days around midnight.
pub struct PageViews {
    counted: Mutex<HashMap<Page, i64>>,
    /// Held by whoever writes them: who comes after finds them written.
    writing: tokio::sync::Mutex<()>,
    lookups: Semaphore,
}

impl Default for PageViews {
    fn default() -> Self {
        Self { counted: Mutex::default(), writing: tokio::sync::Mutex::default(), lookups: Semaphore::new(LOOKUPS) }
    }
}

impl PageViews {
    fn add(&self, page: Page, views: i64) {
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner).entry(page).or_default() += views;
    }

    fn take(&self) -> Vec<(Page, i64)> {
        let mut views: Vec<_> =
            std::mem::take(&mut *self.counted.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect();
        // In one order, so that two processes never wait for each other's rows.
        views.sort_unstable();
        views
    }
}

/// Writes the views every few seconds until the shop stops, which writes those that came last.
pub async fn run(shop: Arc<Shop>) {
    let mut tick = tokio::time::interval(FLUSH_EVERY);
    loop {
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            _ = tick.tick() => flush(&shop).await,
        }
    }
}

/// Writes what has been counted. What cannot be written is counted on.
pub async fn flush(shop: &Shop) {
    let _turn = shop.page_views.writing.lock().await;
    let views = Arc::new(shop.page_views.take());
    if views.is_empty() {
        return;
    }
    let written = views.clone();
    let result = shop
        .db
        .write_closure(move |tx| {
            let views = written.clone();
            Box::pin(async move {
                for ((day, path), views) in views.iter() {
                    store::add_views(tx, day, path, *views).await?;
                }
                Ok(())
            })
        })
        .await;
    if let Err(error) = result {
        tracing::warn!(%error, "page views could not be written; they are kept for the next time");
        for (page, count) in views.iter() {
            shop.page_views.add(page.clone(), *count);
        }
    }
}

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(count_page_view))
}

#[derive(Deserialize, ToSchema)]
struct PageView {
    path: String,
}

error_responses!(ViewErrors: [BODY]);

/// 204 always. What is counted is a day and one of the shop's own public pages, so the table stays small whatever is
/// sent, and says nothing about who looked.
#[utoipa::path(
    post,
    path = "/api/pageviews",
    tag = "The shop",
    request_body = PageView,
    responses((status = 204, description = "Counted, or not a view that is counted."), ViewErrors),
)]
async fn count_page_view(
    State(shop): State<Arc<Shop>>,
    headers: HeaderMap,
    Body(view): Body<PageView>,
) -> Result<StatusCode, Error> {
    if shop.config.analytics != Analytics::Builtin || !visitor::may_be_counted(&headers) {
        return Ok(StatusCode::NO_CONTENT);
    }
    if let Some(path) = find_page(&shop, &view.path).await? {
        shop.page_views.add((utc_day(shop.clock.now_ms()), path), 1);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The one path under which a page's views are counted: without its query, and a product under the address it has
/// today. Whatever is no page of this shop has none.
async fn find_page(shop: &Shop, path: &str) -> Result<Option<String>, Error> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    if path.is_empty() || path.len() > LONGEST_PATH {
        return Ok(None);
    }
    let name = match pages::public_page(path) {
        None => return Ok(None),
        Some(PublicPage::Fixed(path)) => return Ok(Some(path.to_owned())),
        Some(PublicPage::Product(name)) => percent_decode_str(name).decode_utf8_lossy().replace('\0', ""),
    };
    if let Some(product) = shop.catalogue.current().await?.find(&name) {
        return Ok(product.active.then(|| format!("/products/{}", product.slug)));
    }
    // A name of before is in the database alone. While others are looked up this view is not counted: names that lead
    // nowhere could otherwise be sent without end.
    let Ok(_turn) = shop.page_views.lookups.try_acquire() else {
        return Ok(None);
    };
    let product = find_product_by_name(shop.db.read(), &name, Visible::Active).await?;
    Ok(product.map(|product| format!("/products/{}", product.slug)))
}
