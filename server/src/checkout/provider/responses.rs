//! Responses of the provider, reduced to the members that the shop uses. Few members are required, so that any server
//! that implements enough of Stripe's API to take a payment works behind `STRIPE_API_BASE`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use wasm_core::orders::Card;

/// Why a response can't be read.
#[derive(Debug)]
pub enum ReadError {
    NotJson,
    /// Names the member that is missing or of the wrong type.
    Members(String),
}

pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, ReadError> {
    let value: serde_json::Value = serde_json::from_slice(body).map_err(|_| ReadError::NotJson)?;
    serde_json::from_value(value).map_err(|error| ReadError::Members(format!("invalid response: {error}")))
}

#[derive(Debug, Deserialize)]
pub struct PaymentIntent {
    pub id: String,
    pub status: String,
    pub amount: i64,
    pub currency: String,
    pub client_secret: Option<String>,
    pub amount_received: Option<i64>,
    pub livemode: Option<bool>,
    pub metadata: Option<serde_json::Value>,
    pub latest_charge: Option<Reference<Charge>>,
    /// Of any form, because the order does not depend on it.
    pub shipping: Option<serde_json::Value>,
    pub created: Option<i64>,
}

/// An expandable member: an object or its id.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Reference<T> {
    Id(String),
    Object(T),
    Unknown(IgnoredAny),
}

#[derive(Debug, Deserialize)]
pub struct Charge {
    pub amount_refunded: Option<i64>,
    pub billing_details: Option<BillingDetails>,
    /// Of any form, because the order does not depend on it.
    pub payment_method_details: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
pub struct BillingDetails {
    pub name: Option<String>,
    pub phone: Option<String>,
    pub address: Option<BillingAddress>,
}

#[derive(Debug, Deserialize)]
pub struct BillingAddress {
    pub line1: Option<String>,
    pub line2: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub postal_code: Option<String>,
    pub country: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Refund {
    pub id: String,
    pub amount: Option<i64>,
    pub status: Option<String>,
    pub payment_intent: Option<Reference<IdOnly>>,
    pub metadata: Option<serde_json::Value>,
    pub created: Option<i64>,
    pub failure_reason: Option<String>,
    pub failure_balance_transaction: Option<Reference<CreatedOnly>>,
}

/// An object of which only the time is read.
#[derive(Debug, Deserialize)]
pub struct CreatedOnly {
    pub created: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub status: String,
    pub payment_intent: Option<Reference<IdOnly>>,
    pub amount: Option<i64>,
    pub reason: Option<String>,
    /// Of any form, because the status does not depend on it.
    pub evidence_details: Option<serde_json::Value>,
    /// Of any form, as above.
    pub balance_transactions: Option<serde_json::Value>,
    pub created: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub struct FraudWarning {
    pub id: String,
    pub payment_intent: Option<Reference<IdOnly>>,
    pub actionable: Option<bool>,
    pub fraud_type: Option<String>,
    pub created: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub struct BalanceTransaction {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub reporting_category: Option<String>,
    pub amount: i64,
    pub fee: i64,
    pub net: i64,
    pub currency: String,
    pub description: Option<String>,
    pub created: i64,
    pub source: Option<Reference<Source>>,
}

/// The charge, refund, dispute or payout of a balance transaction.
#[derive(Debug, Deserialize)]
pub struct Source {
    pub id: String,
    pub payment_intent: Option<Reference<IdOnly>>,
}

#[derive(Debug, Deserialize)]
pub struct Payout {
    pub id: String,
    pub amount: i64,
    pub status: String,
    pub arrival_date: i64,
    pub created: i64,
    /// Whether the balance transactions of the payout can be listed.
    pub reconciliation_status: Option<String>,
}

/// An object of which only the id is read.
#[derive(Debug, Deserialize)]
pub struct IdOnly {
    pub id: String,
}

impl PaymentIntent {
    /// A metadata value, if the provider stores metadata.
    pub fn metadata_value(&self, name: &str) -> Option<String> {
        self.metadata.as_ref()?.get(name)?.as_str().map(str::to_owned)
    }

    /// All metadata values; none if the provider stores no metadata.
    pub fn metadata_values(&self) -> BTreeMap<String, String> {
        let members = self.metadata.as_ref().and_then(serde_json::Value::as_object);
        let values = members.into_iter().flatten();
        values.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
    }
}

impl Charge {
    /// The card, if the provider reports one.
    pub fn card(&self) -> Option<Card> {
        let card = self.payment_method_details.as_ref()?.get("card")?;
        Card::parse(card.get("brand")?.as_str()?, card.get("last4")?.as_str()?)
    }
}

impl Reference<IdOnly> {
    fn id(&self) -> Option<&str> {
        match self {
            Self::Id(id) | Self::Object(IdOnly { id }) => Some(id),
            Self::Unknown(_) => None,
        }
    }
}

impl Reference<Source> {
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Id(id) | Self::Object(Source { id, .. }) => Some(id),
            Self::Unknown(_) => None,
        }
    }

    /// Id of its payment intent, if it is an object that has one.
    pub fn intent_id(&self) -> Option<&str> {
        match self {
            Self::Object(source) => source.payment_intent.as_ref()?.id(),
            Self::Id(_) | Self::Unknown(_) => None,
        }
    }
}

impl Dispute {
    /// Id of its payment intent, if the provider has that member.
    pub fn intent_id(&self) -> Option<&str> {
        self.payment_intent.as_ref()?.id()
    }

    /// Until when evidence is accepted, in seconds.
    pub fn due_by(&self) -> Option<i64> {
        self.evidence_details.as_ref()?.get("due_by")?.as_i64()
    }

