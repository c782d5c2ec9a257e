//! Order administration.

mod editing;
mod export;
mod listing;
mod overview;
mod refunding;
