//! A page's whole document: the shell's own, with what this page says in its head and shows in its body.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};
use wasm_core::catalogue::Product;

use super::cache::Rendered;
use super::data::{PageData, embedded};
use super::page::Page;
use super::{head, policy, render, shell};
use crate::catalogue::store::{self, Visible};
use crate::error::Error;
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
pub async fn products(shop: &Shop) -> Option<Vec<Product>> {
    match store::list_products(shop.db.read(), Visible::Active).await {
        Ok(products) => Some(products),
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
    products: Option<Vec<Product>>,
) -> Response {
    let rendered = match rendered(shop, page, products).await {
        Ok(rendered) => rendered,
        Err(error) => return error.into_response(),
    };
    let known = asked.headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let is_known = known.is_some_and(|tags| tags.split(',').any(|tag| tag.trim() == rendered.etag));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::CONTENT_SECURITY_POLICY, policy::of(&shop.config, asked.path)),
        (header::ETAG, HeaderValue::from_str(&rendered.etag).unwrap_or(HeaderValue::from_static("W/\"\""))),
    ];
    if is_known && status == StatusCode::OK {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (status, headers, rendered.html).into_response()
}

async fn rendered(shop: &Shop, page: Page, products: Option<Vec<Product>>) -> Result<Rendered, Error> {
    let Some(products) = products else {
        return render_document(shop, page, None).await;
    };
    let key = page.canonical_path().unwrap_or_else(|| page.view_name().to_owned());
    if let Some(rendered) = shop.pages.find(&key, &products) {
        return Ok(rendered);
    }
    let products = Arc::new(products);
    let rendered = render_document(shop, page, Some(&products)).await?;
    shop.pages.keep(key, products, rendered.clone());
    Ok(rendered)
}

async fn render_document(shop: &Shop, page: Page, products: Option<&Vec<Product>>) -> Result<Rendered, Error> {
    let shell = shell::own_document().ok_or_else(|| Error::internal("this binary was built without the shell"))?;
    let (start, rest) = shell.split_once(HEAD).ok_or_else(|| Error::internal("the shell has no place for a head"))?;
    let (middle, end) = rest.split_once(BODY).ok_or_else(|| Error::internal("the shell has no place for a body"))?;
    let data = Arc::new(PageData::of(shop, products.cloned().unwrap_or_default()));
    let json = embedded(shop, products.map(Vec::as_slice)).map_err(Error::internal)?;
    let head = head::head_html(&page, &data);
    let body = render::body_html(page, data).await?;
    let html =
        format!("{start}{head}{middle}{body}<script type=\"application/json\" id=\"first-paint\">{json}</script>{end}");
    let etag = format!("W/\"{}\"", fingerprint(&html));
    Ok(Rendered { html: html.into(), etag })
}

/// Sixteen hexadecimal digits of the text's hash.
fn fingerprint(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
