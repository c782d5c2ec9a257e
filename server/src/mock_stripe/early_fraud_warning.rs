//! `/v1/radar/early_fraud_warnings`: list and retrieve. Fraud reports of a card's issuer, without a transfer of money.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::api_error::CallError;
use super::call::{ApiResponse, Call};
use super::charge::Charge;
use super::expand::{self, Expansion};
use super::ids;
use super::lists;
use super::store::{self, Document, Kind};
use crate::infra::clock;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlyFraudWarning {
    id: String,
    charge: String,
    payment_intent: String,
    /// In seconds.
    created: i64,
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

impl EarlyFraudWarning {
    pub fn of(charge: &Charge, now_ms: i64) -> Self {
        Self {
            id: ids::new_id("issfr"),
            charge: charge.id.clone(),
            payment_intent: charge.payment_intent.clone(),
            created: now_ms / clock::SECOND,
        }
    }

    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "radar.early_fraud_warning",
            "actionable": true,
            "charge": self.charge,
            "created": self.created,
            "fraud_type": "misc",
            "livemode": false,
            "payment_intent": self.payment_intent,
        })
    }
}

pub async fn list(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "early_fraud_warning")?;
    let mut range = lists::take_range(&mut call.form)?;
    let intent_id = call.form.take_text("payment_intent")?;
    let charge_id = call.form.take_text("charge")?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    range.parent = lists::charge_of(&mut connection, intent_id, charge_id).await?;
    let found: Vec<EarlyFraudWarning> = store::list(&mut connection, &range.with_one_more()).await?;
    let shown = found.iter().map(EarlyFraudWarning::to_json).collect();
    let mut page = lists::page("/v1/radar/early_fraud_warnings", shown, &range);
    expansion.apply(&mut connection, &mut page).await?;
    Ok(ApiResponse::ok(&page))
}

pub async fn retrieve(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "early_fraud_warning")?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let warning: EarlyFraudWarning =
        expand::load(&mut connection, "early_fraud_warning", &call.id, "early_fraud_warning").await?;
    let mut shown = warning.to_json();
    expansion.apply(&mut connection, &mut shown).await?;
    Ok(ApiResponse::ok(&shown))
}
