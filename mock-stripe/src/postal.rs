//! Addresses in Stripe's form: six optional members.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::form::Form;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Postal {
    pub line1: Option<String>,
    pub line2: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub postal_code: Option<String>,
    pub country: Option<String>,
}

impl Postal {
    pub fn to_json(&self) -> Value {
        json!(self)
    }
}

pub fn from_form(mut form: Form) -> Result<Postal, ApiError> {
    let postal = Postal {
        line1: form.take_text("line1")?,
        line2: form.take_text("line2")?,
        city: form.take_text("city")?,
        state: form.take_text("state")?,
        postal_code: form.take_text("postal_code")?,
        country: form.take_text("country")?,
    };
    let param = form.name_of("country");
    form.reject_unknown()?;
    match &postal.country {
        Some(code) if code.len() != 2 || !code.bytes().all(|byte| byte.is_ascii_uppercase()) => {
            let message = format!(
                "Country '{code}' is unknown. Try using a 2-character alphanumeric country code instead, such as \
                 'US', 'EG', or 'GB'."
            );
            Err(ApiError::invalid(message).param(&param))
        }
        _ => Ok(postal),
    }
}

/// A shipping recipient: name, phone number and address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shipping {
    name: String,
    phone: Option<String>,
    carrier: Option<String>,
    tracking_number: Option<String>,
    address: Postal,
}

impl Shipping {
    pub fn from_form(mut form: Form) -> Result<Self, ApiError> {
        let address = form.take_form("address")?.ok_or_else(|| ApiError::missing(&form.name_of("address")))?;
        let name = form.take_text("name")?.ok_or_else(|| ApiError::missing(&form.name_of("name")))?;
        let shipping = Self {
            name,
            phone: form.take_text("phone")?,
            carrier: form.take_text("carrier")?,
            tracking_number: form.take_text("tracking_number")?,
            address: from_form(address)?,
        };
        form.reject_unknown()?;
        Ok(shipping)
    }
}
