//! First-party page views: a count per day and path, and nothing about who looked.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::catalogue::store::{Visible, find_product_by_name};
use crate::clock::utc_day;
use crate::config::Analytics;
use crate::error::Error;
use crate::extract::Body;
use crate::pages::{self, PublicPage};
use crate::refusals::refusals;
use crate::shop::Shop;

pub mod store;
mod visitor;

/// A product's name has at most 80 characters, each of at most twelve when it is percent-encoded.
const LONGEST_PATH: usize = 1_000;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(count_page_view))
}

#[derive(Deserialize, ToSchema)]
struct PageView {
    path: String,
}

refusals!(ViewRefusals: [BODY]);

/// 204 always. What is counted is a day and one of the shop's own public pages, so the table stays small whatever is
/// sent, and says nothing about who looked.
#[utoipa::path(
    post,
    path = "/api/pageviews",
    tag = "The shop",
    request_body = PageView,
    responses((status = 204, description = "Counted, or not a view that is counted."), ViewRefusals),
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
        let day = utc_day(shop.clock.now_ms());
        shop.db
            .write(move |tx| {
                let (day, path) = (day.clone(), path.clone());
                Box::pin(async move { store::add_view(tx, &day, &path).await })
            })
            .await?;
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
    let product = find_product_by_name(shop.db.read(), &name, Visible::Active).await?;
    Ok(product.map(|product| format!("/products/{}", product.slug)))
}
