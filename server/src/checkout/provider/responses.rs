//! What is read of the provider's objects. Little is demanded and much forgiven, so that any server that speaks
//! Stripe's API well enough to take a payment can stand behind `STRIPE_API_BASE`.

use miniserde::json::{Value, to_string};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// The client hands over what it received as a value of its own kind of JSON.
///
/// # Errors
/// What is missing or of the wrong type.
pub fn read<T: DeserializeOwned>(answer: &Value) -> Result<T, String> {
    serde_json::from_str(&to_string(answer)).map_err(|error| format!("an answer that cannot be read: {error}"))
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
}

/// An object, or its id alone where the provider did not expand it.
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
    pub payment_intent: Option<Reference<Named>>,
}

#[derive(Debug, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub status: String,
    pub payment_intent: Option<Reference<Named>>,
}

/// An object of which only the name counts.
#[derive(Debug, Deserialize)]
pub struct Named {
    pub id: String,
}

impl PaymentIntent {
    /// What the shop wrote to the intent under this name, where the provider kept it.
    pub fn note(&self, name: &str) -> Option<String> {
        self.metadata.as_ref()?.get(name)?.as_str().map(str::to_owned)
    }
}

impl Reference<Named> {
    fn id(&self) -> Option<&str> {
        match self {
            Self::Id(id) | Self::Object(Named { id }) => Some(id),
            Self::Unknown(_) => None,
        }
    }
}

impl Dispute {
    /// Of which payment it is, where the provider says so.
    pub fn intent_id(&self) -> Option<&str> {
        self.payment_intent.as_ref()?.id()
    }
}

impl Refund {
    /// Of which payment it is, where the provider says so.
    pub fn intent_id(&self) -> Option<&str> {
        self.payment_intent.as_ref()?.id()
    }

    /// A refund that is pending counts: the money is on its way.
    pub fn came_to_nothing(&self) -> bool {
        matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }
}

#[derive(Debug, Deserialize)]
pub struct List<T> {
    pub data: Vec<T>,
    /// A provider that says nothing of it lists everything at once.
    #[serde(default)]
    pub has_more: bool,
}

/// An object of a list, whose pages begin after the id of the last one.
pub trait Listed {
    fn id(&self) -> &str;
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
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn intent(text: &str) -> Result<PaymentIntent, String> {
        read(&miniserde::json::from_str(text).unwrap())
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
    fn metadata_may_be_kept_or_not_and_in_any_form() {
        let note = |metadata: &str| {
            let text = format!(r#"{{"id":"pi_1","status":"x","amount":1,"currency":"usd","metadata":{metadata}}}"#);
            intent(&text).unwrap().note("checkout_id")
        };
        assert_eq!(note(r#"{"checkout_id":"c1","more":1}"#).as_deref(), Some("c1"));
        for kept_otherwise in ["null", "{}", "[]", r#""text""#, r#"{"checkout_id":null}"#] {
            assert_eq!(note(kept_otherwise), None, "{kept_otherwise}");
        }
    }
}
