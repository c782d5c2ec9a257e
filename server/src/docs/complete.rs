//! Completes the OpenAPI document: info, error schemas, security schemes.

use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{InfoBuilder, LicenseBuilder, OpenApi};

use crate::http::error_details;

const ABOUT: &str = "\
The shop's HTTP API. Bodies are JSON; unknown members are ignored.

Money is a number of US dollars with at most two decimals, parsed as a decimal and never as a float. Times are \
RFC 3339 in UTC. Ids are strings. A whole number may have a decimal point, as in `5.0`.

Every error has one shape: `error` is a message for people, `code` is stable and determines the type of `details`, \
`fields` has a message for each invalid field, and `request_id` identifies the request in the log.";

/// Adds title, error schemas and security schemes to the collected endpoints.
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
        .description(Some("From a login or a refresh; valid for 15 minutes."));
    SecurityScheme::Http(bearer.build())
}

fn metrics_token() -> SecurityScheme {
    let bearer =
        HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("The value of `SHOP_METRICS_TOKEN`."));
    SecurityScheme::Http(bearer.build())
}
