//! Mock CAPTCHA verification service, with responses of reCAPTCHA and Turnstile.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::any;
use serde_json::{Value, json};

use super::TestShop;

const SECRET: &str = "secret-of-the-shop";
const HOST: &str = "shop.example";

/// Response to the next verification requests.
#[derive(Clone)]
pub enum Reply {
    Json(Value),
    Text(u16, String),
    Redirect,
    /// Receives the request and never responds.
    Silence,
}

#[derive(Clone)]
pub struct SiteVerify {
    url: String,
    state: Arc<Mutex<ServiceState>>,
}

struct ServiceState {
    reply: Reply,
    heard: Vec<BTreeMap<String, String>>,
}

impl SiteVerify {
    pub async fn open() -> Self {
        let service_state = ServiceState { reply: Reply::Text(500, String::new()), heard: Vec::new() };
        let state = Arc::new(Mutex::new(service_state));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let routes = Router::new().route("/siteverify", any(answer)).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { url, state }
    }

    /// A shop configured to use this service.
    pub async fn shop(&self, kind: &str, more: &[(&str, &str)]) -> TestShop {
        let verify_url = format!("{}/siteverify", self.url);
        let vars = [
            ("SHOP_BOT_CHECK", kind),
            ("SHOP_PUBLIC_URL", "https://shop.example"),
            ("BOT_CHECK_SITE_KEY", "site-key"),
            ("BOT_CHECK_SECRET", SECRET),
            ("BOT_CHECK_VERIFY_URL", &verify_url),
        ];
        TestShop::open_with(&[&vars[..], more].concat()).await
    }

    pub fn replies(&self, reply: Reply) {
        self.state.lock().unwrap().reply = reply;
    }

    pub fn says(&self, answer: Value) {
        self.replies(Reply::Json(answer));
    }

    /// The form fields of all requests so far.
    pub fn heard(&self) -> Vec<BTreeMap<String, String>> {
        self.state.lock().unwrap().heard.clone()
    }
}

async fn answer(State(state): State<Arc<Mutex<ServiceState>>>, body: String) -> Response {
    let form: BTreeMap<String, String> = serde_urlencoded::from_str(&body).unwrap_or_default();
    let text = |name: &str| form.get(name).cloned().unwrap_or_default();
    let (secret, token) = (text("secret"), text("response"));
    let reply = {
        let mut service_state = state.lock().unwrap();
        service_state.heard.push(form);
        service_state.reply.clone()
    };
    match reply {
        Reply::Json(_) if secret != SECRET => json_of(&refused("invalid-input-secret")),
        Reply::Json(_) if token.is_empty() => json_of(&refused("missing-input-response")),
        Reply::Json(answer) => json_of(&answer),
        Reply::Text(status, text) => (StatusCode::from_u16(status).unwrap(), text).into_response(),
        Reply::Redirect => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "/siteverify")]).into_response(),
        Reply::Silence => std::future::pending().await,
    }
}

fn json_of(answer: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json; charset=utf-8")], answer.to_string()).into_response()
}

/// Response formats of the supported services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    RecaptchaV3,
    RecaptchaV2,
    Turnstile,
}

impl Form {
    pub const ALL: [Self; 3] = [Self::RecaptchaV3, Self::RecaptchaV2, Self::Turnstile];

    pub fn kind(self) -> &'static str {
        match self {
            Self::RecaptchaV3 | Self::RecaptchaV2 => "recaptcha",
            Self::Turnstile => "turnstile",
        }
    }

    /// A successful response for this action, solved `seconds_ago` by the shop's clock.
    pub fn passed(self, shop: &TestShop, action: &str, seconds_ago: i64) -> Value {
        let made = jiff::Timestamp::from_millisecond(shop.clock.now_ms() - seconds_ago * 1_000).unwrap();
        match self {
            Self::RecaptchaV3 => json!({
                "success": true,
                "challenge_ts": format!("{made:.0}"),
                "hostname": HOST,
                "score": 0.9,
                "action": action,
            }),
            Self::RecaptchaV2 => json!({ "success": true, "challenge_ts": format!("{made:.0}"), "hostname": HOST }),
            Self::Turnstile => json!({
                "success": true,
                "error-codes": [],
                "challenge_ts": format!("{made:.3}"),
                "hostname": HOST,
                "action": action,
                "cdata": "",
                "metadata": { "interactive": false },
            }),
        }
    }
}

pub fn refused(code: &str) -> Value {
    json!({ "success": false, "error-codes": [code] })
}
