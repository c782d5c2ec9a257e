//! The accounts of the journal.

pub const BALANCE: &str = "Assets:Stripe";
pub const BANK: &str = "Assets:Bank";
pub const SALES: &str = "Income:Sales";
pub const SHIPPING: &str = "Income:Shipping";
pub const SALES_TAX: &str = "Liabilities:Sales tax";
/// Payments that did not become orders, until they are refunded.
pub const CUSTOMERS: &str = "Liabilities:Customer payments";
pub const FEES: &str = "Expenses:Stripe fees";
pub const DISPUTES: &str = "Expenses:Disputes";
pub const ADJUSTMENTS: &str = "Expenses:Stripe adjustments";
pub const SUSPENSE: &str = "Equity:Suspense";
