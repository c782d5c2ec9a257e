//! Load tests: high concurrency, long runs, and their effect on other clients.
//!
//! Only counts and invariants are asserted. Durations are measured and reported, because a busy machine must not fail
//! the test; `cargo xtask stress` lists them in a table.

mod events;
pub mod figure;
mod floods;
mod load_generator;
mod logins;
mod nginx;
mod overload;
mod pages;
mod restore;
mod server_process;
mod silence;
mod slow;
mod soak;
mod stopping;
mod writers;
