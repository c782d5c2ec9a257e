//! Disputes: stored form, JSON form and lifecycle.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::balance_transaction::{BalanceTransaction, Type};
use crate::cards::Claim;
use crate::charge::Charge;
use crate::clock;
use crate::events::{self, Occurrence};
use crate::ids;
use crate::metadata::Metadata;
use crate::store::{Document, Kind, Resource};

/// Stripe's dispute fee in the United States, in cents: <https://stripe.com/pricing>.
const FEE: i64 = 1_500;
/// Evidence is due at the end of the eighth day.
const EVIDENCE_DUE_DAYS: i64 = 8;

/// Evidence texts that decide a dispute in test mode: <https://docs.stripe.com/testing#evidence>.
const WINNING: &str = "winning_evidence";
const LOSING: &str = "losing_evidence";
const ESCALATING: &str = "escalate_inquiry_evidence";

/// Members of `evidence`.
pub const EVIDENCE: [&str; 27] = [
    "access_activity_log",
    "billing_address",
    "cancellation_policy",
    "cancellation_policy_disclosure",
    "cancellation_rebuttal",
    "customer_communication",
    "customer_email_address",
    "customer_name",
    "customer_purchase_ip",
    "customer_signature",
    "duplicate_charge_documentation",
    "duplicate_charge_explanation",
    "duplicate_charge_id",
    "product_description",
    "receipt",
    "refund_policy",
    "refund_policy_disclosure",
    "refund_refusal_explanation",
    "service_date",
    "service_documentation",
    "shipping_address",
    "shipping_carrier",
    "shipping_date",
    "shipping_documentation",
    "shipping_tracking_number",
    "uncategorized_file",
    "uncategorized_text",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    WarningNeedsResponse,
    WarningUnderReview,
    WarningClosed,
    NeedsResponse,
    UnderReview,
    Won,
    Lost,
}

impl Status {
    fn is_inquiry(self) -> bool {
        matches!(self, Self::WarningNeedsResponse | Self::WarningUnderReview | Self::WarningClosed)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub charge: String,
    pub payment_intent: String,
    /// In cents.
    amount: i64,
    currency: String,
    /// In seconds.
    created: i64,
    status: Status,
    reason: String,
    case_type: String,
    network_reason_code: String,
    brand: String,
    eligibility: Vec<String>,
    evidence: BTreeMap<String, String>,
    submissions: i64,
    pub metadata: Metadata,
    /// Time of the withdrawal, in seconds.
    withdrawn: Option<i64>,
    /// Time of the reinstatement, in seconds.
    reinstated: Option<i64>,
}

impl Document for Dispute {
    const KIND: Kind = Kind::Dispute;

    fn id(&self) -> &str {
        &self.id
    }

    fn parent(&self) -> Option<&str> {
        Some(&self.charge)
    }
}

impl Resource for Dispute {
    const PATH: &'static str = "/v1/disputes";

    fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "dispute",
            "amount": self.amount,
            "balance_transactions": self.balance_transactions(),
            "charge": self.charge,
            "created": self.created,
            "currency": self.currency,
            "enhanced_eligibility_types": self.eligibility,
            "evidence": self.evidence_json(),
            "evidence_details": {
                "due_by": self.due_by(),
                "enhanced_eligibility": {},
                "has_evidence": !self.evidence.is_empty(),
                "past_due": false,
                "submission_count": self.submissions,
            },
            "is_charge_refundable": self.is_charge_refundable(),
            "livemode": false,
            "metadata": self.metadata,
            "payment_intent": self.payment_intent,
            "payment_method_details": {
                "card": {
                    "brand": self.brand,
                    "case_type": self.case_type,
                    "network": self.brand,
                    "network_reason_code": self.network_reason_code,
                },
                "type": "card",
            },
            "reason": self.reason,
            "status": self.status,
        })
    }
}

impl Dispute {
    /// Several disputes of one charge share its amount.
    pub fn all_of(charge: &Charge, claims: &[Claim], now_ms: i64) -> Vec<Self> {
        let count = i64::try_from(claims.len()).unwrap_or(1).max(1);
        let part = charge.amount / count;
        let mut left = charge.amount;
        let mut disputes = Vec::with_capacity(claims.len());
        for (claim, later) in claims.iter().zip((0..count).rev()) {
            let amount = if later == 0 { left } else { part };
            left -= amount;
            disputes.push(Self::of(charge, claim, amount, now_ms));
        }
        disputes
    }

