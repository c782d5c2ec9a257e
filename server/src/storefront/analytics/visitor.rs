//! Filter for page views: ignores bots, and visitors who opted out with `DNT` or `Sec-GPC`.

use axum::http::{HeaderMap, header};

/// Substrings of the user agents of well-behaved bots.
const BOTS: [&str; 9] =
    ["bot", "crawler", "spider", "slurp", "preview", "facebookexternalhit", "lighthouse", "curl/", "wget/"];

/// Whether to count a view. The headers are not stored.
pub fn is_countable(headers: &HeaderMap) -> bool {
    let is_set = |name: &str| headers.get(name).is_some_and(|value| value == "1");
    if is_set("dnt") || is_set("sec-gpc") {
        return false;
    }
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let agent = agent.to_ascii_lowercase();
    !BOTS.iter().any(|bot| agent.contains(bot))
}
