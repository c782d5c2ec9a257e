//! A row of the report: a metric, its reference and its target.

use std::fmt;

/// A measured amount. Whole numbers are precise enough for a shared machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    PerSecond(u64),
    Nanoseconds(u64),
    Microseconds(u64),
    Bytes(u64),
    Kilobytes(u64),
    /// Out of 100.
    Points(u64),
    Count(u64),
    /// Growth per hour, with the margin of its 95 % confidence interval.
    Growth {
        per_hour: i64,
        margin: i64,
        unit: &'static str,
    },
}

impl Figure {
    /// Of a growth, what it surely is.
    fn amount(self) -> u64 {
        match self {
            Self::PerSecond(amount)
            | Self::Nanoseconds(amount)
            | Self::Microseconds(amount)
            | Self::Bytes(amount)
            | Self::Kilobytes(amount)
            | Self::Points(amount)
            | Self::Count(amount) => amount,
            Self::Growth { per_hour, margin, .. } => u64::try_from(per_hour - margin).unwrap_or_default(),
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PerSecond(amount) => write!(out, "{amount}/s"),
            Self::Nanoseconds(amount) if amount < 1_000 => write!(out, "{amount} ns"),
            Self::Nanoseconds(amount) => Self::Microseconds(amount / 1_000).fmt(out),
            Self::Microseconds(amount) if amount < 1_000 => write!(out, "{amount} µs"),
            Self::Microseconds(amount) => write!(out, "{}.{:02} ms", amount / 1_000, amount % 1_000 / 10),
            Self::Bytes(amount) => write!(out, "{}.{} KB", amount / 1_000, amount % 1_000 / 100),
            Self::Kilobytes(amount) => write!(out, "{}.{} MB", amount / 1_000, amount % 1_000 / 100),
            Self::Points(amount) | Self::Count(amount) => write!(out, "{amount}"),
            Self::Growth { per_hour, margin: 0, unit } => write!(out, "{per_hour:+} {unit}"),
            Self::Growth { per_hour, margin, unit } => write!(out, "{per_hour:+} ± {margin} {unit}"),
        }
    }
}

/// The target of a metric.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// In percent of the reference.
    AtLeast(u64),
    AtMost(u64),
    NoMoreThan(Figure),
    NoLessThan(Figure),
    /// No target, for comparison.
    Open,
}

pub struct Row {
    metric: String,
    ours: Figure,
    reference: Option<(&'static str, Figure)>,
    target: Target,
}

impl Row {
    /// A metric with a reference measured in the same run.
    pub fn with_reference(
        metric: impl Into<String>,
        ours: Figure,
        reference: (&'static str, Figure),
        target: Target,
    ) -> Self {
        Self { metric: metric.into(), ours, reference: Some(reference), target }
    }

    pub fn without_reference(metric: impl Into<String>, ours: Figure, target: Target) -> Self {
        Self { metric: metric.into(), ours, reference: None, target }
    }

    /// The ratio to the reference in percent.
    fn ratio(&self) -> Option<u64> {
        let (_, reference) = self.reference?;
        (self.ours.amount() * 100).checked_div(reference.amount())
    }

    /// `None` without a target.
    pub fn is_met(&self) -> Option<bool> {
        match self.target {
            Target::AtLeast(percent) => Some(self.ratio()? >= percent),
            Target::AtMost(percent) => Some(self.ratio()? <= percent),
            Target::NoMoreThan(most) => Some(self.ours.amount() <= most.amount()),
            Target::NoLessThan(least) => Some(self.ours.amount() >= least.amount()),
            Target::Open => None,
        }
    }

    pub fn cells(&self) -> [String; 6] {
        let reference = self.reference.map(|(name, figure)| format!("{name}: {figure}"));
        let target = match self.target {
            Target::AtLeast(percent) => format!("≥ {percent} %"),
            Target::AtMost(percent) => format!("≤ {percent} %"),
            Target::NoMoreThan(most) => format!("≤ {most}"),
            Target::NoLessThan(least) => format!("≥ {least}"),
            Target::Open => String::new(),
        };
        let met = match self.is_met() {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "",
        };
        let ratio = self.ratio().map(|percent| format!("{percent} %"));
        [
            self.metric.clone(),
            self.ours.to_string(),
            reference.unwrap_or_default(),
            ratio.unwrap_or_default(),
            target,
            met.to_owned(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_bare(ours: u64, target: Target) -> Row {
        Row::with_reference("list", Figure::PerSecond(ours), ("bare", Figure::PerSecond(1_000)), target)
    }

    #[test]
    fn a_target_is_met_from_exactly_its_bound() {
        assert_eq!(of_bare(800, Target::AtLeast(80)).is_met(), Some(true));
        assert_eq!(of_bare(799, Target::AtLeast(80)).is_met(), Some(false));
        assert_eq!(of_bare(1_500, Target::AtMost(150)).is_met(), Some(true));
        assert_eq!(of_bare(1_510, Target::AtMost(150)).is_met(), Some(false));
        assert_eq!(of_bare(1, Target::Open).is_met(), None);
    }

    #[test]
    fn growth_misses_its_target_once_its_whole_interval_is_above() {
        let growth = |per_hour, margin| Figure::Growth { per_hour, margin, unit: "kB" };
        let row =
            |margin| Row::without_reference("memory", growth(2_500, margin), Target::NoMoreThan(growth(2_000, 0)));
        assert_eq!(row(499).is_met(), Some(false));
        assert_eq!(row(500).is_met(), Some(true));
        assert_eq!(growth(-3, 4).to_string(), "-3 ± 4 kB");
        assert_eq!(growth(2_000, 0).to_string(), "+2000 kB");
    }

    #[test]
    fn amounts_are_written_for_people() {
        assert_eq!(Figure::Microseconds(1_234).to_string(), "1.23 ms");
        assert_eq!(Figure::Microseconds(999).to_string(), "999 µs");
        assert_eq!(Figure::Kilobytes(30_050).to_string(), "30.0 MB");
    }
}
