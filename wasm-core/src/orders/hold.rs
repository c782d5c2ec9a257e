//! Holds: causes that keep an order from being packed with the others.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use super::status::ParseStatusError;

/// Why an order is on hold: its payment may be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum HoldReason {
    /// A dispute (chargeback) is open.
    Dispute,
    /// A dispute was lost: the customer got the money back.
    LostDispute,
    /// The customer's bank inquires about the payment.
    Inquiry,
    /// The card's issuer reports that the payment may be fraudulent.
    FraudWarning,
}

impl HoldReason {
    /// Every reason. Of several, the first one counts.
    pub const ALL: [Self; 4] = [Self::Dispute, Self::LostDispute, Self::Inquiry, Self::FraudWarning];

    /// The reason in JSON and in the database.
    ///
    /// ```
    /// use wasm_core::orders::HoldReason;
    ///
    /// assert_eq!("lost_dispute".parse(), Ok(HoldReason::LostDispute));
    /// assert_eq!(HoldReason::LostDispute.as_str(), "lost_dispute");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dispute => "dispute",
            Self::LostDispute => "lost_dispute",
            Self::Inquiry => "inquiry",
            Self::FraudWarning => "fraud_warning",
        }
    }
}

/// The reason in the middle of a sentence, such as `open dispute`.
impl fmt::Display for HoldReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dispute => "open dispute",
            Self::LostDispute => "lost dispute",
            Self::Inquiry => "bank inquiry",
            Self::FraudWarning => "early fraud warning",
        })
    }
}

impl FromStr for HoldReason {
    type Err = ParseStatusError;

    fn from_str(text: &str) -> Result<Self, ParseStatusError> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text).ok_or(ParseStatusError)
    }
}
