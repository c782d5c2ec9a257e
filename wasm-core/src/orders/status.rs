//! Statuses of an order's package, its payment, and a dispute about the payment.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::money::Cents;

/// Text that is none of an enum's statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseStatusError;

impl fmt::Display for ParseStatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown status")
    }
}

impl core::error::Error for ParseStatusError {}

/// Fulfillment status of an order. An administrator may move an order from any status to any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum OrderStatus {
    /// Paid and not packed yet.
    Pending,
    /// Being packed.
    Processing,
    /// Handed to the carrier.
    Shipped,
    /// Received by the customer.
    Delivered,
    /// Refunded.
    Refunded,
}

impl OrderStatus {
    /// Every status an administrator can set.
    pub const ALL: [Self; 5] = [Self::Pending, Self::Processing, Self::Shipped, Self::Delivered, Self::Refunded];

    /// The statuses by which administrators can filter the list of orders.
    pub const FILTERS: [Self; 4] = [Self::Pending, Self::Processing, Self::Shipped, Self::Delivered];

    /// The statuses to which an administrator can move an order of this status.
    ///
    /// ```
    /// use wasm_core::orders::OrderStatus;
    ///
    /// assert!(OrderStatus::Delivered.transitions().any(|next| next == OrderStatus::Shipped));
    /// ```
    pub fn transitions(self) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |next| *next != self)
    }

    /// Whether the package is still to be handed to the carrier.
    ///
    /// ```
    /// use wasm_core::orders::OrderStatus;
    ///
    /// assert!(OrderStatus::Processing.is_to_ship() && !OrderStatus::Delivered.is_to_ship());
    /// ```
    #[must_use]
    pub const fn is_to_ship(self) -> bool {
        matches!(self, Self::Pending | Self::Processing)
    }

    /// Whether the package was sent: `shipped` and `delivered`.
    ///
    /// ```
    /// use wasm_core::orders::OrderStatus;
    ///
    /// assert!(OrderStatus::Delivered.has_shipped() && !OrderStatus::Refunded.has_shipped());
    /// ```
    #[must_use]
    pub const fn has_shipped(self) -> bool {
        matches!(self, Self::Shipped | Self::Delivered)
    }

    /// The status in JSON and in the database.
    ///
    /// ```
    /// use wasm_core::orders::OrderStatus;
    ///
    /// assert_eq!(OrderStatus::Shipped.as_str(), "shipped");
    /// assert_eq!("shipped".parse(), Ok(OrderStatus::Shipped));
    /// assert!("lost".parse::<OrderStatus>().is_err());
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Processing => "processing",
            Self::Shipped => "shipped",
            Self::Delivered => "delivered",
            Self::Refunded => "refunded",
        }
    }

    /// The status as displayed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Processing => "Processing",
            Self::Shipped => "Shipped",
            Self::Delivered => "Delivered",
            Self::Refunded => "Refunded",
        }
    }
}

impl FromStr for OrderStatus {
    type Err = ParseStatusError;

    fn from_str(text: &str) -> Result<Self, ParseStatusError> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(ParseStatusError)
    }
}

/// Status of a dispute (chargeback): the customer's bank is asked to reverse the payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum DisputeStatus {
    /// No dispute, or an inquiry that ended without one.
    #[default]
    None,
    /// The bank inquires about the payment. No money has moved.
    Warning,
    /// The bank holds the money until it decides.
    Open,
    /// The shop keeps the money.
    Won,
    /// The customer got the money back.
    Lost,
}

impl DisputeStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::None, Self::Warning, Self::Open, Self::Won, Self::Lost];

    /// The status in JSON and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Warning => "warning",
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

impl FromStr for DisputeStatus {
    type Err = ParseStatusError;

    fn from_str(text: &str) -> Result<Self, ParseStatusError> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(ParseStatusError)
    }
}

/// Status of an order's payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum PaymentStatus {
    /// Paid, and nothing refunded.
    Paid,
    /// Refunded in part.
    PartiallyRefunded,
    /// Refunded in full.
    Refunded,
    /// Under an open or lost dispute.
    Disputed,
}

impl PaymentStatus {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Paid, Self::PartiallyRefunded, Self::Refunded, Self::Disputed];

    /// The status of a payment of `total` with `refunded` of it refunded.
    ///
    /// An open or lost dispute outweighs refunds. A warning and a won dispute change nothing.
    ///
    /// ```
    /// use wasm_core::money::Cents;
    /// use wasm_core::orders::{DisputeStatus, PaymentStatus};
    ///
    /// let (total, part) = (Cents::from_cents(5_980), Cents::from_cents(1_000));
    /// assert_eq!(PaymentStatus::of(total, part, DisputeStatus::Open), PaymentStatus::Disputed);
    /// assert_eq!(PaymentStatus::of(total, part, DisputeStatus::Won), PaymentStatus::PartiallyRefunded);
    /// ```
    #[must_use]
    pub fn of(total: Cents, refunded: Cents, dispute: DisputeStatus) -> Self {
        match dispute {
            DisputeStatus::Open | DisputeStatus::Lost => Self::Disputed,
            _ if refunded <= Cents::ZERO => Self::Paid,
            _ if refunded < total => Self::PartiallyRefunded,
            _ => Self::Refunded,
        }
    }

    /// The status in JSON and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::PartiallyRefunded => "partially_refunded",
            Self::Refunded => "refunded",
            Self::Disputed => "disputed",
        }
    }

    /// The status as displayed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Paid => "Paid",
            Self::PartiallyRefunded => "Partially refunded",
            Self::Refunded => "Refunded",
            Self::Disputed => "Disputed",
        }
    }
}

impl FromStr for PaymentStatus {
    type Err = ParseStatusError;

    fn from_str(text: &str) -> Result<Self, ParseStatusError> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(ParseStatusError)
    }
}