    /// Sum of the withdrawals in cents, without fees.
    pub fn withdrawn(&self) -> i64 {
        self.amounts().filter(|amount| *amount < 0).fold(0, i64::saturating_sub)
    }

    /// Sum of the reinstatements in cents, without fees.
    pub fn reinstated(&self) -> i64 {
        self.amounts().filter(|amount| *amount > 0).fold(0, i64::saturating_add)
    }

    fn amounts(&self) -> impl Iterator<Item = i64> {
        let transactions = self.balance_transactions.as_ref().and_then(serde_json::Value::as_array);
        transactions.into_iter().flatten().filter_map(|transaction| transaction.get("amount")?.as_i64())
    }
}

impl FraudWarning {
    /// Id of its payment intent, if the provider has that member.
    pub fn intent_id(&self) -> Option<&str> {
        self.payment_intent.as_ref()?.id()
    }
}

impl Refund {
    /// Id of its payment intent, if the provider has that member.
    pub fn intent_id(&self) -> Option<&str> {
        self.payment_intent.as_ref()?.id()
    }

    /// A metadata value, if the provider stores metadata.
    pub fn metadata_value(&self, name: &str) -> Option<String> {
        self.metadata.as_ref()?.get(name)?.as_str().map(str::to_owned)
    }

    /// When the amount of a failed refund returned to the balance, in seconds.
    pub fn failed_at(&self) -> Option<i64> {
        match &self.failure_balance_transaction {
            Some(Reference::Object(transaction)) => transaction.created,
            _ => None,
        }
    }

    /// Whether the refund failed. A pending refund has not failed.
    pub fn is_failed(&self) -> bool {
        matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }
}

#[derive(Debug, Deserialize)]
pub struct List<T> {
    pub data: Vec<T>,
    /// False if the provider has no such member.
    #[serde(default)]
    pub has_more: bool,
}

/// An object of a list that is paged by id.
pub trait Listed {
    fn id(&self) -> &str;
}

impl Listed for PaymentIntent {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Listed for Refund {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Listed for Dispute {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Listed for FraudWarning {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Listed for BalanceTransaction {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Listed for Payout {
    fn id(&self) -> &str {
        &self.id
    }
}

#[derive(Debug, Deserialize)]
pub struct TaxCalculation {
    pub id: String,
    pub tax_amount_exclusive: i64,
    #[serde(default)]
    pub tax_breakdown: Vec<TaxBreakdown>,
}

#[derive(Debug, Deserialize)]
pub struct TaxBreakdown {
    pub amount: i64,
    pub tax_rate_details: TaxRateDetails,
}

#[derive(Debug, Deserialize)]
pub struct TaxRateDetails {
    #[serde(default)]
    pub percentage_decimal: String,
    pub country: Option<String>,
    pub state: Option<String>,
    pub tax_type: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct TaxTransaction {
    pub id: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intent(text: &str) -> Result<PaymentIntent, ReadError> {
        read(text.as_bytes())
    }

    #[test]
    fn an_intent_needs_its_id_status_amount_and_currency_and_nothing_else() {
        let members = [r#""id":"pi_1""#, r#""status":"succeeded""#, r#""amount":100"#, r#""currency":"usd""#];
        let whole = intent(&format!("{{{}}}", members.join(","))).unwrap();
        assert_eq!((whole.amount, whole.livemode, whole.amount_received), (100, None, None));
        for left_out in members {
            let rest: Vec<&str> = members.into_iter().filter(|member| *member != left_out).collect();
            assert!(intent(&format!("{{{}}}", rest.join(","))).is_err(), "{left_out}");
        }
    }

    #[test]
    fn a_charge_may_be_an_id_an_object_or_missing() {
        let with = |charge: &str| {
            let text = format!(r#"{{"id":"pi_1","status":"x","amount":1,"currency":"usd","latest_charge":{charge}}}"#);
            intent(&text).unwrap().latest_charge
        };
        assert!(matches!(with(r#""ch_1""#), Some(Reference::Id(id)) if id == "ch_1"));
        let object = with(r#"{"id":"ch_1","amount_refunded":7,"billing_details":{"name":null},"more":[{}]}"#);
        assert!(matches!(object, Some(Reference::Object(charge)) if charge.amount_refunded == Some(7)));
        assert!(with("null").is_none());
        assert!(matches!(with("[]"), Some(Reference::Object(_) | Reference::Unknown(_))));
        assert!(matches!(with("7"), Some(Reference::Unknown(_))));
    }

    #[test]
    fn the_card_of_a_charge_may_be_reported_or_not_and_in_any_form() {
        let card = |details: &str| {
            let text = format!(r#"{{"payment_method_details":{details}}}"#);
            serde_json::from_str::<Charge>(&text).unwrap().card()
        };
        let visa = card(r#"{"type":"card","card":{"brand":"visa","last4":"4242","exp_year":2040}}"#);
        assert_eq!(visa.map(|card| card.label()).as_deref(), Some("Visa ending in 4242"));
        for other in ["null", "{}", "[]", r#""card""#, r#"{"card":null}"#, r#"{"card":{"brand":"visa","last4":4242}}"#]
        {
            assert_eq!(card(other), None, "{other}");
        }
    }

    #[test]
    fn metadata_may_be_kept_or_not_and_in_any_form() {
        let note = |metadata: &str| {
            let text = format!(r#"{{"id":"pi_1","status":"x","amount":1,"currency":"usd","metadata":{metadata}}}"#);
            intent(&text).unwrap().metadata_value("checkout_id")
        };
        assert_eq!(note(r#"{"checkout_id":"c1","more":1}"#).as_deref(), Some("c1"));
        for kept_otherwise in ["null", "{}", "[]", r#""text""#, r#"{"checkout_id":null}"#] {
            assert_eq!(note(kept_otherwise), None, "{kept_otherwise}");
        }
    }
}
