//! Client of the mock Stripe's HTTP API, with the keys of a browser and of the Stripe dashboard.

use serde_json::{Value, json};

use super::{ApiResponse, Client, Intent, TestShop};

#[derive(Clone)]
pub struct Stripe {
    client: Client,
    publishable_key: String,
    secret_key: String,
}

impl TestShop {
    pub async fn mock_stripe_keys(&self) -> mock_stripe::Keys {
        self.inside().mock_stripe.as_ref().unwrap().keys().await.unwrap()
    }

    /// A dispute about a payment is open at the mock Stripe, and no event tells of it.
    pub async fn is_disputed_as(&self, id: &str, intent_id: &str) {
        self.has_dispute(id, intent_id, "needs_response").await;
    }

    /// A dispute about a payment has this status at the mock Stripe from now on, and no event tells of it.
    pub async fn has_dispute(&self, id: &str, intent_id: &str, status: &str) {
        let dispute = json!({
            "id": id, "charge": "ch_1", "payment_intent": intent_id, "amount": 100, "currency": "usd", "created": 1_700_000_000,
            "status": status, "reason": "general", "case_type": "chargeback", "network_reason_code": "10",
            "brand": "visa", "eligibility": [], "evidence": {}, "submissions": 0, "metadata": {},
        });
        self.has_at_the_provider("dispute", &dispute).await;
    }

    /// An early fraud warning about a payment is at the mock Stripe from now on, and no event tells of it.
    pub async fn has_fraud_warning(&self, id: &str, intent_id: &str, is_actionable: bool) {
        let warning = json!({
            "id": id, "charge": "ch_1", "payment_intent": intent_id, "created": 1_700_000_000, "actionable": is_actionable,
        });
        self.has_at_the_provider("early_fraud_warning", &warning).await;
    }

    async fn has_at_the_provider(&self, kind: &str, object: &Value) {
        let columns = "id, kind, parent, created_at, document";
        let values =
            format!("'{}', '{kind}', 'ch_1', {}, '{object}'", object["id"].as_str().unwrap(), self.clock.now_ms());
        let changed = "ON CONFLICT (id) DO UPDATE SET document = excluded.document";
        self.tamper(format!("INSERT INTO mock_stripe_objects ({columns}) VALUES ({values}) {changed}")).await;
    }

    pub async fn stripe(&self) -> Stripe {
        let config = self.visitor().get("/api/config").await.gives(200);
        let keys = self.mock_stripe_keys().await;
        Stripe {
            client: self.visitor(),
            publishable_key: config["payments"]["publishable_key"].as_str().unwrap().to_owned(),
            secret_key: keys.secret_key,
        }
    }
}

impl Stripe {
    pub fn secret_key(&self) -> &str {
        &self.secret_key
    }

    /// The same client for another process of this shop.
    pub fn at(&self, client: &Client) -> Self {
        Self { client: client.clone(), ..self.clone() }
    }

    /// Whether the payment succeeded. False if the server exits before it responds.
    pub async fn took(&self, intent: &Intent, payment_method: &str) -> bool {
        let fields = [("client_secret", intent.client_secret.as_str()), ("payment_method", payment_method)];
        let path = format!("/test-stripe/v1/payment_intents/{}/confirm", intent.id);
        let request = self.client.request("POST", &path).bearer_auth(&self.publishable_key);
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(form(&fields));
        self.client.sends_to_the_dying(request).await.is_some_and(|response| response.json()["status"] == "succeeded")
    }

    /// Confirms an intent like a browser does, with one of the test payment methods.
    pub async fn confirms(&self, intent: &Intent, payment_method: &str) -> ApiResponse {
        self.confirms_with(intent, &[("payment_method", payment_method)]).await
    }

    /// Confirms an intent like a browser does, with any form fields.
    pub async fn confirms_with(&self, intent: &Intent, fields: &[(&str, &str)]) -> ApiResponse {
        let secret = [("client_secret", intent.client_secret.as_str())];
        let path = format!("/v1/payment_intents/{}/confirm", intent.id);
        self.call("POST", &path, &self.publishable_key, &[&secret[..], fields].concat()).await
    }

    /// Pays an intent and asserts that the payment succeeded.
    pub async fn takes(&self, intent: &Intent, payment_method: &str) {
        let confirmed = self.confirms(intent, payment_method).await.gives(200);
        assert_eq!(confirmed["status"], "succeeded", "{confirmed}");
    }

    /// Completes 3D Secure on the bank's page; `outcome` is `complete` or `fail`.
    pub async fn answers_bank(&self, intent: &Value, outcome: &str) {
        let url = intent["next_action"]["redirect_to_url"]["url"].as_str().unwrap();
        let path = format!("/{}", url.splitn(4, '/').nth(3).unwrap());
        let question = self.client.get(&path).await;
        assert_eq!(question.status, 200, "{question}");
        let request = self.client.request("POST", &path).header("content-type", "application/x-www-form-urlencoded");
        let response = self.client.send(request.body(form(&[("outcome", outcome)]))).await;
        assert!(response.status < 400, "{response}");
    }

    /// Drops all webhooks from now on.
    pub async fn drops_webhooks(&self) {
        self.misbehaves(&json!({ "webhooks": { "drop_percent": 100 } })).await;
    }

    /// Injects faults into webhooks and API requests, see `mock_stripe/control.rs`.
    pub async fn misbehaves(&self, how: &Value) {
        let request = self.client.request("POST", "/test-stripe/control").bearer_auth(&self.secret_key);
        self.client.send(request.json(how)).await.gives(200);
    }

    /// Pays out the balance, as Stripe does once a day. Null while it is not positive.
    pub async fn pays_out(&self) -> Value {
        let request = self.client.request("POST", "/test-stripe/control/payouts").bearer_auth(&self.secret_key);
        let response = self.client.send(request).await;
        assert!(matches!(response.status, 200 | 400), "{response}");
        if response.status == 200 { response.json() } else { Value::Null }
    }

    /// The customer's bank returns a refund, days after it was made.
    pub async fn returns_refund(&self, id: &str) {
        let path = format!("/test-stripe/control/refunds/{id}/fail");
        let request = self.client.request("POST", &path).bearer_auth(&self.secret_key);
        self.client.send(request).await.gives(200);
    }

    /// Removes all injected faults.
    pub async fn behaves(&self) {
        let request = self.client.request("DELETE", "/test-stripe/control").bearer_auth(&self.secret_key);
        self.client.send(request).await.gives(200);
    }

    /// The intent with its charge, retrieved with the secret key.
    pub async fn intent(&self, id: &str) -> Value {
        self.as_shop("GET", &format!("/v1/payment_intents/{id}?expand[]=latest_charge"), &[]).await.gives(200)
    }

    /// Sends a request with the secret key, like the shop or the Stripe dashboard does.
    pub async fn as_shop(&self, method: &str, path: &str, fields: &[(&str, &str)]) -> ApiResponse {
        self.call(method, path, &self.secret_key, fields).await
    }

    pub async fn call(&self, method: &str, path: &str, key: &str, fields: &[(&str, &str)]) -> ApiResponse {
        let request = self.client.request(method, &format!("/test-stripe{path}")).bearer_auth(key);
        let request = match method {
            "GET" => request,
            _ => request.header("content-type", "application/x-www-form-urlencoded").body(form(fields)),
        };
        self.client.send(request).await
    }
}

pub fn form(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}