    fn of(charge: &Charge, claim: &Claim, amount: i64, now_ms: i64) -> Self {
        let is_inquiry = claim.case_type == "inquiry";
        let now = now_ms / clock::SECOND;
        Self {
            id: ids::new_id("du"),
            charge: charge.id.clone(),
            payment_intent: charge.payment_intent.clone(),
            amount,
            currency: charge.currency.clone(),
            created: now,
            status: if is_inquiry { Status::WarningNeedsResponse } else { Status::NeedsResponse },
            reason: claim.reason.to_owned(),
            case_type: claim.case_type.to_owned(),
            network_reason_code: claim.network_reason_code.to_owned(),
            brand: charge.method.card().map(|card| card.brand).unwrap_or_default().to_owned(),
            eligibility: claim.eligibility.iter().map(|kind| (*kind).to_owned()).collect(),
            evidence: BTreeMap::new(),
            submissions: 0,
            metadata: Metadata::new(),
            withdrawn: (!is_inquiry).then_some(now),
            reinstated: None,
        }
    }

    pub fn is_open(&self) -> bool {
        !matches!(self.status, Status::WarningClosed | Status::Won | Status::Lost)
    }

    /// Whether the charge can still be refunded: withdrawn funds cannot.
    pub fn is_charge_refundable(&self) -> bool {
        self.status.is_inquiry() || self.status == Status::Won
    }

    /// Stores the given evidence; an empty text removes it.
    pub fn stage(&mut self, evidence: BTreeMap<String, String>) {
        for (name, text) in evidence {
            if text.is_empty() {
                self.evidence.remove(&name);
            } else {
                self.evidence.insert(name, text);
            }
        }
    }

    /// Submits the evidence to the bank; the dispute is then under review.
    pub fn submit(&mut self) {
        self.submissions += 1;
        self.status = if self.status.is_inquiry() { Status::WarningUnderReview } else { Status::UnderReview };
    }

    /// The bank's decision on submitted evidence, if test mode has one. Stripe decides some seconds later; the mock
    /// decides immediately.
    pub fn decide(&mut self, now: i64) -> Vec<Occurrence> {
        let text = self.evidence.get("uncategorized_text").map(String::as_str);
        match (text, self.status.is_inquiry()) {
            (Some(ESCALATING), true) => {
                self.status = Status::NeedsResponse;
                self.case_type = "chargeback".to_owned();
                self.network_reason_code = "10.4".to_owned();
                self.withdrawn = Some(now);
                vec![
                    self.event(events::Type::ChargeDisputeUpdated),
                    self.event(events::Type::ChargeDisputeFundsWithdrawn),
                ]
            }
            (Some(WINNING), false) => {
                self.status = Status::Won;
                self.reinstated = Some(now);
                vec![
                    self.event(events::Type::ChargeDisputeFundsReinstated),
                    self.event(events::Type::ChargeDisputeClosed),
                ]
            }
            (Some(WINNING), true) | (Some(LOSING), _) => vec![self.close()],
            _ => Vec::new(),
        }
    }

    /// Accepts the dispute: an inquiry is closed, a dispute is lost.
    pub fn close(&mut self) -> Occurrence {
        self.status = if self.status.is_inquiry() { Status::WarningClosed } else { Status::Lost };
        self.event(events::Type::ChargeDisputeClosed)
    }

    pub fn event(&self, kind: events::Type) -> Occurrence {
        Occurrence::new(kind, self.to_json())
    }

    fn due_by(&self) -> i64 {
        let day = clock::DAY / clock::SECOND;
        (self.created / day + EVIDENCE_DUE_DAYS + 1) * day - 1
    }

    fn evidence_json(&self) -> Value {
        let mut shown: Map<String, Value> =
            EVIDENCE.iter().map(|name| ((*name).to_owned(), json!(self.evidence.get(*name)))).collect();
        shown.insert("enhanced_evidence".to_owned(), json!({}));
        Value::Object(shown)
    }

    pub fn withdrawal(&self) -> Option<BalanceTransaction> {
        let transaction = BalanceTransaction {
            id: self.id.replacen("du_", "txn_", 1),
            kind: Type::Dispute,
            amount: -self.amount,
            fee: FEE,
            currency: self.currency.clone(),
            created: self.withdrawn?,
            description: Some(format!("Chargeback withdrawal for {}", self.charge)),
            source: self.id.clone(),
        };
        Some(transaction)
    }

    pub fn reinstatement(&self) -> Option<BalanceTransaction> {
        let transaction = BalanceTransaction {
            id: self.id.replacen("du_", "txn_r", 1),
            kind: Type::DisputeReversal,
            amount: self.amount,
            fee: -FEE,
            currency: self.currency.clone(),
            created: self.reinstated?,
            description: Some(format!("Chargeback reversal for {}", self.charge)),
            source: self.id.clone(),
        };
        Some(transaction)
    }

    fn balance_transactions(&self) -> Vec<Value> {
        self.withdrawal().into_iter().chain(self.reinstatement()).map(|transaction| transaction.to_json()).collect()
    }
}
