//! Charges: payment attempts, created when an intent succeeds or is declined. Refunds are taken from them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::balance_transaction::{BalanceTransaction, Type};
use crate::cards::{Decline, Risk};
use crate::metadata::Metadata;
use crate::payment_method::PaymentMethod;
use crate::postal::Shipping;
use crate::store::{Document, Kind, Resource};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    pub id: String,
    pub payment_intent: String,
    /// In cents, like every amount here.
    pub amount: i64,
    pub amount_refunded: i64,
    pub currency: String,
    /// In seconds.
    pub created: i64,
    pub description: Option<String>,
    pub metadata: Metadata,
    pub receipt_email: Option<String>,
    pub shipping: Option<Shipping>,
    pub statement_descriptor: Option<String>,
    pub statement_descriptor_suffix: Option<String>,
    pub method: PaymentMethod,
    pub authentication: Authenticated,
    pub decline: Option<Decline>,
    /// Stays true after the dispute is closed.
    #[serde(default)]
    pub disputed: bool,
}

/// 3-D Secure authentication of the payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authenticated {
    No,
    Yes,
    /// Frictionless: approved by the bank without a challenge.
    Frictionless,
}

/// Members of features that the mock does not have: customers, connected accounts, Stripe's own receipts.
const ALWAYS_NULL: &[&str] = &[
    "application",
    "application_fee",
    "application_fee_amount",
    "customer",
    "failure_balance_transaction",
    "on_behalf_of",
    "receipt_number",
    "receipt_url",
    "review",
    "source",
    "source_transfer",
    "transfer_data",
    "transfer_group",
];

impl Document for Charge {
    const KIND: Kind = Kind::Charge;

    fn id(&self) -> &str {
        &self.id
    }

    fn parent(&self) -> Option<&str> {
        Some(&self.payment_intent)
    }
}

impl Resource for Charge {
    const PATH: &'static str = "/v1/charges";

    fn to_json(&self) -> Value {
        let captured = if self.succeeded() { self.amount } else { 0 };
        let mut shown = json!({
            "id": self.id,
            "object": "charge",
            "amount": self.amount,
            "amount_captured": captured,
            "amount_refunded": self.amount_refunded,
            "balance_transaction": self.succeeded().then(|| self.id.replacen("ch_", "txn_", 1)),
            "billing_details": self.method.billing_json(),
            "calculated_statement_descriptor": self.statement_descriptor,
            "captured": self.succeeded(),
            "created": self.created,
            "currency": self.currency,
            "description": self.description,
            "disputed": self.disputed,
            "failure_code": self.decline.map(Decline::code),
            "failure_message": self.decline.map(Decline::message),
            "fraud_details": {},
            "livemode": false,
            "metadata": self.metadata,
            "outcome": self.outcome(),
            "paid": self.succeeded(),
            "payment_intent": self.payment_intent,
            "payment_method": self.method.id,
            "payment_method_details": { "card": self.card_details(), "type": "card" },
            "radar_options": {},
            "receipt_email": self.receipt_email,
            "refunded": self.succeeded() && self.refundable() == 0,
            "shipping": self.shipping,
            "statement_descriptor": self.statement_descriptor,
            "statement_descriptor_suffix": self.statement_descriptor_suffix,
            "status": if self.succeeded() { "succeeded" } else { "failed" },
        });
        for member in ALWAYS_NULL {
            shown[*member] = Value::Null;
        }
        shown
    }
}

impl Charge {
    pub fn succeeded(&self) -> bool {
        self.decline.is_none()
    }

    pub fn refundable(&self) -> i64 {
        self.amount.saturating_sub(self.amount_refunded)
    }

    /// The payment, with Stripe's fee of 2.9 % and 30 cents: <https://stripe.com/pricing>.
    pub fn balance_transaction(&self) -> BalanceTransaction {
        BalanceTransaction {
            id: self.id.replacen("ch_", "txn_", 1),
            kind: Type::Charge,
            amount: self.amount,
            fee: (self.amount * 29 + 500) / 1_000 + 30,
            currency: self.currency.clone(),
            created: self.created,
            description: self.description.clone(),
            source: self.id.clone(),
        }
    }

    fn outcome(&self) -> Value {
        let (network_status, kind, seller_message) = match self.decline {
            None => ("approved_by_network", "authorized", "Payment complete.".to_owned()),
            Some(decline) if decline.is_blocked() => {
                ("not_sent_to_network", "blocked", "Stripe blocked this payment as too risky.".to_owned())
            }
            Some(decline) => (
                "declined_by_network",
                "issuer_declined",
                format!("The bank returned the decline code `{}`.", decline.decline_code()),
            ),
        };
        let blocked = kind == "blocked";
        let elevated = self.method.card().is_some_and(|card| card.risk == Risk::Elevated);
        let (risk_level, risk_score) = match (blocked, elevated) {
            (true, _) => ("highest", 95),
            (false, true) => ("elevated", 70),
            (false, false) => ("normal", 20),
        };
        json!({
            "advice_code": null,
            "network_advice_code": null,
            "network_decline_code": null,
            "network_status": network_status,
            "reason": self.decline.map(|decline| {
                if blocked { "highest_risk_level" } else { decline.decline_code() }
            }),
            "risk_level": risk_level,
            "risk_score": risk_score,
            "seller_message": seller_message,
            "type": kind,
        })
    }

    fn card_details(&self) -> Value {
        let mut card = self.method.card_json();
        let network = card.get("brand").cloned().unwrap_or_default();
        let more = json!({
            "amount_authorized": self.succeeded().then_some(self.amount),
            "authorization_code": null,
            "extended_authorization": { "status": "disabled" },
            "incremental_authorization": { "status": "unavailable" },
            "installments": null,
            "mandate": null,
            "multicapture": { "status": "unavailable" },
            "network": network,
            "network_token": { "used": false },
            "network_transaction_id": null,
            "overcapture": { "maximum_amount_capturable": self.amount, "status": "unavailable" },
            "three_d_secure": self.three_d_secure(),
            "transaction_link_id": null,
        });
        if let (Value::Object(card), Value::Object(more)) = (&mut card, more) {
            card.extend(more);
        }
        card
    }

    fn three_d_secure(&self) -> Value {
        let flow = match self.authentication {
            Authenticated::No => return Value::Null,
            Authenticated::Yes => "challenge",
            Authenticated::Frictionless => "frictionless",
        };
        json!({
            "authentication_flow": flow,
            "electronic_commerce_indicator": "05",
            "exemption_indicator": null,
            "result": "authenticated",
            "result_reason": null,
            "transaction_id": self.id.replacen("ch_", "", 1),
            "version": "2.2.0",
        })
    }
}
