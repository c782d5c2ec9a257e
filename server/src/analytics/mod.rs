//! First-party page views: a count per day and path, and nothing about who looked.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use serde::Deserialize;

use crate::clock::utc_day;
use crate::config::Analytics;
use crate::error::Error;
use crate::extract::Body;
use crate::pages;
use crate::shop::Shop;

mod store;

pub fn router() -> Router<Arc<Shop>> {
    Router::new().route("/api/pageviews", post(count_page_view))
}

#[derive(Deserialize)]
struct PageView {
    path: String,
}

/// 204 always; only the shop's own public paths are counted, so the table stays small.
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
