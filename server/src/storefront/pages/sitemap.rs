//! The sitemap. It is one file, which the protocol limits to 50,000 URLs: a larger catalog needs an index of sitemaps.

use std::sync::Arc;

use app::schedule::Recipe;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use wasm_core::catalog::Product;

use super::page::PRODUCTS;
use super::paths::PUBLIC;
use super::seo::cached_for_an_hour;
use crate::catalog::images::raster_images;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::response_cache::Document;
use crate::infra::clock::rfc3339;
use crate::infra::xml::{self, Written, Xml};
use crate::storefront::Storefront;

/// Public, but excluded from the sitemap.
const UNLISTED: &str = "/cart";
const NAMESPACES: [(&str, &str); 2] = [
    ("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9"),
    ("xmlns:image", "http://www.google.com/schemas/sitemap-image/1.1"),
];
const MAX_URLS: usize = 50_000;

error_responses!(SitemapErrors: [NONE]);

/// Get the sitemap
///
/// Returns the URLs of all public pages and active products, products with their images and the time of their last edit.
/// It has at most 50,000 URLs.
#[utoipa::path(
    get,
    path = "/sitemap.xml",
    tag = "Pages",
    responses((status = 200, description = "The sitemap.", body = String, content_type = "application/xml"), SitemapErrors),
)]
pub async fn get_sitemap(State(state): State<Arc<Storefront>>, headers: HeaderMap) -> Result<Response, Error> {
    let contents = state.catalog.snapshot.current().await?;
    let sitemap = async { sitemap_of(&contents.active, &state.public_url) };
    Ok(contents.responses.get_or_render("/sitemap.xml", sitemap).await?.respond(&headers))
}

fn sitemap_of(products: &[Product], public_url: &str) -> Result<Document, Error> {
    let recipes = Recipe::all().map(|recipe| recipe.path);
    let pages: Vec<&str> = PUBLIC.iter().copied().filter(|path| *path != UNLISTED).chain(recipes).collect();
    let last_edit = products.iter().map(|product| product.updated_at).max();
    let written = xml::document("urlset", &NAMESPACES, |xml| {
        for path in &pages {
            let edited = last_edit.filter(|_| *path == PRODUCTS);
            xml::element(xml, "url", |xml| location(xml, &format!("{public_url}{path}"), edited))?;
        }
        for product in products.iter().take(MAX_URLS - pages.len()) {
            xml::element(xml, "url", |xml| product_entry(xml, product, public_url))?;
        }
        Ok(())
    });
    let body = written.map_err(Error::internal)?;
    Ok(cached_for_an_hour("/sitemap.xml", "application/xml; charset=utf-8", body))
}

fn location(xml: &mut Xml, url: &str, edited: Option<i64>) -> Written {
    xml::text(xml, "loc", url)?;
    edited.map_or(Ok(()), |edited| xml::text(xml, "lastmod", &rfc3339(edited)))
}

fn product_entry(xml: &mut Xml, product: &Product, public_url: &str) -> Written {
    location(xml, &format!("{public_url}/products/{}", product.slug), Some(product.updated_at))?;
    for image in raster_images(product, public_url) {
        xml::element(xml, "image:image", |xml| xml::text(xml, "image:loc", &image))?;
    }
    Ok(())
}
