//! The service worker, with which the tutorial, the Schedule Lab and the recipes work without a network.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use sha2::{Digest as _, Sha256};

use super::page::RECIPES;
use super::{policy, shell_files};
use crate::config::Config;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::response_cache::Document;
use crate::storefront::Storefront;

const PATH: &str = "/service-worker.js";
/// Placeholder in the built script.
const VERSION: &str = "OFFLINE_VERSION";
/// A worker has a policy of its own. It requests its pages and files.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; connect-src 'self'; frame-ancestors 'none'");

error_responses!(WorkerErrors: [NONE]);

/// Get the service worker
///
/// Returns the script with which the tutorial, the Schedule Lab and the recipes work without a network. It responds
/// to requests for their documents and files only.
#[utoipa::path(
    get,
    path = "/service-worker.js",
    tag = "Pages",
    responses(
        (status = 200, description = "The script.", body = String, content_type = "text/javascript"),
        WorkerErrors,
    ),
)]
pub async fn get_service_worker(State(state): State<Arc<Storefront>>, headers: HeaderMap) -> Result<Response, Error> {
    let script = async { script_of(&state.config) };
    Ok(state.documents.get_or_render(PATH, script).await?.respond(&headers))
}

fn script_of(config: &Config) -> Result<Document, Error> {
    let built = shell_files::service_worker()
        .ok_or_else(|| Error::internal("the shell is not built: run `cargo xtask run`"))?;
    let version = version_of(&built, &policy::of(config, RECIPES));
    Ok(Document {
        route: PATH,
        content_type: "text/javascript; charset=utf-8",
        cache_control: "no-cache",
        csp: Some(POLICY),
        body: built.replace(VERSION, &version).into(),
    })
}

/// Changes with the program, the shell and the policy of the pages, so that no cached page outlives them.
fn version_of(script: &str, policy: &HeaderValue) -> String {
    let parts = [script.as_bytes(), policy.as_bytes(), env!("CARGO_PKG_VERSION").as_bytes()];
    let mut version = hex::encode(Sha256::digest(parts.join(&0)));
    version.truncate(16);
    version
}
