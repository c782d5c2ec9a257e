//! The words for where an order's parcel and its money are.

use serde::{Deserialize, Serialize};

use crate::money::Cents;

/// Where the parcel is. An administrator may move an order from any status to any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum OrderStatus {
    /// Paid, to be packed.
    Pending,
    /// Being packed.
    Processing,
    /// With the carrier.
    Shipped,
    /// With the customer.
    Delivered,
    /// Given back.
    Refunded,
}

crate::from_js! {
    enum OrderStatus { Pending = "pending", Processing = "processing", Shipped = "shipped", Delivered = "delivered", Refunded = "refunded" }
}

impl OrderStatus {
    /// All five, as an administrator may set them.
    pub const ALL: [Self; 5] = [Self::Pending, Self::Processing, Self::Shipped, Self::Delivered, Self::Refunded];

    /// Those that the administrators' list filters by.
    pub const FILTERS: [Self; 4] = [Self::Pending, Self::Processing, Self::Shipped, Self::Delivered];

    /// The word on the wire and in the database.
    ///
    /// ```
    /// assert_eq!(wasm_core::orders::OrderStatus::Shipped.word(), "shipped");
    /// ```
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Processing => "processing",
            Self::Shipped => "shipped",
            Self::Delivered => "delivered",
            Self::Refunded => "refunded",
        }
    }

    /// The word for people.
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

    /// Reads the word on the wire.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// How far a dispute has come: the customer's bank is asked to take the payment back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum DisputeStatus {
    /// There is none, or the bank's inquiry ended without one.
    #[default]
    None,
    /// The bank inquires about the payment; no money has moved.
    Warning,
    /// The money is held back until the bank decides.
    Open,
    /// The shop keeps the money.
    Won,
    /// The money went back to the customer.
    Lost,
}

crate::from_js! {
    enum DisputeStatus { None = "none", Warning = "warning", Open = "open", Won = "won", Lost = "lost" }
}

impl DisputeStatus {
    /// All five.
    pub const ALL: [Self; 5] = [Self::None, Self::Warning, Self::Open, Self::Won, Self::Lost];

    /// The word on the wire and in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Warning => "warning",
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }

    /// Reads the word on the wire.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// Where the money is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum PaymentStatus {
    /// All of it is the shop's.
    Paid,
    /// Some of it went back.
    PartiallyRefunded,
    /// All of it went back.
    Refunded,
    /// The customer's bank is asked to take it back, or has taken it back.
    Disputed,
}

crate::from_js! {
    enum PaymentStatus { Paid = "paid", PartiallyRefunded = "partially_refunded", Refunded = "refunded", Disputed = "disputed" }
}

impl PaymentStatus {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Paid, Self::PartiallyRefunded, Self::Refunded, Self::Disputed];

    /// The status of a payment of `total`, of which `refunded` was given back.
    ///
    /// An open or lost dispute outweighs refunds; a warning and a won dispute change nothing.
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

    /// The word on the wire and in the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::PartiallyRefunded => "partially_refunded",
            Self::Refunded => "refunded",
            Self::Disputed => "disputed",
        }
    }

    /// The words for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Paid => "Paid",
            Self::PartiallyRefunded => "Partially refunded",
            Self::Refunded => "Refunded",
            Self::Disputed => "Disputed",
        }
    }

    /// Reads the word on the wire.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}
