//! Checkout: from the quote to the order.

mod fair_share;
mod money_back;
mod ordering;
mod paying;
mod provider_away;
mod quote;
mod replaces;
mod reserving;
