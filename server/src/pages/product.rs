use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use wasm_core::catalogue::slug;

use super::shell;
use crate::catalogue::store::{self, Visible};
use crate::error::Error;
use crate::extract::Path;
use crate::refusals::refusals;
use crate::shop::Shop;

refusals!(PageRefusals: [NONE]);

/// A product's page. An address from before a rename leads to the one it has now; whatever else is asked for, or
/// cannot be looked up, is the shell's to show.
#[utoipa::path(
    get,
    path = "/products/{name}",
    tag = "The shop",
    operation_id = "show_product_page",
    params(("name" = String, Path, description = "A product's slug, of today or of before.")),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html"),
        (status = 301, description = "To where the product is today."),
        PageRefusals
    ),
)]
pub async fn show(State(shop): State<Arc<Shop>>, name: Result<Path, Error>, request: Request) -> Response {
    let moved = match name {
        Ok(Path(name)) if slug(&name) == name => find_moved(&shop, &name).await,
        _ => None,
    };
    match moved {
        Some(path) => (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, path)]).into_response(),
        None => shell::serve(State(shop), request).await,
    }
}

async fn find_moved(shop: &Shop, old_slug: &str) -> Option<String> {
    let found = store::find_product_by_name(shop.db.read(), old_slug, Visible::Active).await;
    let product = found.ok().flatten()?;
    (product.slug != old_slug).then(|| format!("/products/{}", product.slug))
}
