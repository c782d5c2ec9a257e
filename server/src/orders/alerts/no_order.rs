//! Why a paid checkout did not become an order.

use serde::{Deserialize, Serialize};
use wasm_core::money::Cents;

use crate::db::tagged::whole_cents;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum NoOrderReason {
    /// Its address was deleted.
    Late,
    OtherAmount {
        #[serde(with = "whole_cents")]
        paid: Cents,
    },
    OtherCurrency {
        currency: String,
    },
    AlreadyRefunded {
        #[serde(with = "whole_cents")]
        refunded: Cents,
    },
    /// A test payment in live mode, or the reverse.
    OtherMode,
    OtherCheckout,
    SoldOut {
        product_name: String,
    },
    /// The database lost the payment and its account.
    AccountMissing,
    /// The database lost the payment and a product.
    ProductMissing,
}

impl NoOrderReason {
    /// The reason as a message for the customer and for administrators.
    pub fn message(&self) -> String {
        match self {
            Self::Late => "It arrived long after the checkout had expired.".to_owned(),
            Self::OtherAmount { paid } => format!("You paid {paid}, which doesn’t match the order total."),
            Self::OtherCurrency { currency } => format!("You paid in {currency}, not in US dollars."),
            Self::AlreadyRefunded { refunded } => format!("{refunded} of it had already been refunded."),
            Self::OtherMode => "A test payment and a live payment were mixed up.".to_owned(),
            Self::OtherCheckout => "It belongs to another checkout.".to_owned(),
            Self::SoldOut { product_name } => format!("{product_name} sold out before your payment arrived."),
            Self::AccountMissing => "The account that paid no longer exists.".to_owned(),
            Self::ProductMissing => "A product in the order is no longer available.".to_owned(),
        }
    }
}
