//! Whether the provider accepts the key, for `nudgelight check`.

use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use stripe::StripeRequest as _;
use stripe_core::payment_intent::ListPaymentIntent;

use super::client::Provider;
use super::transport::TransportError;

const TIMEOUT: Duration = Duration::from_secs(10);

pub enum ProbeError {
    /// The status of a response that is not a success.
    Status(u16),
    /// A successful response that is not a list.
    NotStripe,
    Unreachable(String),
    NoResponse,
}

/// A list of the provider, whatever its objects are.
#[derive(Deserialize)]
struct List {
    #[expect(dead_code, reason = "it only has to be there")]
    data: Vec<IgnoredAny>,
}

impl Provider {
    /// Requests one payment intent, which every usable key must be allowed to. Only checks that the response is a list:
    /// a provider that works with the shop may leave out members of its objects (ADR 15).
    pub async fn probe(&self) -> Result<(), ProbeError> {
        let request = self.transport.send(ListPaymentIntent::new().limit(1).build(), None);
        match tokio::time::timeout(TIMEOUT, request).await {
            Ok(Ok(body)) => match serde_json::from_slice::<List>(&body) {
                Ok(_) => Ok(()),
                Err(_) => Err(ProbeError::NotStripe),
            },
            Ok(Err(TransportError::Api { status, .. } | TransportError::Other { status, .. })) => {
                Err(ProbeError::Status(status))
            }
            Ok(Err(TransportError::Unreachable(cause))) => Err(ProbeError::Unreachable(cause)),
            Err(_) => Err(ProbeError::NoResponse),
        }
    }
}
