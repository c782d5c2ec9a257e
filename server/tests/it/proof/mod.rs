//! What is tried again and again, with chance deciding what: each test here is a law that must hold every time.
//!
//! Among the other tests each makes a few trials from a fixed seed; `cargo xtask prove` runs the same code for minutes
//! from a seed of its own and counts. A failed trial names its seed: with it in `STRESS_SEED` it is the first one.

mod bytes;
mod calls;
mod disk;
mod faults;
mod guessing;
mod hang_ups;
mod interleavings;
mod kills;
mod law;
mod load;
mod lost_tokens;
mod migrations;
mod model;
mod oracle;
mod outages;
mod races;
mod refunds;
mod syncs;
pub mod trials;
mod webhooks;
