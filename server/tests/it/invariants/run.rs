//! Run counts of invariant tests. Each test prints one line with its count.

use std::time::{Duration, Instant};

use rand::SeedableRng as _;
use rand::rngs::StdRng;

/// The runs of one invariant, each with its own seed. Prints the count on drop, also after a failure.
pub struct Runs {
    name: &'static str,
    first_seed: u64,
    begun: u64,
    end: Limit,
}

enum Limit {
    After(u64),
    At(Instant),
}

impl Runs {
    /// Makes `few` runs or, under `cargo xtask stress`, as many as fit into `STRESS_SECONDS`.
    pub fn of(name: &'static str, few: u64) -> Self {
        let seconds = setting("STRESS_SECONDS");
        let end = seconds.map_or(Limit::After(few), |seconds| Limit::At(Instant::now() + Duration::from_secs(seconds)));
        Self { name, first_seed: setting("STRESS_SEED").unwrap_or(1), begun: 0, end }
    }

    /// The random number generator of the next run. There is at least one run.
    pub fn next(&mut self) -> Option<StdRng> {
        let is_over = match self.end {
            Limit::After(few) => self.begun >= few,
            Limit::At(end) => self.begun > 0 && Instant::now() >= end,
        };
        if is_over {
            return None;
        }
        self.begun += 1;
        Some(StdRng::seed_from_u64(self.seed()))
    }

    /// Number of the current run, from 0.
    pub fn number(&self) -> usize {
        usize::try_from(self.begun - 1).unwrap()
    }

    /// Seed of the current run.
    pub fn seed(&self) -> u64 {
        self.first_seed.wrapping_add(self.begun - 1)
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        let (failures, seed) = if std::thread::panicking() { (1, self.seed()) } else { (0, self.first_seed) };
        println!("invariant: {} runs={} seed={seed} failures={failures}", self.name, self.begun);
    }
}

/// A single long run, which counts operations instead of runs.
pub struct Stretch {
    name: &'static str,
    pub done: usize,
    pub lasts: Duration,
    pub form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In the regular test suite.
    Short,
    /// Under `cargo xtask stress`.
    Long,
}

impl Form {
    pub fn pick<T>(self, short: T, long: T) -> T {
        match self {
            Self::Short => short,
            Self::Long => long,
        }
    }
}

impl Stretch {
    /// Lasts `seconds` or, under `cargo xtask stress`, `STRESS_SECONDS`.
    pub fn of(name: &'static str, seconds: u64) -> Self {
        let given = setting("STRESS_SECONDS");
        let form = if given.is_some() { Form::Long } else { Form::Short };
        Self { name, done: 0, lasts: Duration::from_secs(given.unwrap_or(seconds)), form }
    }
}

impl Drop for Stretch {
    fn drop(&mut self) {
        let failures = u8::from(std::thread::panicking());
        println!("invariant: {} runs={} seed=0 failures={failures}", self.name, self.done);
    }
}

#[expect(clippy::disallowed_methods, reason = "a test setting, not shop configuration")]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}
