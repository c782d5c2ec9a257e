//! Whose views are counted: people who have not asked to be left out.

use axum::http::{HeaderMap, header};

/// What robots that mean no harm call themselves; the others are not told from people.
const ROBOTS: [&str; 9] =
    ["bot", "crawler", "spider", "slurp", "preview", "facebookexternalhit", "lighthouse", "curl/", "wget/"];

/// Nothing of the headers is kept.
pub fn may_be_counted(headers: &HeaderMap) -> bool {
    let says_yes = |name: &str| headers.get(name).is_some_and(|value| value == "1");
    if says_yes("dnt") || says_yes("sec-gpc") {
        return false;
    }
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let agent = agent.to_ascii_lowercase();
    !ROBOTS.iter().any(|robot| agent.contains(robot))
}
