//! Every command of the project: `cargo xtask --help`. The benchmarks use the public modules.

mod bench;
pub mod browser;
mod build;
mod check;
mod cli;
mod documents;
mod durations;
mod failures;
mod firmware;
mod fuzz;
mod generate;
mod ha;
mod native;
pub mod npm_packages;
pub mod postgres;
pub mod process;
pub mod programs;
mod python;
mod setup;
mod shell;
pub mod shop;
pub mod stages;
mod stamp;
mod stress;
mod test;
mod test_counts;
mod tools;
mod wasm;
mod watch;
pub mod workspace;

pub use cli::main;
