//! Security headers of every response.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::config::Hsts;

const HEADERS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin-allow-popups"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), usb=(), payment=(self \"https://js.stripe.com\")",
    ),
    // Pages have a policy of their own.
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
];

/// HSTS only for a shop on https.
pub fn security_headers(public_url: &str, hsts: Hsts) -> HeaderMap {
    let hsts = match hsts {
        _ if !public_url.starts_with("https://") => None,
        Hsts::Host => Some("max-age=63072000"),
        Hsts::Subdomains => Some("max-age=63072000; includeSubDomains"),
        // Browsers forget an earlier one.
        Hsts::Off => Some("max-age=0"),
    };
    let hsts = hsts.map(|value| (header::STRICT_TRANSPORT_SECURITY, value));
    HEADERS.into_iter().chain(hsts).map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
}
