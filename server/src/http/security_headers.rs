//! Security headers of every response.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

const HEADERS: [(HeaderName, &str); 7] = [
    (header::STRICT_TRANSPORT_SECURITY, "max-age=63072000; includeSubDomains"),
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

pub fn security_headers(public_url: &str) -> HeaderMap {
    // HSTS only for a shop on https.
    let is_kept = |name: &HeaderName| *name != header::STRICT_TRANSPORT_SECURITY || public_url.starts_with("https://");
    HEADERS
        .into_iter()
        .filter(|(name, _)| is_kept(name))
        .map(|(name, value)| (name, HeaderValue::from_static(value)))
        .collect()
}
