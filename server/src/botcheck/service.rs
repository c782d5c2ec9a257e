//! Asks the service about a token. Whatever it does, the answer is there within three seconds.

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

use super::error::Fault;
use super::siteverify::{Answer, Expected, Judgement};
use super::store::Proof;
use super::{Action, hex};
use crate::config::{BotService, ServiceKind};
use crate::infra::circuit_breaker::{Change, CircuitBreaker, Permit};

/// For everything: the connection, the answer and its body.
const PATIENCE: Duration = Duration::from_secs(3);
/// In a row, before the service is left alone.
const FAILURES: u32 = 3;
const LONGEST_ANSWER: usize = 64 * 1024;
/// Those of the services have up to about two thousand characters.
const LONGEST_TOKEN: usize = 8 * 1024;

/// One of the two services, with what this process knows about how it does.
pub struct Service {
    kind: ServiceKind,
    secret: String,
    verify_url: String,
    /// Of the shop's public address: tokens that were made elsewhere are worth nothing.
    host: String,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    breaker: CircuitBreaker,
}

/// What asking about a token came to.
pub enum Verdict {
    Passed(Proof),
    Refused(Fault),
    /// The service is down, unreachable, or does not know this shop.
    Unanswered,
}

impl Service {
    /// # Errors
    /// One sentence that names the variable at fault.
    pub fn new(service: &BotService, public_url: &str) -> Result<Self, String> {
        let public_url = Url::parse(public_url).map_err(|error| format!("SHOP_PUBLIC_URL: {error}"))?;
        let connector = HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().build();
        Ok(Self {
            kind: service.kind,
            secret: service.secret.clone(),
            verify_url: service.verify_url.to_string(),
            host: public_url.host_str().unwrap_or_default().to_owned(),
            client: Client::builder(TokioExecutor::new()).build(connector),
            breaker: CircuitBreaker::after(FAILURES),
        })
    }

    /// A token that is missing is asked about like any other: somebody who could not get one because the service is
    /// down is told so, and not that they did something wrong.
    pub async fn verify(&self, action: Action, token: &Value, client: IpAddr, now_ms: i64) -> Verdict {
        let token = match token {
            Value::Null => "",
            Value::String(token) if token.len() <= LONGEST_TOKEN => token.trim(),
            _ => return Verdict::Refused(Fault::Unreadable),
        };
        if self.breaker.permit(now_ms) == Permit::FailFast {
            return Verdict::Unanswered;
        }
        let asked = tokio::time::timeout(PATIENCE, self.ask(token, client)).await;
        let answer = match asked.unwrap_or_else(|_| Err("no answer within 3 seconds".to_owned())) {
            Ok(answer) => answer,
            Err(cause) => return self.unanswered(&cause, now_ms),
        };
        match answer.judge(&Expected { kind: self.kind, action, host: &self.host }, now_ms) {
            Judgement::Passed { expires_at } => {
                self.answered();
                Verdict::Passed(Proof { id: self.proof_id(token), expires_at })
            }
            Judgement::Refused(fault) => {
                self.answered();
                Verdict::Refused(fault)
            }
            Judgement::Unanswered(cause) => self.unanswered(cause.sentence(), now_ms),
        }
    }

    /// Asks about a token that is none, to learn whether the service is there and knows this shop.
    ///
    /// # Errors
    /// Why it would be of no use.
    pub async fn try_out(&self, now_ms: i64) -> Result<String, String> {
        let service = self.kind.word();
        let asked = tokio::time::timeout(PATIENCE, self.ask("no-token", IpAddr::from([127, 0, 0, 1]))).await;
        let answer = asked
            .unwrap_or_else(|_| Err("no answer within 3 seconds".to_owned()))
            .map_err(|cause| format!("{service} cannot be asked: {cause}"))?;
        let expected = Expected { kind: self.kind, action: Action::Signup, host: &self.host };
        match answer.judge(&expected, now_ms) {
            Judgement::Unanswered(cause) => Err(format!("{service} answers, but {}", cause.sentence())),
            Judgement::Passed { .. } | Judgement::Refused(_) => Ok(format!("{service} answers and knows the secret")),
        }
    }

    /// What the service says, or why it cannot be had. A redirect is not followed: the secret is for one address.
    async fn ask(&self, token: &str, client: IpAddr) -> Result<Answer, String> {
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
        let response = self.client.request(request).await.map_err(|error| chain(&error))?;
        let status = response.status();
        // What is wrong with a token may come as a 4xx, and is then in the body.
        if !status.is_success() && !status.is_client_error() {
            return Err(format!("it answered with {status}"));
        }
        let body = Limited::new(response.into_body(), LONGEST_ANSWER).collect().await;
        let body = body.map_err(|error| format!("its answer could not be read: {error}"))?.to_bytes();
        serde_json::from_slice(&body).map_err(|error| format!("its answer with {status} is none: {error}"))
    }

    fn answered(&self) {
        if self.breaker.succeeded() == Change::Closed {
            tracing::info!(service = self.kind.word(), "the bot check's service answers again");
        }
    }

    fn unanswered(&self, cause: &str, now_ms: i64) -> Verdict {
        let service = self.kind.word();
        tracing::error!(service, cause, "the bot check's service was of no use");
        if self.breaker.failed(now_ms) == Change::Opened {
            tracing::error!(service, "the bot check's service is left alone: sign-ups are refused, log-ins are few");
        }
        Verdict::Unanswered
    }

    /// The token itself is nobody's business once it was used.
    fn proof_id(&self, token: &str) -> String {
        format!("{}:{}", self.kind.word(), hex(&Sha256::digest(token.as_bytes())))
    }
}

/// An error and what it came from: the outermost alone only says that there was one.
fn chain(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
