//! Minimal Stripe-compatible provider: supports only what a payment needs. Its objects have few members, charges are
//! bare ids, and most errors are plain text instead of Stripe's error objects.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use serde_json::{Value, json};
use server::db::Db;

use super::shop::{BEHIND_A_PROXY, TestShop};

type ApiResult = Result<Json<Value>, (StatusCode, &'static str)>;

#[derive(Clone, Default)]
pub struct BareStripe {
    url: String,
    intents: Arc<Mutex<BTreeMap<String, Value>>>,
    refunds: Arc<Mutex<Vec<(String, i64)>>>,
    /// The database to write to before each response, and the number of writes.
    books: Arc<Mutex<(Option<Db>, usize)>>,
    /// Responses to GET requests, by path.
    replies: Arc<Mutex<BTreeMap<String, Reply>>>,
}

/// What a path responds.
#[derive(Clone)]
enum Reply {
    Fixed {
        status: u16,
        content_type: &'static str,
        body: &'static str,
    },
    /// This list, but a 400 to every request with a filter.
    Unfiltered(Value),
}

impl BareStripe {
    pub async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let stripe = Self { url, ..Self::default() };
        let app = Router::new()
            .route("/v1/payment_intents", get(list).post(create))
            .route("/v1/payment_intents/{id}", get(retrieve))
            .route("/v1/payment_intents/{id}/cancel", post(cancel))
            .route("/v1/refunds", post(refund))
            .layer(middleware::from_fn_with_state(stripe.clone(), write_before_response))
            .layer(middleware::from_fn_with_state(stripe.clone(), reply))
            .with_state(stripe.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        stripe
    }

    /// A shop configured to use this provider.
    pub async fn opens_shop(&self) -> TestShop {
        TestShop::open_with(&self.vars()).await
    }

    /// Configuration of a shop that uses this provider.
    pub fn vars(&self) -> [(&'static str, &str); 6] {
        [
            ("STRIPE_SECRET_KEY", "sk_test_bare"),
            ("STRIPE_PUBLISHABLE_KEY", "pk_test_bare"),
            ("STRIPE_WEBHOOK_SECRET", "whsec_bare"),
            ("STRIPE_API_BASE", &self.url),
            ("SHOP_TAX", "table"),
            BEHIND_A_PROXY,
        ]
    }

    /// Before each response, writes to every table that a checkout could lock. A shop that kept a transaction open
    /// during a request to the provider would deadlock.
    pub fn writes_before_it_answers(&self, shop: &TestShop) {
        self.books.lock().unwrap().0 = Some(shop.inside().platform.db.clone());
    }

    pub fn count_writes(&self) -> usize {
        self.books.lock().unwrap().1
    }

    /// Responds to every GET request of this path with this body.
    pub fn replies(&self, path: &str, status: u16, content_type: &'static str, body: &'static str) {
        self.replies.lock().unwrap().insert(path.to_owned(), Reply::Fixed { status, content_type, body });
    }

    /// Lists these objects at this path, and rejects every filter.
    pub fn lists_unfiltered(&self, path: &str, objects: Value) {
        self.replies.lock().unwrap().insert(path.to_owned(), Reply::Unfiltered(objects));
    }

    /// Responds at this path as at first.
    pub fn recovers(&self, path: &str) {
        self.replies.lock().unwrap().remove(path);
    }

    /// Marks an intent as paid.
    pub fn takes(&self, id: &str) {
        self.shows(id, &json!({ "status": "succeeded", "latest_charge": "ch_1" }));
    }

    /// Adds these members to an intent, replacing existing ones.
    pub fn shows(&self, id: &str, members: &Value) {
        let mut intents = self.intents.lock().unwrap();
        let intent = intents.get_mut(id).unwrap().as_object_mut().unwrap();
        intent.extend(members.as_object().unwrap().clone());
    }

    pub fn status(&self, id: &str) -> String {
        self.intents.lock().unwrap()[id]["status"].as_str().unwrap().to_owned()
    }

    /// Intent id and amount in cents of each refund.
    pub fn refunds(&self) -> Vec<(String, i64)> {
        self.refunds.lock().unwrap().clone()
    }
}

async fn reply(State(stripe): State<BareStripe>, request: Request, next: Next) -> Response {
    let reply = stripe.replies.lock().unwrap().get(request.uri().path()).cloned();
    match reply {
        Some(_) if request.method() != Method::GET => next.run(request).await,
        None => next.run(request).await,
        Some(Reply::Fixed { status, content_type, body }) => {
            (StatusCode::from_u16(status).unwrap(), [(header::CONTENT_TYPE, content_type)], body).into_response()
        }
        Some(Reply::Unfiltered(objects)) => {
            let query = request.uri().query().unwrap_or_default();
            if query.contains("created") || query.contains("payment_intent") {
                let message =
                    json!({ "error": { "type": "invalid_request_error", "message": "Received unknown parameter" } });
                return (StatusCode::BAD_REQUEST, Json(message)).into_response();
            }
            Json(json!({ "data": objects })).into_response()
        }
    }
}

async fn write_before_response(State(stripe): State<BareStripe>, request: Request, next: Next) -> Response {
    let books = stripe.books.lock().unwrap().0.clone();
    if let Some(db) = books {
        let written = db.write((), |tx, ()| {
            Box::pin(async move {
                for table in ["products SET version", "orders SET version", "checkouts SET created_at"] {
                    let (_, column) = table.split_once(" SET ").unwrap();
                    let sql = sqlx::AssertSqlSafe(format!("UPDATE {table} = {column} + 0"));
                    sqlx::query(sql).execute(&mut *tx).await?;
                }
                Ok(())
            })
        });
        written.await.unwrap();
        stripe.books.lock().unwrap().1 += 1;
    }
    next.run(request).await
}

async fn list(State(stripe): State<BareStripe>) -> Json<Value> {
    let intents = stripe.intents.lock().unwrap();
    Json(json!({ "data": intents.values().collect::<Vec<_>>() }))
}

/// Rejects unsupported parameters with an error object in Stripe's format.
async fn create(
    State(stripe): State<BareStripe>,
    Form(fields): Form<BTreeMap<String, String>>,
) -> Result<Json<Value>, (StatusCode, Json<Value>)> {
    if let Some(unknown) = fields.keys().find(|name| name.starts_with("description") || name.starts_with("shipping")) {
        let error = json!({ "error": { "type": "invalid_request_error", "message": format!("Unexpected {unknown}") } });
        return Err((StatusCode::BAD_REQUEST, Json(error)));
    }
    let mut intents = stripe.intents.lock().unwrap();
    let id = format!("pi_{}", intents.len() + 1);
    let intent = json!({
        "id": id, "status": "requires_payment_method", "amount": fields["amount"].parse::<i64>().unwrap(),
        "currency": fields["currency"], "client_secret": format!("{id}_secret"),
    });
    intents.insert(id, intent.clone());
    Ok(Json(intent))
}

async fn retrieve(State(stripe): State<BareStripe>, Path(id): Path<String>) -> ApiResult {
    let intents = stripe.intents.lock().unwrap();
    intents.get(&id).cloned().map(Json).ok_or((StatusCode::NOT_FOUND, "no such thing"))
}

async fn cancel(State(stripe): State<BareStripe>, Path(id): Path<String>) -> ApiResult {
    if stripe.status(&id) == "succeeded" {
        return Err((StatusCode::BAD_REQUEST, "too late"));
    }
    stripe.shows(&id, &json!({ "status": "canceled" }));
    Ok(Json(stripe.intents.lock().unwrap()[&id].clone()))
}

async fn refund(State(stripe): State<BareStripe>, Form(fields): Form<BTreeMap<String, String>>) -> Json<Value> {
    let mut refunds = stripe.refunds.lock().unwrap();
    refunds.push((fields["payment_intent"].clone(), fields["amount"].parse().unwrap()));
    Json(json!({ "id": format!("re_{}", refunds.len()) }))
}
