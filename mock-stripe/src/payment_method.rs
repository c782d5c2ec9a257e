//! Payment methods: cards, entered or by test name, validated and shown in Stripe's form.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::api_error::ApiError;
use crate::cards::{self, Checks, Decline, TestCard};
use crate::clock;
use crate::form::Form;
use crate::postal::{self, Postal};
use crate::store::{Document, Kind};
use crate::{card_input, ids};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentMethod {
    pub id: String,
    /// In seconds.
    pub created: i64,
    /// A documented test card number.
    number: String,
    exp_month: i64,
    exp_year: i64,
    cvc: Cvc,
    billing: Billing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Cvc {
    Absent,
    Given,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Billing {
    name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    address: Postal,
}

impl Document for PaymentMethod {
    const KIND: Kind = Kind::PaymentMethod;

    fn id(&self) -> &str {
        &self.id
    }
}

impl PaymentMethod {
    /// The test card. None only if the table no longer has its number.
    pub fn card(&self) -> Option<&'static TestCard> {
        cards::by_number(&self.number)
    }

    /// The reason why a payment with it is declined. A missing security code cannot be wrong.
    pub fn decline(&self) -> Option<Decline> {
        let decline = self.card()?.decline?;
        (decline != Decline::IncorrectCvc || self.cvc == Cvc::Given).then_some(decline)
    }

    /// Creates the payment method named `pm_card_…`, a new object each time, as Stripe does.
    pub fn named(id: &str, now_ms: i64) -> Option<Self> {
        let card = cards::by_payment_method(id)?;
        Some(Self {
            id: ids::new_id("pm"),
            created: now_ms / clock::SECOND,
            number: card.number.to_owned(),
            exp_month: 12,
            exp_year: card_input::year_of(now_ms) + 1,
            cvc: Cvc::Given,
            billing: Billing::default(),
        })
    }

    /// Parses `payment_method_data` and validates it in Stripe's order: number, expiry, security code.
    pub fn from_form(mut form: Form, now_ms: i64) -> Result<Self, ApiError> {
        let kind = form.take_text("type")?.ok_or_else(|| ApiError::missing(&form.name_of("type")))?;
        if kind != "card" {
            let param = form.name_of("type");
            return Err(ApiError::invalid(format!("Invalid {param}: must be card")).param(&param));
        }
        let Some(card) = form.take_form("card")? else {
            return Err(ApiError::missing(&form.name_of("card")));
        };
        let billing = match form.take_form("billing_details")? {
            Some(billing) => Billing::from_form(billing)?,
            None => Billing::default(),
        };
        // Sent by Stripe.js; ignored here.
        for habit in [
            "allow_redisplay",
            "guid",
            "muid",
            "sid",
            "metadata",
            "payment_user_agent",
            "referrer",
            "time_on_page",
            "client_attribution_metadata",
            "pasted_fields",
        ] {
            form.ignore(habit);
        }
        form.reject_unknown()?;
        Self::from_card(card, billing, now_ms)
    }

    fn from_card(mut form: Form, billing: Billing, now_ms: i64) -> Result<Self, ApiError> {
        if let Some(token) = form.take_text("token")? {
            form.reject_unknown()?;
            let mut method = Self::named(&token, now_ms)
                .ok_or_else(|| ApiError::no_such("token", &token, "payment_method_data[card][token]"))?;
            method.billing = billing;
            return Ok(method);
        }
        let number = form.take_text("number")?.ok_or_else(|| ApiError::missing(&form.name_of("number")))?;
        let month = form.take_integer("exp_month")?.ok_or_else(|| ApiError::missing(&form.name_of("exp_month")))?;
        let year = form.take_integer("exp_year")?.ok_or_else(|| ApiError::missing(&form.name_of("exp_year")))?;
        let cvc = form.take_text("cvc")?;
        form.ignore("networks");
        form.reject_unknown()?;

        let number = card_input::checked_number(&number)?;
        let exp_year = card_input::checked_expiry(month, year, now_ms)?;
        card_input::checked_cvc(cvc.as_deref(), number)?;
        Ok(Self {
            id: ids::new_id("pm"),
            created: now_ms / clock::SECOND,
            number: number.number.to_owned(),
            exp_month: month,
            exp_year,
            cvc: if cvc.is_some() { Cvc::Given } else { Cvc::Absent },
            billing,
        })
    }

    pub fn billing_json(&self) -> Value {
        json!({
            "address": self.billing.address.to_json(),
            "email": self.billing.email,
            "name": self.billing.name,
            "phone": self.billing.phone,
            "tax_id": null,
        })
    }

    /// The members that the cards of a payment method and a charge share.
    pub fn card_json(&self) -> Value {
        let card = self.card();
        json!({
            "brand": card.map(|card| card.brand),
            "checks": self.checks_json(),
            "country": card.map(|card| card.country),
            "exp_month": self.exp_month,
            "exp_year": self.exp_year,
            "fingerprint": fingerprint(&self.number),
            "funding": card.map(|card| card.funding),
            "last4": card.map(TestCard::last4),
            "regulated_status": "unregulated",
            "wallet": null,
        })
    }

    /// The bank's checks of the entered data.
    fn checks_json(&self) -> Value {
        let card = self.card();
        let checks = card.map_or(Checks::Pass, |card| card.checks);
        let wrong_cvc = checks == Checks::CvcFails || self.decline() == Some(Decline::IncorrectCvc);
        let (line1, postal_code) = match checks {
            Checks::Line1Fails => ("fail", "pass"),
            Checks::PostalCodeFails => ("pass", "fail"),
            Checks::AddressFails => ("fail", "fail"),
            Checks::AddressUnavailable => ("unavailable", "unavailable"),
            Checks::Pass | Checks::CvcFails => ("pass", "pass"),
        };
        json!({
            "address_line1_check": self.billing.address.line1.as_ref().map(|_| line1),
            "address_postal_code_check": self.billing.address.postal_code.as_ref().map(|_| postal_code),
            "cvc_check": (self.cvc == Cvc::Given).then_some(if wrong_cvc { "fail" } else { "pass" }),
        })
    }

    pub fn to_json(&self) -> Value {
        let mut card = self.card_json();
        let brand = card.get("brand").cloned().unwrap_or_default();
        card["display_brand"] = brand.clone();
        card["generated_from"] = Value::Null;
        let co_brand = self.card().and_then(|card| card.co_brand).map(Value::from);
        let available: Vec<Value> = co_brand.into_iter().chain([brand]).collect();
        card["networks"] = json!({ "available": available, "preferred": null });
        card["three_d_secure_usage"] = json!({ "supported": true });
        json!({
            "id": self.id,
            "object": "payment_method",
            "allow_redisplay": "unspecified",
            "billing_details": self.billing_json(),
            "card": card,
            "created": self.created,
            "customer": null,
            "customer_account": null,
            "livemode": false,
            "metadata": {},
            "type": "card",
        })
    }
}

impl Billing {
    fn from_form(mut form: Form) -> Result<Self, ApiError> {
        let name = form.take_text("name")?;
        let email = form.take_text("email")?;
        let phone = form.take_text("phone")?;
        let address = match form.take_form("address")? {
            Some(address) => postal::from_form(address)?,
            None => Postal::default(),
        };
        form.ignore("tax_id");
        if let Some(email) = email.as_deref().filter(|email| !email.contains('@')) {
            let error = ApiError::invalid(format!("Invalid email address: {email}"));
            return Err(error.code("email_invalid").param(&form.name_of("email")));
        }
        form.reject_unknown()?;
        Ok(Self { name, email, phone, address })
    }
}

/// A one-way fingerprint of the card number: 16 hexadecimal digits.
fn fingerprint(number: &str) -> String {
    let mut digits = hex::encode(Sha256::digest(number));
    digits.truncate(16);
    digits
}
