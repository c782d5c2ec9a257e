//! Many at once, for long, and what that does to everybody else.
//!
//! What is counted must hold; how long it takes is measured and told, and `cargo xtask stress` makes a row of it: a busy
//! machine makes nothing fail here.

mod events;
pub mod figure;
mod floods;
mod flow;
mod log_ins;
mod nginx;
mod outside;
mod overload;
mod pages;
mod restore;
mod silence;
mod slow;
mod soak;
mod stopping;
mod writers;
