//! Performance figures with their limits.

use std::time::Duration;

#[derive(Clone, Copy)]
pub enum Bound {
    AtMost(u128),
    AtLeast(u128),
}

/// Prints a figure, and returns whether it is within its bound. `cargo xtask stress` turns the line into a table row.
pub fn tell(what: &str, reached: u128, unit: &str, bound: Bound) -> bool {
    let (sign, limit, is_met) = match bound {
        Bound::AtMost(most) => ("≤", most, reached <= most),
        Bound::AtLeast(least) => ("≥", least, reached >= least),
    };
    let met = if is_met { "yes" } else { "no" };
    println!("figure: {what} | {reached} {unit} | {sign} {limit} {unit} | {met}");
    is_met
}

/// Prints a figure that doesn't depend on the machine's speed, and asserts its bound.
#[track_caller]
pub fn must(what: &str, reached: u128, unit: &str, bound: Bound) {
    assert!(tell(what, reached, unit, bound), "{what}: {reached} {unit}");
}

/// Reports a duration in whole milliseconds, rounded up.
pub fn time(what: &str, took: Duration, most_ms: u128) {
    tell(what, took.as_micros().div_ceil(1_000), "ms", Bound::AtMost(most_ms));
}

/// Reports a duration as a percentage of another.
pub fn ratio(what: &str, took: Duration, beside: Duration, most_percent: u128) {
    let percent = (took.as_micros() * 100).div_ceil(beside.as_micros().max(1));
    tell(what, percent, "%", Bound::AtMost(most_percent));
}
