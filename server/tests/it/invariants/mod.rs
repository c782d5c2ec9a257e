//! Invariants: tests with random schedules and inputs. The audit runs after every iteration.
//!
//! In the regular test suite, each test makes a few iterations from a fixed seed. `cargo xtask stress` runs them for
//! minutes from a random seed and counts the iterations. A failure prints its seed: set `STRESS_SEED` to reproduce it.

mod brute_force;
mod bytes;
mod calls;
mod disk;
mod disputes;
mod dropped_connections;
mod faults;
mod fsync;
mod interleavings;
mod invariant;
mod kills;
mod load;
mod lost_disk;
mod lost_minutes;
mod migrations;
mod model;
mod oracle;
mod outages;
mod payouts;
mod races;
mod refunds;
pub mod run;
mod token_reuse;
mod webhooks;
