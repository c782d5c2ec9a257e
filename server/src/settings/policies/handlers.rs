//! Endpoints of the policies. They are changed like every other setting.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Policy, html, render};
use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::{Body, Path};
use crate::settings::SettingsState;
use crate::settings::values::{SettingsVersion, check_policy};

pub fn router() -> OpenApiRouter<Arc<SettingsState>> {
    OpenApiRouter::new().routes(routes!(get_policy))
}

pub fn admin_router() -> OpenApiRouter<Arc<SettingsState>> {
    OpenApiRouter::new().routes(routes!(get_policy_text)).routes(routes!(preview_policy))
}

/// A policy for a page.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "html": "<p>Email us.</p>" })))]
pub struct PolicyHtml {
    /// Sanitized HTML.
    html: String,
}

/// A policy for an editor.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "version": 3, "markdown": "Email {support_email}.", "standard": "Email {support_email}." })))]
pub struct PolicyText {
    /// Version of the settings.
    version: i64,
    /// The text in force.
    markdown: String,
    /// The standard text, which applies while the shop has no text of its own.
    standard: &'static str,
}

/// A text to render.
#[derive(Deserialize, ToSchema)]
#[schema(examples(json!({ "markdown": "Email {support_email}." })))]
pub struct PolicyDraft {
    #[schema(max_length = 20000)]
    markdown: String,
}

error_responses!(GetErrors: [NONE] NotFound);

/// Get a policy
///
/// Returns the text of a page as HTML: `contact`, `privacy`, `terms` or `shipping-and-returns`. Another name is a 404.
#[utoipa::path(
    get,
    path = "/api/policies/{policy}",
    tag = "Shop",
    params(("policy" = String, Path, description = "The page's path.", example = "privacy")),
    responses((status = 200, description = "The policy.", body = PolicyHtml), GetErrors),
)]
pub async fn get_policy(
    State(state): State<Arc<SettingsState>>,
    Path(policy): Path,
) -> Result<Json<PolicyHtml>, Error> {
    Ok(Json(PolicyHtml { html: html(&state, Policy::parse(&policy)?) }))
}

error_responses!(TextErrors: [ADMIN] NotFound);

/// Get the text of a policy
///
/// Returns the Markdown of a policy, and of its standard text. Another name is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/policies/{policy}",
    tag = "Administration",
    params(("policy" = String, Path, description = "The page's path.", example = "privacy")),
    security(("accessToken" = [])),
    responses((status = 200, description = "The text.", body = PolicyText), TextErrors),
)]
pub async fn get_policy_text(
    State(state): State<Arc<SettingsState>>,
    Path(policy): Path,
    Admin(_): Admin,
) -> Result<Json<PolicyText>, Error> {
    let policy = Policy::parse(&policy)?;
    state.current.reload().await?;
    let SettingsVersion { version, settings, .. } = state.current.version();
    Ok(Json(PolicyText { version, markdown: policy.markdown(&settings).to_owned(), standard: policy.standard() }))
}

error_responses!(PreviewErrors: [BODY, ADMIN]);

/// Preview a policy
///
/// Returns Markdown as the HTML of a page, without saving it. A text that is too long is a 400.
#[utoipa::path(
    post,
    path = "/api/admin/policy-preview",
    tag = "Administration",
    request_body = PolicyDraft,
    security(("accessToken" = [])),
    responses((status = 200, description = "The HTML.", body = PolicyHtml), PreviewErrors),
)]
pub async fn preview_policy(
    State(state): State<Arc<SettingsState>>,
    Admin(_): Admin,
    Body(draft): Body<PolicyDraft>,
) -> Result<Json<PolicyHtml>, Error> {
    check_policy(&draft.markdown).map_err(|message| Error::invalid_field("markdown", message))?;
    Ok(Json(PolicyHtml { html: render(&state, &state.current.get(), &draft.markdown) }))
}
