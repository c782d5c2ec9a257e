//! HTTP transport to the provider: sends the requests that the Stripe client's types build. Unlike that client's own
//! transport it reports the status of every response, also of one that is not from Stripe's API.

use axum::body::Bytes;
use axum::http::{HeaderValue, Request, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde::Deserialize;
use stripe_client_core::{RequestBuilder, StripeMethod};

use crate::infra::error_chain::error_chain;

const USER_AGENT: HeaderValue = HeaderValue::from_static("Nudgelight");
/// More than a page of the largest objects.
const MAX_RESPONSE_BYTES: usize = 8 * 1024 * 1024;

pub struct Transport {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    /// Address before `/v1`, without a trailing slash.
    api_base: String,
    authorization: HeaderValue,
}

/// Stripe's error object, reduced to the members that the shop uses.
#[derive(Debug, Deserialize)]
pub struct ApiError {
    pub code: Option<String>,
    pub message: Option<String>,
}

#[derive(Debug)]
pub enum TransportError {
    /// An error in Stripe's format.
    Api {
        status: u16,
        error: ApiError,
    },
    /// An error in another format.
    Other {
        status: u16,
        is_page: bool,
    },
    Unreachable(String),
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ApiError,
}

/// Method and path, for the log.
pub fn describe(request: &RequestBuilder) -> String {
    format!("{} /v1{}", name(&request.method), request.path)
}

fn name(method: &StripeMethod) -> &'static str {
    match method {
        StripeMethod::Get => "GET",
        StripeMethod::Post => "POST",
        StripeMethod::Delete => "DELETE",
    }
}

impl Transport {
    /// # Errors
    /// A message for the operator.
    pub fn new(api_base: &str, secret_key: &str) -> Result<Self, String> {
        let invalid = |error: &dyn std::fmt::Display| format!("STRIPE_SECRET_KEY or STRIPE_API_BASE: {error}");
        let api_base = api_base.trim_end_matches('/').to_owned();
        axum::http::Uri::try_from(&api_base).map_err(|error| invalid(&error))?;
        let mut authorization =
            HeaderValue::try_from(format!("Bearer {secret_key}")).map_err(|error| invalid(&error))?;
        authorization.set_sensitive(true);
        let connector = HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().build();
        // No idle connections: a restarted provider would close them in the middle of a request.
        let client = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector);
        Ok(Self { client, api_base, authorization })
    }

    /// Returns the body of a successful response.
    pub async fn send(&self, request: RequestBuilder, key: Option<&str>) -> Result<Bytes, TransportError> {
        let request = self.request(request, key).map_err(|error| TransportError::Unreachable(error.to_string()))?;
        let unreachable = |error: &dyn std::error::Error| TransportError::Unreachable(error_chain(error));
        let response = self.client.request(request).await.map_err(|error| unreachable(&error))?;
        let status = response.status();
        let content_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_page = content_type.is_some_and(|value| value.starts_with("text/html"));
        let body = Limited::new(response.into_body(), MAX_RESPONSE_BYTES).collect().await;
        let body = body.map_err(|error| unreachable(error.as_ref()))?.to_bytes();
        if status.is_success() {
            return Ok(body);
        }
        let status = status.as_u16();
        Err(match serde_json::from_slice(&body) {
            Ok(ErrorBody { error }) => TransportError::Api { status, error },
            Err(_) => TransportError::Other { status, is_page },
        })
    }

    fn request(&self, request: RequestBuilder, key: Option<&str>) -> Result<Request<Full<Bytes>>, axum::http::Error> {
        let RequestBuilder { query, body, path, method } = request;
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        let mut request = Request::builder()
            .method(name(&method))
            .uri(format!("{}/v1{path}{query}", self.api_base))
            .header(header::AUTHORIZATION, self.authorization.clone())
            .header(header::USER_AGENT, USER_AGENT)
            .header("stripe-version", stripe_client_core::VERSION.as_str());
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        request.body(Full::new(Bytes::from(body.unwrap_or_default())))
    }
}
