//! First-party page view analytics: a count per day and path, without personal data.
//!
//! The endpoint is public and unlimited. Views are summed in memory and written every few seconds, so that a flood costs
//! few writes. A process that is killed loses the last seconds.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::page_views::Page;
pub use self::page_views::PageViews;
use crate::catalog::products::store::{Visible, find_product_by_name};
use crate::config::Analytics;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Body;
use crate::storefront::Storefront;
use crate::storefront::pages::{self, PublicPage};

pub mod page_views;
pub mod store;
mod visitor;

/// A product name has at most 80 characters, each at most twelve bytes when percent-encoded.
const MAX_PATH_BYTES: usize = 1_000;
pub const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// Writes the counted views. On failure they stay counted for the next flush.
///
/// # Errors
/// The database's error.
pub async fn flush(state: &Storefront) -> Result<(), Error> {
    let _guard = state.page_views.writing.lock().await;
    let views = Arc::new(state.page_views.take());
    if views.is_empty() {
        return Ok(());
    }
    let written = state.db.write(views.clone(), |tx, views| Box::pin(add_all(tx, views))).await;
    if written.is_err() {
        for (page, count) in views.iter() {
            state.page_views.add(page.clone(), *count);
        }
    }
    written
}

async fn add_all(tx: &mut AnyConnection, views: &[(Page, i64)]) -> Result<(), Error> {
    for ((day, path), views) in views {
        store::add_views(tx, day, path, *views).await?;
    }
    Ok(())
}

pub fn router() -> OpenApiRouter<Arc<Storefront>> {
    OpenApiRouter::new().routes(routes!(record_page_view))
}

#[derive(Deserialize, ToSchema)]
struct PageView {
    #[schema(examples("/products/nudgelight-one"))]
    path: String,
}

error_responses!(ViewErrors: [BODY]);

/// Record a page view
///
/// Counts a view of a public page. Returns no content, even for views that are ignored: bots and unknown paths.
#[utoipa::path(
    post,
    path = "/api/pageviews",
    tag = "Shop",
    request_body = PageView,
    responses((status = 204, description = "View recorded or ignored (bot, unknown path)."), ViewErrors),
)]
async fn record_page_view(
    State(state): State<Arc<Storefront>>,
    headers: HeaderMap,
    Body(view): Body<PageView>,
) -> Result<StatusCode, Error> {
    if state.config.analytics != Analytics::Builtin || !visitor::is_countable(&headers) {
        return Ok(StatusCode::NO_CONTENT);
    }
    if let Some(path) = find_page(&state, &view.path).await? {
        let day = state.settings.get().zone().day_text_of(state.clock.now_ms());
        state.page_views.add((day, path), 1);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The canonical path of a public page: without its query, and with a product's current slug. `None` for any other path.
async fn find_page(state: &Storefront, path: &str) -> Result<Option<String>, Error> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    if path.is_empty() || path.len() > MAX_PATH_BYTES {
        return Ok(None);
    }
    let name = match pages::public_page(path) {
        None => return Ok(None),
        Some(PublicPage::Fixed(path)) => return Ok(Some(path.to_owned())),
        Some(PublicPage::Product(name)) => percent_decode_str(name).decode_utf8_lossy().replace('\0', ""),
    };
    if let Some(product) = state.catalog.snapshot.current().await?.find(&name) {
        return Ok(product.active.then(|| format!("/products/{}", product.slug)));
    }
    // A former name is only in the database. While too many lookups run the view is ignored, so that a flood of unknown
    // names costs few queries.
    let Ok(_permit) = state.page_views.lookups.try_acquire() else {
        return Ok(None);
    };
    let product = find_product_by_name(state.db.read(), &name, Visible::Active).await?;
    Ok(product.map(|product| format!("/products/{}", product.slug)))
}
