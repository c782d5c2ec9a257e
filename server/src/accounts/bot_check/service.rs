//! Client of the external CAPTCHA service, with a timeout of three seconds and a circuit breaker.

use std::net::IpAddr;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Request, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::Url;

use super::Action;
use super::error::BotCheckError;
use super::siteverify::{Expected, SiteverifyResponse, TokenStatus};
use super::store::Proof;
use crate::config::{BotService, ServiceKind};
use crate::infra::circuit_breaker::{Change, CircuitBreaker, Permit};
use crate::infra::error_chain::error_chain;

/// Covers the connection, the response and its body.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Consecutive failures that open the circuit breaker.
const MAX_FAILURES: u32 = 3;
const MAX_RESPONSE_BYTES: usize = 64 * 1024;
/// The services' own tokens have up to about 2,000 characters.
const MAX_TOKEN_BYTES: usize = 8 * 1024;

pub struct Service {
    kind: ServiceKind,
    secret: String,
    verify_url: String,
    /// The host name of the shop, which must match that of a token.
    host: String,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    breaker: CircuitBreaker,
}

/// The result of verifying a token.
pub enum ServiceResult {
    Passed(Proof),
    Rejected(BotCheckError),
    /// The service is down or unreachable, or rejects the shop's secret.
    Unavailable,
}

impl Service {
    /// # Errors
    /// A message that names the invalid variable.
    pub fn new(service: &BotService, public_url: &str) -> Result<Self, String> {
        let public_url = Url::parse(public_url).map_err(|error| format!("SHOP_PUBLIC_URL: {error}"))?;
        let connector = HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().build();
        Ok(Self {
            kind: service.kind,
            secret: service.secret.clone(),
            verify_url: service.verify_url.to_string(),
            host: public_url.host_str().unwrap_or_default().to_owned(),
            client: Client::builder(TokioExecutor::new()).build(connector),
            breaker: CircuitBreaker::after(MAX_FAILURES),
        })
    }

    /// Verifies a token. A missing token is sent to the service too: when the service is down, the browser could not get
    /// a token, and the result is `Unavailable` instead of `Missing`.
    pub async fn verify(&self, action: Action, token: &Value, client: IpAddr, now_ms: i64) -> ServiceResult {
        let token = match token {
            Value::Null => "",
            Value::String(token) if token.len() <= MAX_TOKEN_BYTES => token.trim(),
            _ => return ServiceResult::Rejected(BotCheckError::Malformed),
        };
        if self.breaker.permit(now_ms) == Permit::FailFast {
            return ServiceResult::Unavailable;
        }
        let response = match self.request(token, client).await {
            Ok(response) => response,
            Err(cause) => return self.record_failure(&cause, now_ms),
        };
        match response.validate(&Expected { kind: self.kind, action, host: &self.host }, now_ms) {
            TokenStatus::Valid { expires_at } => {
                self.record_success();
                ServiceResult::Passed(Proof { id: self.proof_id(token), expires_at })
            }
            TokenStatus::Rejected(error) => {
                self.record_success();
                ServiceResult::Rejected(error)
            }
            TokenStatus::Unavailable(error) => self.record_failure(error.message(), now_ms),
        }
    }

    /// Sends an invalid token, to test whether the service responds and accepts the secret.
    ///
    /// # Errors
    /// The reason why the service cannot be used.
    pub async fn probe(&self, now_ms: i64) -> Result<String, String> {
        let service = self.kind.as_str();
        let response = self
            .request("no-token", IpAddr::from([127, 0, 0, 1]))
            .await
            .map_err(|cause| format!("{service} is unavailable: {cause}"))?;
        let expected = Expected { kind: self.kind, action: Action::Signup, host: &self.host };
        match response.validate(&expected, now_ms) {
            TokenStatus::Unavailable(error) => Err(format!("{service} responds, but {}", error.message())),
            TokenStatus::Valid { .. } | TokenStatus::Rejected(_) => {
                Ok(format!("{service} responds and accepts the secret"))
            }
        }
    }

    async fn request(&self, token: &str, client: IpAddr) -> Result<SiteverifyResponse, String> {
        let response = tokio::time::timeout(TIMEOUT, self.send(token, client)).await;
        response.unwrap_or_else(|_| Err("no response within 3 seconds".to_owned()))
    }

    /// Sends the request. Does not follow redirects: the secret must not reach another host.
    async fn send(&self, token: &str, client: IpAddr) -> Result<SiteverifyResponse, String> {
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("secret", &self.secret)
            .append_pair("response", token)
            .append_pair("remoteip", &client.to_string())
            .finish();
        let request = Request::post(&self.verify_url)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json")
            .body(Full::new(Bytes::from(form)))
            .map_err(|error| error.to_string())?;
        let response = self.client.request(request).await.map_err(|error| error_chain(&error))?;
        let status = response.status();
        // A 4xx response may still have a body about the token.
        if !status.is_success() && !status.is_client_error() {
            return Err(format!("it responded with {status}"));
        }
        let body = Limited::new(response.into_body(), MAX_RESPONSE_BYTES).collect().await;
        let body = body.map_err(|error| format!("cannot read its response: {error}"))?.to_bytes();
        serde_json::from_slice(&body).map_err(|error| format!("its response with {status} is invalid: {error}"))
    }

    fn record_success(&self) {
        if self.breaker.succeeded() == Change::Closed {
            tracing::info!(service = self.kind.as_str(), "CAPTCHA service is back: circuit breaker closed");
        }
    }

    fn record_failure(&self, cause: &str, now_ms: i64) -> ServiceResult {
        let service = self.kind.as_str();
        tracing::error!(service, cause, "CAPTCHA service failed");
        if self.breaker.failed(now_ms) == Change::Opened {
            tracing::error!(
                service,
                "CAPTCHA service is down: circuit breaker open, sign-ups rejected, logins limited"
            );
        }
        ServiceResult::Unavailable
    }

    /// A hash of the token: the token itself must not be stored.
    fn proof_id(&self, token: &str) -> String {
        format!("{}:{}", self.kind.as_str(), hex::encode(Sha256::digest(token)))
    }
}
