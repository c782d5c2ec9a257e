//! How often something is tried, and the line that says how often it was.

use std::time::{Duration, Instant};

use rand::SeedableRng as _;
use rand::rngs::StdRng;

/// Runs of one law, each with chance of its own. The line is printed when the test ends, whichever way.
pub struct Runs {
    name: &'static str,
    first_seed: u64,
    begun: u64,
    end: End,
}

enum End {
    After(u64),
    At(Instant),
}

impl Runs {
    /// So many, or as many as fit into the time that there is.
    pub fn of(name: &'static str, few: u64) -> Self {
        let seconds = setting("STRESS_SECONDS");
        let end = seconds.map_or(End::After(few), |seconds| End::At(Instant::now() + Duration::from_secs(seconds)));
        Self { name, first_seed: setting("STRESS_SEED").unwrap_or(1), begun: 0, end }
    }

    /// The chance of the next trial. At least one is made.
    pub fn next(&mut self) -> Option<StdRng> {
        let is_over = match self.end {
            End::After(few) => self.begun >= few,
            End::At(end) => self.begun > 0 && Instant::now() >= end,
        };
        if is_over {
            return None;
        }
        self.begun += 1;
        Some(StdRng::seed_from_u64(self.seed()))
    }

    /// Counted from 0.
    pub fn number(&self) -> usize {
        usize::try_from(self.begun - 1).unwrap()
    }

    /// Of the trial that is being made.
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

/// One trial that goes on for a while: what is counted is what happened in it.
pub struct Stretch {
    name: &'static str,
    pub done: usize,
    pub lasts: Duration,
    pub form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Among the other tests.
    Short,
    /// By `cargo xtask stress`.
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
    /// So many seconds among the other tests.
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

#[expect(clippy::disallowed_methods, reason = "a setting of the tests, not of the shop")]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}
