//! What a description says besides its calls.

use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{InfoBuilder, LicenseBuilder, OpenApi};

use crate::http::error_details;

const ABOUT: &str = "\
Every call of the shop's server. Bodies are JSON; members that are not known are ignored.

Money is a number of US dollars with at most two decimals, read from its text and never through a float. Times are \
RFC 3339 in UTC. Ids are strings. A whole number may have a decimal point, as in `5.0`.

Every error has one shape: `error` is a sentence for a person, `code` is stable for programs and tells which \
`details` there are, `fields` says what is wrong in which input, and `request_id` is what the log knows the request by.";

/// The collected calls with a title, the form of errors, and how a caller shows who they are.
pub fn completed(mut document: OpenApi) -> OpenApi {
    document.info = InfoBuilder::new()
        .title("Nudgelight")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(ABOUT))
        .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build()))
        .build();
    let components = document.components.get_or_insert_default();
    error_details::add_schemas(components);
    components.add_security_scheme("accessToken", access_token());
    components.add_security_scheme("metricsToken", metrics_token());
    document
}

fn access_token() -> SecurityScheme {
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some("From a log-in or a refresh; good for 15 minutes."));
    SecurityScheme::Http(bearer.build())
}

fn metrics_token() -> SecurityScheme {
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("What the shop's operator has set as SHOP_METRICS_TOKEN."));
    SecurityScheme::Http(bearer.build())
}
