//! `docs/stress.md`: the counts of the last whole run. The text below them is written by hand and kept.

use std::fs;

use crate::machine;
use crate::process::Failure;
use crate::workspace::Workspace;

const FILE: &str = "docs/stress.md";
const END: &str = "<!-- end of counts -->\n";

const HEAD: &str = "# Stress test\n\n\
    `cargo xtask stress --minutes 30` runs each invariant's test with random schedules and inputs, and writes the counts \
    on this page. The audit runs after every iteration. A count says how often a test passed; it is no proof.\n\n\
    A failed iteration prints its seed. `STRESS_SEED` sets the seed of the first iteration of a test. \
    `cargo xtask test` runs the same tests with a few iterations each.\n\n";

const MEASURED: &str = "Latencies and memory of the load tests. The clients run on the same machine as the server.\n\n";

/// The results of a whole run.
pub struct Run<'a> {
    pub minutes: u64,
    pub counts: &'a str,
    pub figures: &'a str,
}

pub fn write(workspace: &Workspace, run: &Run) -> Result<(), Failure> {
    let (today, machine) = (machine::today(), machine::description());
    let Run { minutes, counts, figures } = run;
    let path = workspace.root.join(FILE);
    let page = fs::read_to_string(&path).unwrap_or_default();
    let below = page.split_once(END).map_or("", |(_, below)| below);
    let text = format!("{HEAD}{today}, {minutes} minutes on {machine}.\n\n{counts}\n{MEASURED}{figures}{END}{below}");
    fs::write(&path, text).map_err(|error| Failure::new(format!("{FILE}: {error}")))
}
