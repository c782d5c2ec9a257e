//! The table of results.

use std::time::Duration;

use bench::machine;

use crate::faults::FAULTS;
use crate::round::{Round, seconds};

const COLUMNS: &str = "| fault | n | seconds without a purchase, median | worst | acknowledged orders lost \
    | payments without order, refund or alert | oversold units | failed catalog requests | 5xx without `Retry-After` \
    | audit |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|---|";

pub fn print(rounds: &[Round]) {
    println!("\n{}, {}, debug build\n\n{COLUMNS}", machine::today(), machine::description());
    for fault in &FAULTS {
        let of_fault: Vec<&Round> = rounds.iter().filter(|round| round.fault.name == fault.name).collect();
        if !of_fault.is_empty() {
            println!("{}", row(fault.title, &of_fault));
        }
    }
    if let Some(last) = rounds.last() {
        let requests: u64 = rounds.iter().map(|round| round.requests.total).sum();
        println!("\n{} orders, {requests} requests", last.counts.orders);
    }
}

fn row(title: &str, rounds: &[&Round]) -> String {
    let mut pauses: Vec<Duration> = rounds.iter().map(|round| round.pause).collect();
    pauses.sort_unstable();
    let [median, worst] = [median(&pauses), pauses.last().copied().unwrap_or_default()].map(seconds);
    let worst_of = |count: fn(&Round) -> usize| rounds.iter().map(|round| count(round)).max().unwrap_or_default();
    let sum = |count: fn(&Round) -> u64| rounds.iter().map(|round| count(round)).sum::<u64>();
    let (lost, unsettled) = (worst_of(|round| round.counts.lost.len()), worst_of(|round| round.counts.unsettled.len()));
    let oversold = rounds.iter().map(|round| round.counts.oversold).max().unwrap_or_default();
    let (catalog, bare) = (sum(Round::catalog_failures), sum(|round| round.requests.without_retry_after));
    let audit = if rounds.iter().all(|round| round.counts.audit.is_none()) { "clean" } else { "failed" };
    let n = rounds.len();
    format!("| {title} | {n} | {median} | {worst} | {lost} | {unsettled} | {oversold} | {catalog} | {bare} | {audit} |")
}

/// Of sorted durations: the middle one, or the mean of both.
fn median(sorted: &[Duration]) -> Duration {
    let at = |index: usize| sorted.get(index).copied().unwrap_or_default();
    (at(sorted.len().saturating_sub(1) / 2) + at(sorted.len() / 2)) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_two_is_their_mean() {
        let seconds = |values: &[u64]| values.iter().map(|value| Duration::from_secs(*value)).collect::<Vec<_>>();
        assert_eq!(median(&seconds(&[2, 4])), Duration::from_secs(3));
        assert_eq!(median(&seconds(&[1, 2, 9])), Duration::from_secs(2));
    }
}
