//! First-party page views: a count per day and path, and nothing about who looked.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::clock::utc_day;
use crate::config::Analytics;
use crate::error::Error;
use crate::extract::Body;
use crate::pages;
use crate::refusals::refusals;
use crate::shop::Shop;

mod store;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(count_page_view))
}

#[derive(Deserialize, ToSchema)]
struct PageView {
    path: String,
}

refusals!(ViewRefusals: [BODY]);

/// 204 always; only the shop's own public paths are counted, so the table stays small.
#[utoipa::path(
    post,
    path = "/api/pageviews",
    tag = "The shop",
    request_body = PageView,
    responses((status = 204, description = "Counted, or not a page that is counted."), ViewRefusals),
)]
async fn count_page_view(State(shop): State<Arc<Shop>>, Body(view): Body<PageView>) -> Result<StatusCode, Error> {
    let path = view.path.split(['?', '#']).next().unwrap_or_default().to_owned();
    if shop.config.analytics == Analytics::Builtin && path.len() <= 200 && pages::is_public(&path) {
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
