//! Early fraud warnings: reports of a card's issuer, without a transfer of money.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::charge::Charge;
use crate::clock;
use crate::events::{Occurrence, Type};
use crate::ids;
use crate::store::{Document, Kind, Resource};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlyFraudWarning {
    id: String,
    charge: String,
    payment_intent: String,
    /// In seconds.
    created: i64,
    actionable: bool,
}

impl Document for EarlyFraudWarning {
    const KIND: Kind = Kind::EarlyFraudWarning;

    fn id(&self) -> &str {
        &self.id
    }

    fn parent(&self) -> Option<&str> {
        Some(&self.charge)
    }
}

impl Resource for EarlyFraudWarning {
    const PATH: &'static str = "/v1/radar/early_fraud_warnings";

    fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "radar.early_fraud_warning",
            "actionable": self.actionable,
            "charge": self.charge,
            "created": self.created,
            "fraud_type": "misc",
            "livemode": false,
            "payment_intent": self.payment_intent,
        })
    }
}

impl EarlyFraudWarning {
    pub fn of(charge: &Charge, now_ms: i64) -> Self {
        Self {
            id: ids::new_id("issfr"),
            charge: charge.id.clone(),
            payment_intent: charge.payment_intent.clone(),
            created: now_ms / clock::SECOND,
            actionable: true,
        }
    }

    /// Marks the warning of a charge that was refunded in full. None if it already was.
    pub fn refunded(&mut self) -> Option<Occurrence> {
        if !self.actionable {
            return None;
        }
        self.actionable = false;
        let previous = Some(json!({ "actionable": true }));
        Some(Occurrence { kind: Type::RadarEarlyFraudWarningUpdated, object: self.to_json(), previous })
    }
}
