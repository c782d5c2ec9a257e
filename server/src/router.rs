//! All routes, one line per feature, and the middleware of every response.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use mock_stripe::MockStripe;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::accounts;
use crate::catalog::{self, photos};
use crate::checkout;
use crate::error::{Code, Error};
use crate::fulfillment::{self, tracking_import};
use crate::http::Http;
use crate::http::cors::{self, Cors};
use crate::http::load_shedding;
use crate::http::request_id;
use crate::http::request_metrics;
use crate::http::request_validation;
use crate::money;
use crate::openapi::{self, DocumentJson};
use crate::operations;
use crate::orders;
use crate::settings;
use crate::shop::Shop;
use crate::storefront;
use crate::test_mode;

const REQUEST_TIME: Duration = Duration::from_secs(30);

static DOCUMENT_JSON: LazyLock<Bytes> = LazyLock::new(|| openapi::to_json(&document()));

pub fn router(shop: &Shop) -> Router {
    let Routes { router, .. } = all_routes(Some(shop));
    let http = &shop.http;
    // Outside load shedding: the mock Stripe is a separate service, like the real one.
    let mut router = router.layer(middleware::from_fn_with_state(http.load_shedding.clone(), load_shedding::layer));
    if let Some(stripe) = &shop.mock_stripe {
        router = router.nest(test_mode::PATH, mock_stripe::router(stripe.clone()));
    }
    router
        .method_not_allowed_fallback(method_not_allowed)
        .layer(Extension(DocumentJson(&DOCUMENT_JSON)))
        .layer(DefaultBodyLimit::disable()) // every body is read through `extract`, with a limit of its own
        .layer(middleware::from_fn(request_validation::layer))
        .layer(CatchPanicLayer::custom(|_| Error::internal("a handler panicked").into_response()))
        .layer(middleware::from_fn(deadline))
        // Outside all that rejects requests, so that pages of other origins can read every error.
        .layer(middleware::from_fn_with_state(http.cors.clone(), cors::layer))
        .layer(middleware::from_fn_with_state(http.clone(), common_headers))
        .layer(middleware::from_fn_with_state(http.requests.clone(), request_metrics::layer))
        .layer(middleware::from_fn_with_state(http.clone(), request_id::layer))
}

/// The mock Stripe alone, at the root of its own address.
pub fn mock_stripe_router(http: &Arc<Http>, stripe: MockStripe) -> Router {
    mock_stripe::router(stripe)
        .layer(middleware::from_fn(request_validation::layer))
        .layer(CatchPanicLayer::custom(|_| Error::internal("a handler panicked").into_response()))
        .layer(middleware::from_fn(deadline))
        .layer(middleware::from_fn_with_state(http.clone(), request_id::layer))
}

/// Which routes pages of these and of other origins may use.
pub fn cors(origins: &[HeaderValue]) -> Cors {
    Cors::new(origins, &cross_origin_routes(None).document, &public_files(None).document)
}

/// The OpenAPI document of all routes except the mock Stripe's.
pub fn document() -> OpenApi {
    openapi::complete(all_routes(None).document)
}

/// Routes of several domains with their OpenAPI descriptions. Without a shop, the descriptions alone.
#[derive(Default)]
struct Routes {
    router: Router,
    document: OpenApi,
}

impl Routes {
    fn with<S: Send + Sync + 'static>(mut self, routes: OpenApiRouter<Arc<S>>, state: Option<&Arc<S>>) -> Self {
        let (router, document) = routes.split_for_parts();
        self.document.merge(document);
        if let Some(state) = state {
            self.router = self.router.merge(router.with_state(state.clone()));
        }
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.document.merge(other.document);
        self.router = self.router.merge(other.router);
        self
    }
}

fn all_routes(shop: Option<&Shop>) -> Routes {
    cross_origin_routes(shop).and(public_files(shop)).and(own_routes(shop)).and(admin_routes(shop))
}

/// Routes that only the shop's own pages may use.
fn own_routes(shop: Option<&Shop>) -> Routes {
    Routes::default()
        .with(openapi::routes(), shop.map(|shop| &shop.storefront))
        .with(accounts::routes(), shop.map(|shop| &shop.accounts))
        .with(settings::routes(), shop.map(|shop| &shop.settings))
        .with(catalog::routes(), shop.map(|shop| &shop.catalog))
        .with(checkout::routes(), shop.map(|shop| &shop.checkout))
        .with(storefront::routes(), shop.map(|shop| &shop.storefront))
        .with(operations::routes(), shop.map(|shop| &shop.operations))
}

fn admin_routes(shop: Option<&Shop>) -> Routes {
    Routes::default()
        .with(settings::admin_routes(), shop.map(|shop| &shop.settings))
        .with(catalog::admin_routes(), shop.map(|shop| &shop.catalog))
        .with(money::admin_routes(), shop.map(|shop| &shop.money))
        .with(fulfillment::admin_routes(), shop.map(|shop| &shop.fulfillment))
        .with(operations::admin_routes(), shop.map(|shop| &shop.operations))
}

/// Routes that pages of listed origins may use: public reads, login, and what customers do with their access token.
fn cross_origin_routes(shop: Option<&Shop>) -> Routes {
    Routes::default()
        .with(accounts::cross_origin_routes(), shop.map(|shop| &shop.accounts))
        .with(catalog::cross_origin_routes(), shop.map(|shop| &shop.catalog))
        .with(orders::cross_origin_routes(), shop.map(|shop| &shop.orders))
        .with(checkout::cross_origin_routes(), shop.map(|shop| &shop.checkout))
        .with(storefront::cross_origin_routes(), shop.map(|shop| &shop.storefront))
}

/// Routes of files that pages of any origin may embed.
fn public_files(shop: Option<&Shop>) -> Routes {
    Routes::default()
        .with(catalog::public_files(), shop.map(|shop| &shop.catalog))
        .with(storefront::public_files(), shop.map(|shop| &shop.storefront))
}

/// Request timeout: responds with 503 after [`REQUEST_TIME`], or a longer one. A write that has begun still finishes.
async fn deadline(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let time = time_limit(request.method(), route);
    match tokio::time::timeout(time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Error::new(Code::Overloaded, "The request took too long. Please try again in a moment.")
            .retry_after(5)
            .with_cause("it took too long")
            .into_response(),
    }
}

fn time_limit(method: &Method, route: Option<&str>) -> Duration {
    match route {
        Some(photos::UPLOAD_ROUTE) => photos::UPLOAD_TIME,
        Some(tracking_import::UPLOAD_ROUTE) => tracking_import::UPLOAD_TIME,
        Some(settings::ROUTE) if method == Method::PATCH => settings::CHANGE_TIME,
        _ => REQUEST_TIME,
    }
}

async fn method_not_allowed() -> Error {
    Error::new(Code::MethodNotAllowed, "This endpoint does not support this method.")
}

/// Adds the common headers to a response that does not set them itself.
async fn common_headers(State(http): State<Arc<Http>>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in &http.common_headers {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    if is_api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_settings_may_take_minutes_and_reading_them_may_not() {
        let document = document();
        let settings = document.paths.paths.get(settings::ROUTE).and_then(|path| path.patch.as_ref());
        assert_eq!(settings.and_then(|patch| patch.operation_id.as_deref()), Some("updateSettings"));
        assert!(time_limit(&Method::PATCH, Some(settings::ROUTE)) > Duration::from_secs(60));
        assert_eq!(time_limit(&Method::GET, Some(settings::ROUTE)), REQUEST_TIME);
    }
}
