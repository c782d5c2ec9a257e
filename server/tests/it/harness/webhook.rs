//! Webhook events signed like Stripe's. Tests create them directly, so that they can also be invalid.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{ApiResponse, TestShop};

/// The `Stripe-Signature` header for this body: `t=…,v1=…`.
pub fn signature(secret: &str, seconds: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{seconds}.{body}").as_bytes());
    format!("t={seconds},v1={}", hex::encode(mac.finalize().into_bytes()))
}

/// An event about an object, in Stripe's envelope.
pub fn event(id: &str, kind: &str, object: &Value) -> String {
    json!({
        "id": id, "object": "event", "api_version": "2026-09-30.endive", "created": 1_700_000_000, "livemode": false,
        "pending_webhooks": 1, "request": { "id": null, "idempotency_key": null }, "type": kind,
        "data": { "object": object },
    })
    .to_string()
}

impl TestShop {
    pub fn webhook_secret(&self) -> &str {
        &self.inside().checkout.provider.webhook_secret
    }

    pub fn now_seconds(&self) -> i64 {
        self.clock.now_ms() / 1_000
    }

    /// Sends an event to the webhook endpoint with a valid, current signature.
    pub async fn receives(&self, body: &str) -> ApiResponse {
        self.receives_signed(body, &signature(self.webhook_secret(), self.now_seconds(), body)).await
    }

    pub async fn receives_signed(&self, body: &str, signature: &str) -> ApiResponse {
        let visitor = self.visitor();
        let request = visitor.request("POST", "/api/webhooks/stripe").header("stripe-signature", signature);
        visitor.send(request.header("content-type", "application/json").body(body.to_owned())).await
    }
}
