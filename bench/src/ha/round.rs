//! One fault under load: injected, repaired, and counted.

use std::thread;
use std::time::{Duration, Instant};

use xtask::process::Failure;

use crate::counts::Counts;
use crate::faults::Fault;
use crate::journal::{Journal, Requests};
use crate::load::Lights;
use crate::setup::Setup;
use crate::wait;

/// Load without a fault, before and after.
const STEADY_LOAD: Duration = Duration::from_secs(4);
const TIMEOUT: Duration = Duration::from_secs(240);

pub struct Round {
    pub fault: &'static Fault,
    /// The longest time without a completed purchase.
    pub pause: Duration,
    pub counts: Counts,
    pub requests: Requests,
}

impl Round {
    /// Whether all counts that must be 0 are.
    pub fn is_good(&self) -> bool {
        self.counts.are_good() && self.catalog_failures() == 0 && self.requests.without_retry_after == 0
    }

    /// Requests of the catalog that failed, other than those that HAProxy refused.
    pub fn catalog_failures(&self) -> u64 {
        let broken = if self.fault.breaks_haproxy { 0 } else { self.requests.catalog_broken };
        self.requests.catalog_failures + broken
    }
}

/// Injects a fault, waits until everything is redundant again, and counts. Prints a line.
pub fn run(setup: &Setup, journal: &Journal, lights: &Lights, fault: &'static Fault) -> Result<Round, Failure> {
    thread::sleep(STEADY_LOAD);
    let primary = setup.cluster.name("leader");
    let began = Instant::now();
    (fault.inject)(setup)?;
    wait::until_true("everything redundant again", TIMEOUT, || setup.is_redundant())?;
    let redundant_after = began.elapsed();
    let before = journal.purchases().len();
    wait::until_true("a purchase", TIMEOUT, || journal.purchases().len() > before)?;
    thread::sleep(STEADY_LOAD);
    let counts = journal.while_paused(|| Counts::take(setup, journal, lights))?;
    let pause = longest_pause(&journal.purchases(), began);
    let round = Round { fault, pause, counts, requests: journal.take_requests() };
    println!("{}: primary {primary}, then {}", fault.name, setup.cluster.name("leader"));
    print(&round, redundant_after);
    Ok(round)
}

/// The longest time between two purchases that ended after `from`.
fn longest_pause(purchases: &[Instant], from: Instant) -> Duration {
    let between = purchases.windows(2).filter_map(|pair| match pair {
        [one, next] if *next > from => Some(next.saturating_duration_since(*one)),
        _ => None,
    });
    between.max().unwrap_or_default()
}

fn print(round: &Round, redundant_after: Duration) {
    let Round { pause, counts, requests, .. } = round;
    println!(
        "  {} s without a purchase, redundant after {} s; {} orders; {} lost, {} unsettled, {} oversold, {} catalog \
        failures, {} without Retry-After, audit {}",
        seconds(*pause),
        seconds(redundant_after),
        counts.orders,
        counts.lost.len(),
        counts.unsettled.len(),
        counts.oversold,
        round.catalog_failures(),
        requests.without_retry_after,
        counts.audit.as_deref().unwrap_or("clean"),
    );
    let kinds: Vec<String> = requests.failures.iter().map(|(kind, count)| format!("{kind} × {count}")).collect();
    println!("  {} requests; {}", requests.total, kinds.join(", "));
    for (what, intents) in [("lost", &counts.lost), ("unsettled", &counts.unsettled)] {
        intents.iter().take(5).for_each(|intent| println!("  {what}: {intent}"));
    }
}

/// With a decimal.
pub fn seconds(duration: Duration) -> String {
    let tenths = (duration.as_millis() + 50) / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pause_begins_with_the_last_purchase_before_the_fault() {
        let at = |seconds: u64| Instant::now() + Duration::from_secs(seconds);
        let (purchases, fault) = ([at(0), at(60), at(61), at(81), at(82)], at(62));
        assert_eq!(seconds(longest_pause(&purchases, fault)), "20.0");
    }
}
