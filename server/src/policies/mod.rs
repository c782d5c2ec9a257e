//! Policies: contact, privacy, terms, and shipping and returns. Each is a Markdown text of the settings, or the standard
//! text.

mod handlers;
mod markdown;
mod placeholders;
mod policy;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use policy::Policy;

use self::placeholders::Placeholders;
use crate::shop::Shop;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new()
        .routes(routes!(handlers::get_policy))
        .routes(routes!(handlers::get_policy_text))
        .routes(routes!(handlers::preview_policy))
}

/// The policy in force, as HTML.
pub fn html(shop: &Shop, policy: Policy) -> String {
    render(shop, policy.markdown(&shop.settings()))
}

fn render(shop: &Shop, markdown: &str) -> String {
    markdown::render(&Placeholders::of(shop).fill(markdown))
}
