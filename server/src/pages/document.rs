//! A page's whole document: the shell's own, with what this page says in its head and shows in its body.

use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use wasm_core::catalogue::Product;

use super::data::{PageData, embedded};
use super::page::Page;
use super::{assets, head, policy, render};
use crate::catalogue::Contents;
use crate::http::error::Error;
use crate::http::response_cache::{Document, Kept};
use crate::shop::Shop;

/// The places in the shell's document that are this page's. The build leaves them as they are.
const HEAD: &str = "<!--page-head-->";
const BODY: &str = "<div id=\"root\"></div>";

/// Who asks for a page, and what they have of it already.
pub struct Asked<'a> {
    pub path: &'a str,
    pub headers: &'a HeaderMap,
}

/// Everything that is for sale now; none when the database does not answer, which the shell will show.
pub async fn contents(shop: &Shop) -> Option<Arc<Contents>> {
    match shop.catalogue.current().await {
        Ok(contents) => Some(contents),
        Err(error) => {
            tracing::warn!(%error, "a page is rendered without the catalogue");
            None
        }
    }
}

/// Rendered once for a catalogue; asked for again by those who have it, it is not sent again.
pub async fn answer(
    shop: &Shop,
    asked: &Asked<'_>,
    page: Page,
    status: StatusCode,
    contents: Option<Arc<Contents>>,
) -> Response {
    let kept = match kept(shop, page, contents).await {
        Ok(kept) => kept,
        Err(error) => return error.into_response(),
    };
    let mut response = match status {
        StatusCode::OK => kept.answer(asked.headers),
        _ => kept.whole(status, asked.headers),
    };
    // Some pages are one document at many addresses, and what they may load is a matter of the address.
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy::of(&shop.config, asked.path));
    response
}

async fn kept(shop: &Shop, page: Page, contents: Option<Arc<Contents>>) -> Result<Arc<Kept>, Error> {
    let Some(contents) = contents else {
        let document = render_document(shop, page, None).await?;
        return Ok(Arc::new(Kept::uncompressed(document, &shop.common_headers)));
    };
    // There are as many as there are public pages and products, whatever is asked for.
    let key = page.canonical_path().unwrap_or_else(|| page.view_name().to_owned());
    contents.shelf.keep(&key, render_document(shop, page, Some(&contents.active))).await
}

async fn render_document(shop: &Shop, page: Page, products: Option<&[Product]>) -> Result<Document, Error> {
    let shell = assets::own_document().ok_or_else(|| Error::internal("this binary was built without the shell"))?;
    let (start, rest) = shell.split_once(HEAD).ok_or_else(|| Error::internal("the shell has no place for a head"))?;
    let (middle, end) = rest.split_once(BODY).ok_or_else(|| Error::internal("the shell has no place for a body"))?;
    let data = Arc::new(PageData::of(shop, products.unwrap_or_default().to_vec()));
    let json = embedded(shop, products).map_err(Error::internal)?;
    let head = head::head_html(&page, &data);
    let (route, policy) = (page.counted_as(), page.canonical_path().map(|path| policy::of(&shop.config, &path)));
    let body = render::body_html(page, data).await?;
    let html =
        format!("{start}{head}{middle}{body}<script type=\"application/json\" id=\"first-paint\">{json}</script>{end}");
    Ok(Document { route, kind: "text/html; charset=utf-8", caching: "no-cache", policy, body: html.into() })
}
