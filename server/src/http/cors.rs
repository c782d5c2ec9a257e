//! Cross-origin requests (CORS): which responses pages of other origins may read.
//!
//! Pages of listed origins may use the routes for customers. Pages of any origin may embed public files. Everything else,
//! such as administration, has no CORS header for anyone.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use tower::{Layer as _, ServiceExt as _};
use tower_http::cors::{AllowOrigin, CorsLayer};
use utoipa::openapi::path::PathItem;
use utoipa_axum::router::OpenApiRouter;

use crate::http::request_id;
use crate::http::request_validation;
use crate::shop::Shop;

/// Chromium's limit for preflight results in its cache.
const MAX_AGE: Duration = Duration::from_secs(2 * 60 * 60);

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Method and path template of a route.
type Route = (Method, String);

pub struct Cors {
    origins: Vec<HeaderValue>,
    for_listed_origins: HashSet<Route>,
    public_files: HashSet<Route>,
    /// The headers for a listed origin.
    headers: CorsLayer,
}

impl Cors {
    pub fn new(
        origins: &[HeaderValue],
        for_listed_origins: &OpenApiRouter<Arc<Shop>>,
        public_files: &OpenApiRouter<Arc<Shop>>,
    ) -> Self {
        let for_listed_origins = routes(for_listed_origins);
        let mut methods: Vec<Method> = for_listed_origins.iter().map(|(method, _)| method.clone()).collect();
        methods.sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
        methods.dedup();
        let headers = CorsLayer::new()
            .allow_origin(AllowOrigin::list(origins.iter().cloned()))
            .allow_methods(methods)
            .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
            .expose_headers([header::ETAG, header::RETRY_AFTER, request_id::HEADER])
            .max_age(MAX_AGE)
            .vary([]);
        Self { origins: origins.to_vec(), for_listed_origins, public_files: routes(public_files), headers }
    }

    fn audience(&self, request: &Request) -> Audience {
        let Some(route) = requested_route(request) else { return Audience::SameOrigin };
        if self.public_files.contains(&route) {
            return Audience::AnyOrigin;
        }
        if self.origins.is_empty() || !self.for_listed_origins.contains(&route) {
            return Audience::SameOrigin;
        }
        Audience::ListedOrigins
    }

    /// Origins are compared byte for byte, as browsers send them: no case, no subdomain, no trailing slash is equal.
    fn is_from_listed_origin(&self, request: &Request) -> bool {
        let mut origins = request.headers().get_all(header::ORIGIN).iter();
        let is_listed = origins.next().is_some_and(|origin| self.origins.contains(origin));
        is_listed && origins.next().is_none()
    }
}

/// Whose pages may read the response.
enum Audience {
    SameOrigin,
    ListedOrigins,
    AnyOrigin,
}

fn routes(router: &OpenApiRouter<Arc<Shop>>) -> HashSet<Route> {
    let paths = router.get_openapi().paths.paths.iter();
    paths.flat_map(|(path, item)| methods(item).map(|method| (method, path.clone()))).collect()
}

fn methods(item: &PathItem) -> impl Iterator<Item = Method> + use<> {
    let methods = [
        (item.get.is_some(), Method::GET),
        (item.post.is_some(), Method::POST),
        (item.patch.is_some(), Method::PATCH),
        (item.delete.is_some(), Method::DELETE),
    ];
    methods.into_iter().filter_map(|(exists, method)| exists.then_some(method))
}

/// The route of a request; of a preflight, the route that it asks about. An ambiguous request has none, because it must
/// be rejected before anything responds to it.
fn requested_route(request: &Request) -> Option<Route> {
    let path = request.extensions().get::<MatchedPath>()?;
    if request_validation::find_error(request).is_some() {
        return None;
    }
    let method = match *request.method() {
        Method::HEAD => Method::GET,
        Method::OPTIONS => {
            let requested = request.headers().get(header::ACCESS_CONTROL_REQUEST_METHOD)?;
            Method::from_bytes(requested.as_bytes()).ok()?
        }
        ref method => method.clone(),
    };
    Some((method, path.as_str().to_owned()))
}

/// Middleware: adds the CORS headers, and responds to the preflights of listed origins.
pub async fn layer(State(cors): State<Arc<Cors>>, request: Request, next: Next) -> Response {
    match cors.audience(&request) {
        Audience::SameOrigin => next.run(request).await,
        Audience::AnyOrigin => for_any_origin(next.run(request).await),
        Audience::ListedOrigins => {
            let mut response = match cors.is_from_listed_origin(&request) {
                true => with_headers(&cors.headers, request, next).await,
                false => next.run(request).await,
            };
            response.headers_mut().append(header::VARY, HeaderValue::from_static("origin"));
            response
        }
    }
}

async fn with_headers(headers: &CorsLayer, request: Request, next: Next) -> Response {
    match headers.layer(next).oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// Scripts as modules and fonts of another origin need CORS; in isolated pages every file needs a resource policy.
fn for_any_origin(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    response
}
