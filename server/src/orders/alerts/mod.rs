//! Alerts: what an administrator must look at.

use serde::{Deserialize, Serialize};
use wasm_core::money::Cents;

/// The cause of an alert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Alert {
    InquiryOpened {
        dispute_id: String,
    },
    DisputeOpened {
        dispute_id: String,
    },
    DisputeLost {
        dispute_id: String,
    },
    /// An early fraud warning of the card's issuer.
    FraudWarning {
        warning_id: String,
        /// The provider's code, such as `made_with_stolen_card`.
        fraud_type: String,
    },
    RefundFailed {
        /// The provider's.
        refund_id: String,
    },
    TaxRecordFailed {
        reference: String,
        /// The refund in cents; none for the sale itself.
        reversed: Option<i64>,
    },
}

impl Alert {
    /// The alert as a message for administrators.
    pub fn message(&self) -> String {
        match self {
            Self::InquiryOpened { dispute_id } => {
                format!("The customer's bank opened an inquiry about the payment ({dispute_id}).")
            }
            Self::DisputeOpened { dispute_id } => format!("The customer disputes the payment ({dispute_id})."),
            Self::DisputeLost { dispute_id } => {
                format!("The dispute was lost and the payment was reversed ({dispute_id}).")
            }
            Self::FraudWarning { warning_id, fraud_type } => fraud_warning_message(warning_id, fraud_type),
            Self::RefundFailed { refund_id } => format!("A refund failed at the customer's bank ({refund_id})."),
            Self::TaxRecordFailed { reference: _, reversed: None } => {
                "The tax of this sale could not be recorded at the payment provider.".to_owned()
            }
            Self::TaxRecordFailed { reference: _, reversed: Some(amount) } => {
                let amount = Cents::from_cents(*amount);
                format!("The tax reversal for the refund of {amount} could not be recorded at the payment provider.")
            }
        }
    }

    /// Deduplication key: the kind and the id of the cause.
    pub fn key(&self) -> String {
        match self {
            Self::InquiryOpened { dispute_id } => format!("inquiry_opened:{dispute_id}"),
            Self::DisputeOpened { dispute_id } => format!("dispute_opened:{dispute_id}"),
            Self::DisputeLost { dispute_id } => format!("dispute_lost:{dispute_id}"),
            Self::FraudWarning { warning_id, .. } => format!("fraud_warning:{warning_id}"),
            Self::RefundFailed { refund_id } => format!("refund_failed:{refund_id}"),
            Self::TaxRecordFailed { reference, .. } => format!("tax_record_failed:{reference}"),
        }
    }
}

pub(super) fn fraud_warning_message(warning_id: &str, fraud_type: &str) -> String {
    let kind = fraud_type.replace('_', " ");
    format!(
        "The card issuer reports this payment as possibly fraudulent: {kind} ({warning_id}). A full refund avoids a dispute."
    )
}
