//! How often something is tried, and the line that says how often it was.

use std::time::{Duration, Instant};

use rand::SeedableRng as _;
use rand::rngs::StdRng;

/// Trials of one law, each with chance of its own. The line is printed when the test ends, whichever way.
pub struct Trials {
    name: &'static str,
    first_seed: u64,
    begun: u64,
    end: End,
}

enum End {
    After(u64),
    At(Instant),
}

impl Trials {
    /// So many, or as many as fit into the time that there is.
    pub fn of(name: &'static str, few: u64) -> Self {
        let seconds = setting("PROOF_SECONDS");
        let end = seconds.map_or(End::After(few), |seconds| End::At(Instant::now() + Duration::from_secs(seconds)));
        Self { name, first_seed: setting("PROOF_SEED").unwrap_or(1), begun: 0, end }
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

impl Drop for Trials {
    fn drop(&mut self) {
        let (failures, seed) = if std::thread::panicking() { (1, self.seed()) } else { (0, self.first_seed) };
        println!("proof: {} trials={} seed={seed} failures={failures}", self.name, self.begun);
    }
}

#[allow(clippy::disallowed_methods)] // a setting of the tests, not of the shop
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}
