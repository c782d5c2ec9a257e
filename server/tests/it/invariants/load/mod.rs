//! Load tests: high concurrency, long runs, and their effect on other clients.
//!
//! Counts, success rates and bounds of memory are asserted. Durations are only printed, because a busy machine must not
//! fail a test; `cargo xtask stress` lists them in a table.

mod events;
mod failover;
pub mod figure;
mod floods;
mod load_generator;
mod logins;
mod overload;
mod pages;
mod restore;
mod rolling_restarts;
pub mod server_process;
mod silence;
mod slow;
mod soak;
mod steady_load;
mod stopping;
mod upgrades;
mod writers;
