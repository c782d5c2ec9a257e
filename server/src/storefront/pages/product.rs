use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use wasm_core::catalog::slug;

use super::assets;
use super::document::{self, PageRequest};
use super::page::Page;
use crate::catalog::products::store::{self, Visible};
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Path;
use crate::storefront::Storefront;

error_responses!(PageErrors: [NONE]);

/// Get a product page
///
/// Returns the page as HTML. A former slug redirects to the current one; an unknown or hidden product is a 404 page.
#[utoipa::path(
    get,
    path = "/products/{name}",
    tag = "Pages",
    operation_id = "get_product_page",
    params(("name" = String, Path, description = "The product's current or former slug.", example = "nudgelight-one")),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html"),
        (status = 301, description = "Redirect from a former slug to the current one."),
        (status = 404, description = "The \"product not found\" page as HTML.", body = String, content_type = "text/html"),
        PageErrors
    ),
)]
pub async fn show(State(state): State<Arc<Storefront>>, name: Result<Path, Error>, request: Request) -> Response {
    let Ok(Path(name)) = name else {
        return assets::serve(State(state), request).await;
    };
    let contents = document::contents(&state).await;
    let page = match &contents {
        Some(contents) => Page::of_product(&name, &contents.active),
        None => Page::Personal,
    };
    if page == Page::ProductNotFound
        && let Some(path) = find_moved(&state, &name).await
    {
        return (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, path)]).into_response();
    }
    let status = if page == Page::ProductNotFound { StatusCode::NOT_FOUND } else { StatusCode::OK };
    let page_request = PageRequest { path: request.uri().path(), headers: request.headers() };
    document::respond(&state, &page_request, page, status, contents).await
}

/// The current path of a product with this former slug.
async fn find_moved(state: &Storefront, old_slug: &str) -> Option<String> {
    if slug(old_slug) != old_slug {
        return None;
    }
    let found = store::find_product_by_name(state.db.read(), old_slug, Visible::Active).await;
    let product = found.ok().flatten()?;
    (product.slug != old_slug).then(|| format!("/products/{}", product.slug))
}
