//! Cross-origin requests (CORS): which responses pages of other origins may read.
//!
//! Pages of listed origins may use the routes for customers. Pages of any origin may embed public files. Everything else,
//! such as administration, has no CORS header for anyone.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::PathItem;

use crate::http::request_validation;

const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static("authorization, content-type");
const RESPONSE_HEADERS: HeaderValue = HeaderValue::from_static("etag, retry-after, x-request-id");
/// Two hours, Chromium's limit for the cached result of a preflight.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Whose pages may read a response.
#[derive(Clone, Copy)]
enum Audience {
    SameOrigin,
    ListedOrigins,
    AnyOrigin,
}

pub struct Cors {
    origins: Vec<HeaderValue>,
    /// By path template.
    audiences: HashMap<String, Vec<(Method, Audience)>>,
}

impl Cors {
    pub fn new(origins: &[HeaderValue], cross_origin_routes: &OpenApi, public_files: &OpenApi) -> Self {
        let mut cors = Self { origins: origins.to_vec(), audiences: HashMap::new() };
        cors.add_routes(public_files, Audience::AnyOrigin);
        if !origins.is_empty() {
            cors.add_routes(cross_origin_routes, Audience::ListedOrigins);
        }
        cors
    }

    fn add_routes(&mut self, document: &OpenApi, audience: Audience) {
        for (path, item) in &document.paths.paths {
            let methods = methods(item).map(|method| (method, audience));
            self.audiences.entry(path.clone()).or_default().extend(methods);
        }
    }

    fn audience(&self, path: &str, method: &Method) -> Audience {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        let mut of_path = self.audiences.get(path).into_iter().flatten();
        of_path.find(|(known, _)| known == method).map_or(Audience::SameOrigin, |(_, audience)| *audience)
    }

    /// The request's origin, if it is listed. Origins are compared byte for byte, as browsers send them: another case,
    /// subdomain or port is another origin.
    fn listed_origin(&self, request_headers: &HeaderMap) -> Option<HeaderValue> {
        let mut sent = request_headers.get_all(header::ORIGIN).iter();
        let origin = sent.next().filter(|origin| self.origins.contains(origin))?;
        sent.next().is_none().then(|| origin.clone())
    }

    /// Adds the headers to a response from the response cache, which bypasses the middleware.
    pub fn add_to_cached(&self, path: &str, request_headers: &HeaderMap, response_headers: &mut HeaderMap) {
        self.audience(path, &Method::GET).add_headers(self.listed_origin(request_headers), response_headers);
    }
}

impl Audience {
    fn add_headers(self, listed_origin: Option<HeaderValue>, headers: &mut HeaderMap) {
        match self {
            Self::SameOrigin => {}
            Self::ListedOrigins => {
                // For every request, so that a shared cache keeps the responses apart.
                headers.append(header::VARY, HeaderValue::from_static("origin"));
                if let Some(origin) = listed_origin {
                    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
                    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS);
                }
            }
            // A module script is a CORS request. The resource policy of other responses keeps them out of foreign pages.
            Self::AnyOrigin => {
                headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
                headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
            }
        }
    }
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

/// Middleware: adds the headers, and responds to the preflights of listed origins.
pub async fn layer(State(cors): State<Arc<Cors>>, request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().cloned();
    let (Some(path), Some(method)) = (path, requested_method(&request)) else {
        return next.run(request).await;
    };
    let (audience, origin) = (cors.audience(path.as_str(), &method), cors.listed_origin(request.headers()));
    let mut response = match (audience, &origin) {
        (Audience::ListedOrigins, Some(_)) if is_valid_preflight(&request) => preflight_response(&method),
        _ => next.run(request).await,
    };
    audience.add_headers(origin, response.headers_mut());
    response
}

/// The method of a request; of a preflight, the one that it asks about.
fn requested_method(request: &Request) -> Option<Method> {
    if *request.method() != Method::OPTIONS {
        return Some(request.method().clone());
    }
    let requested = request.headers().get(header::ACCESS_CONTROL_REQUEST_METHOD)?;
    Method::from_bytes(requested.as_bytes()).ok()
}

/// An ambiguous request must be rejected before anything responds to it.
fn is_valid_preflight(request: &Request) -> bool {
    *request.method() == Method::OPTIONS && request_validation::find_error(request).is_none()
}

fn preflight_response(method: &Method) -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_str(method.as_str()).ok()),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, Some(REQUEST_HEADERS)),
        (header::ACCESS_CONTROL_MAX_AGE, Some(MAX_AGE)),
    ];
    let headers: HeaderMap = headers.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    (StatusCode::NO_CONTENT, headers).into_response()
}
