//! Payment intents: stored form and JSON form.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use subtle::ConstantTimeEq as _;

use crate::metadata::Metadata;
use crate::postal::Shipping;
use crate::store::{Document, Kind, Resource};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    RequiresPaymentMethod,
    RequiresConfirmation,
    RequiresAction,
    Succeeded,
    Canceled,
}

impl Status {
    pub fn word(self) -> &'static str {
        match self {
            Self::RequiresPaymentMethod => "requires_payment_method",
            Self::RequiresConfirmation => "requires_confirmation",
            Self::RequiresAction => "requires_action",
            Self::Succeeded => "succeeded",
            Self::Canceled => "canceled",
        }
    }

    /// Whether the intent can no longer change.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Succeeded | Self::Canceled)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    pub id: String,
    pub client_secret: String,
    pub status: Status,
    /// In cents.
    pub amount: i64,
    pub currency: String,
    /// In seconds.
    pub created: i64,
    pub description: Option<String>,
    pub metadata: Metadata,
    pub receipt_email: Option<String>,
    pub setup_future_usage: Option<String>,
    pub shipping: Option<Shipping>,
    pub statement_descriptor: Option<String>,
    pub statement_descriptor_suffix: Option<String>,
    pub capture_method: String,
    pub confirmation_method: String,
    /// Stripe's `allow_redirects` for automatic payment methods; None for listed ones.
    pub automatic_redirects: Option<String>,
    pub payment_method_types: Vec<String>,
    pub payment_method: Option<String>,
    pub latest_charge: Option<String>,
    pub last_payment_error: Option<Value>,
    pub amount_received: i64,
    pub canceled_at: Option<i64>,
    pub cancellation_reason: Option<String>,
    /// Redirect target after the bank's page.
    pub return_url: Option<String>,
    /// The bank's page, while a challenge is pending.
    pub challenge_url: Option<String>,
}

/// Members of features that the mock does not have: customers, connected accounts, reviews.
const ALWAYS_NULL: &[&str] = &[
    "application",
    "application_fee_amount",
    "customer",
    "customer_account",
    "excluded_payment_method_types",
    "on_behalf_of",
    "payment_method_configuration_details",
    "processing",
    "review",
    "source",
    "transfer_data",
    "transfer_group",
];

impl Document for Intent {
    const KIND: Kind = Kind::PaymentIntent;

    fn id(&self) -> &str {
        &self.id
    }
}

impl Resource for Intent {
    const PATH: &'static str = "/v1/payment_intents";

    /// The full object, for the secret key.
    fn to_json(&self) -> Value {
        let mut shown = json!({
            "id": self.id,
            "object": "payment_intent",
            "amount": self.amount,
            "amount_capturable": 0,
            "amount_details": { "tip": {} },
            "amount_received": self.amount_received,
            "automatic_payment_methods": self.automatic_redirects.as_ref().map(|redirects| {
                json!({ "allow_redirects": redirects, "enabled": true })
            }),
            "canceled_at": self.canceled_at,
            "cancellation_reason": self.cancellation_reason,
            "capture_method": self.capture_method,
            "client_secret": self.client_secret,
            "confirmation_method": self.confirmation_method,
            "created": self.created,
            "currency": self.currency,
            "description": self.description,
            "last_payment_error": self.last_payment_error,
            "latest_charge": self.latest_charge,
            "livemode": false,
            "managed_payments": { "enabled": false },
            "metadata": self.metadata,
            "next_action": self.next_action(),
            "payment_method": self.payment_method,
            "payment_method_options": {
                "card": {
                    "installments": null,
                    "mandate_options": null,
                    "network": null,
                    "request_three_d_secure": "automatic",
                },
            },
            "payment_method_types": self.payment_method_types,
            "receipt_email": self.receipt_email,
            "setup_future_usage": self.setup_future_usage,
            "shipping": self.shipping,
            "statement_descriptor": self.statement_descriptor,
            "statement_descriptor_suffix": self.statement_descriptor_suffix,
            "status": self.status.word(),
        });
        for member in ALWAYS_NULL {
            shown[*member] = Value::Null;
        }
        shown
    }
}

impl Intent {
    pub fn is_known_by(&self, client_secret: &str) -> bool {
        self.client_secret.as_bytes().ct_eq(client_secret.as_bytes()).into()
    }

    fn next_action(&self) -> Value {
        match &self.challenge_url {
            None => Value::Null,
            Some(url) => json!({
                "redirect_to_url": { "return_url": self.return_url, "url": url },
                "type": "redirect_to_url",
            }),
        }
    }
}

/// Members that a publishable key may read: no metadata, no charge, no account data.
const PUBLIC: &[&str] = &[
    "id",
    "object",
    "amount",
    "amount_details",
    "automatic_payment_methods",
    "canceled_at",
    "cancellation_reason",
    "capture_method",
    "client_secret",
    "confirmation_method",
    "created",
    "currency",
    "description",
    "excluded_payment_method_types",
    "last_payment_error",
    "livemode",
    "next_action",
    "payment_method",
    "payment_method_configuration_details",
    "payment_method_types",
    "processing",
    "receipt_email",
    "setup_future_usage",
    "shipping",
    "source",
    "status",
];

/// The public members of an intent's JSON.
pub fn public_view(intent: Value) -> Value {
    match intent {
        Value::Object(members) => Value::Object(
            members.into_iter().filter(|(name, _)| PUBLIC.contains(&name.as_str())).collect::<Map<_, _>>(),
        ),
        other => other,
    }
}
