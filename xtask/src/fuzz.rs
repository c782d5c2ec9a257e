//! API fuzzing with schemathesis: every operation of the OpenAPI document, as a customer and as an administrator. No
//! response may be a server error, violate the document or ignore missing authentication.

use std::process::Command;

use fs_err as fs;

use crate::process::{Failure, Finished, capture};
use crate::python;
use crate::shop::{PASSWORD, Shop};
use crate::workspace::Workspace;

const CHECKS: &str = "not_a_server_error,status_code_conformance,response_schema_conformance,ignored_auth";
const USERS: [&str; 2] = ["customer@nudgelight.example", "admin@nudgelight.example"];
const SETTINGS: [(&str, &str); 2] = [("SHOP_RATE_LIMITS", "off"), ("SHOP_BOT_CHECK", "off")];

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    as_both_users(workspace, "--max-examples 30 --seed 1")
}

/// As many requests as fit into the time, half of it for each user. A user needs a minute to start.
pub fn stress(workspace: &Workspace, seconds: u64, seed: u64) -> Result<Finished, Failure> {
    let (time, seed) = ((seconds / 2).max(60), seed % 4_294_967_296);
    as_both_users(workspace, &format!("--max-examples 100000 --max-time {time} --seed {seed}"))
}

/// The number of requests in schemathesis' output.
pub fn count(lines: &[String]) -> u64 {
    let generated = lines.iter().filter_map(|line| line.split_once(" generated,"));
    generated
        .filter_map(|(before, _)| before.split_whitespace().next_back()?.replace(',', "").parse::<u64>().ok())
        .sum()
}

fn as_both_users(workspace: &Workspace, limits: &str) -> Result<Finished, Failure> {
    let schemathesis = python::installed(workspace, "schemathesis")?;
    let shop = Shop::open(&workspace.server(), workspace, "calls", &SETTINGS)?;
    let run_as = |user| {
        let mut command = Command::new(&schemathesis);
        command.arg("--config-file").arg(workspace.root.join("xtask/schemathesis.toml"));
        command.arg("run").arg(format!("{}/openapi.json", shop.url)).args(limits.split(' '));
        fuzz(&shop, command.env("SHOP_USER", user))
    };
    let [customer, admin] = USERS;
    let finished = run_as(customer)?.and(run_as(admin)?);
    shop.close_after(&finished);
    Ok(finished)
}

fn fuzz(shop: &Shop, command: &mut Command) -> Result<Finished, Failure> {
    let report = shop.data.join("schemathesis.xml");
    command
        .args(["--checks", CHECKS, "--no-shrink", "--warnings", "off", "--no-color"])
        .args(["--report", "junit", "--report-junit-path"])
        .arg(&report)
        .current_dir(&shop.data)
        .env("SHOP_PASSWORD", PASSWORD);
    let mut finished = capture(command)?;
    finished.lines.extend(result_line(&fs::read_to_string(&report).unwrap_or_default()));
    Ok(finished)
}

/// The counts of a JUnit report, because the output has none, in cargo's form.
fn result_line(report: &str) -> Option<String> {
    let root = report.lines().find(|line| line.starts_with("<testsuites ")).unwrap_or_default();
    let number = |name: &str| {
        let (_, value) = root.split_once(&format!(" {name}=\""))?;
        value.split('"').next()?.parse::<u64>().ok()
    };
    let failed = number("failures")? + number("errors")?;
    let passed = number("tests")?.saturating_sub(failed + number("skipped")?);
    Some(format!("test result: schemathesis. {passed} passed; {failed} failed"))
}

#[cfg(test)]
mod tests {
    use super::{count, result_line};
    use crate::test_counts::TestCounts;

    #[test]
    fn the_counts_of_a_report_are_read() {
        let report = "<?xml?>\n<testsuites errors=\"1\" failures=\"2\" skipped=\"1\" tests=\"35\" time=\"54.03\">\n";
        let line = result_line(report).unwrap();
        assert_eq!(TestCounts::read(&[line]).unwrap(), TestCounts { passed: 31, failed: 3 });
        assert_eq!(result_line(""), None);
        assert_eq!(count(&["  Test cases: 1,400 generated, 1 skipped".to_owned()]), 1400);
    }
}
