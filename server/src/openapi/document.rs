//! Completes the generated OpenAPI document: info, tags, operation ids, error schemas, security schemes.

use heck::ToLowerCamelCase as _;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{InfoBuilder, LicenseBuilder, OpenApi, Server};

use crate::error::schema;

const ABOUT: &str = "\
The shop's HTTP API. Bodies are JSON, except photos; unknown members are ignored.

Money is a number of US dollars with at most two decimals, parsed as a decimal and never as a float. Times are \
RFC 3339 in UTC; members with `local` in their names have the same time in the shop's time zone, with its offset. Ids are strings. A whole number may have a decimal point, as in `5.0`.

Every error has one shape: `error` is a message for people, `code` is stable and determines the type of `details`, \
`fields` has a message for each invalid field, and `request_id` identifies the request in the log.

Every endpoint may return a 500 `Internal` after an unexpected error, or a 503 `Overloaded` with `Retry-After` under \
load.";

/// Name and description of each tag, in the order of display.
const TAGS: [(&str, &str); 9] = [
    ("Catalog", "Products, prices, stock and photos."),
    ("Checkout", "From a cart to a paid order: payment intents, orders and Stripe's webhook."),
    ("Orders", "Orders of the logged-in customer."),
    ("Accounts", "Sign-up, login, sessions, passwords and the keys that verify access tokens."),
    ("Administration", "Orders, alerts and statistics, for administrators only."),
    ("Shop", "Public configuration, page views and downloads."),
    ("Pages", "HTML pages, redirects, and files for browsers and search engines."),
    ("Operations", "Health checks and metrics."),
    ("OpenAPI", "This document and its viewer."),
];

/// The schemas of what administrators edit, with a version.
const EDITABLE: [&str; 3] = ["Product", "AdminOrder", "SettingsVersion"];

/// Completes the document of the collected endpoints.
pub fn complete(mut document: OpenApi) -> OpenApi {
    document.info = InfoBuilder::new()
        .title("Nudgelight API")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(ABOUT))
        .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build()))
        .build();
    document.servers = Some(vec![Server::new("/")]);
    // Endpoints are public unless they name a scheme.
    document.security = Some(Vec::new());
    document.tags =
        Some(TAGS.map(|(name, about)| TagBuilder::new().name(name).description(Some(about)).build()).into());
    document.paths.paths.values_mut().flat_map(operations).for_each(name_for_clients);
    let components = document.components.get_or_insert_default();
    schema::add_schemas(components, &EDITABLE);
    components.add_security_scheme("accessToken", access_token());
    components.add_security_scheme("metricsToken", metrics_token());
    document
}

fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut path.get, &mut path.put, &mut path.post, &mut path.patch, &mut path.delete].into_iter().flatten()
}

/// Generated clients name their functions after operation ids, which utoipa derives from the handlers' names.
fn name_for_clients(operation: &mut Operation) {
    operation.operation_id = operation.operation_id.as_deref().map(|id| id.to_lower_camel_case());
}

fn access_token() -> SecurityScheme {
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some("The `accessToken` of a login or a refresh; valid for 15 minutes."));
    SecurityScheme::Http(bearer.build())
}

fn metrics_token() -> SecurityScheme {
    let bearer =
        HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("The value of `SHOP_METRICS_TOKEN`."));
    SecurityScheme::Http(bearer.build())
}
