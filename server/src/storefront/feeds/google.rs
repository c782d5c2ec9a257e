//! Product feed for Google Merchant Center: RSS 2.0 with the elements of Google's product data specification.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use wasm_core::catalog::Product;
use wasm_core::money::Cents;
use wasm_core::pricing::shipping_cost;
use wasm_core::validation::Country;

use crate::catalog::images::raster_images;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::response_cache::Document;
use crate::infra::xml::{self, Written, Xml};
use crate::settings::values::Settings;
use crate::storefront::Storefront;

const PATH: &str = "/feeds/google.xml";
const ATTRIBUTES: [(&str, &str); 2] = [("version", "2.0"), ("xmlns:g", "http://base.google.com/ns/1.0")];
/// The specification's limit of `additional_image_link`.
const MAX_ADDITIONAL_IMAGES: usize = 10;

error_responses!(FeedErrors: [NONE]);

/// Get the product feed for Google
///
/// Returns every active product as RSS 2.0 with the attributes of Google's product data specification, for Google Merchant
/// Center to fetch.
#[utoipa::path(
    get,
    path = "/feeds/google.xml",
    tag = "Pages",
    responses(
        (status = 200, description = "The feed.", body = String, content_type = "application/rss+xml"),
        FeedErrors
    ),
)]
pub async fn get_google_feed(State(state): State<Arc<Storefront>>, headers: HeaderMap) -> Result<Response, Error> {
    let contents = state.catalog.snapshot.current().await?;
    let feed = async { feed_of(&contents.active, &state.settings.get(), &state.public_url) };
    Ok(contents.responses.get_or_render(PATH, feed).await?.respond(&headers))
}

fn feed_of(products: &[Product], settings: &Settings, public_url: &str) -> Result<Document, Error> {
    let written = xml::document("rss", &ATTRIBUTES, |xml| {
        xml::element(xml, "channel", |xml| {
            xml::text(xml, "title", &settings.shop_name)?;
            xml::text(xml, "link", &format!("{public_url}/"))?;
            xml::text(xml, "description", &format!("All products of {}.", settings.shop_name))?;
            products
                .iter()
                .try_for_each(|product| xml::element(xml, "item", |xml| item(xml, product, settings, public_url)))
        })
    });
    Ok(Document {
        route: PATH,
        content_type: "application/rss+xml; charset=utf-8",
        cache_control: "public, max-age=3600",
        csp: None,
        body: written.map_err(Error::internal)?.into(),
    })
}

/// The lengths of a product's name and description are below the specification's limits of 150 and 5,000 characters.
fn item(xml: &mut Xml, product: &Product, settings: &Settings, public_url: &str) -> Written {
    xml::text(xml, "g:id", &product.id)?;
    xml::text(xml, "g:title", &product.name)?;
    xml::text(xml, "g:description", &product.description)?;
    xml::text(xml, "g:link", &format!("{public_url}/products/{}", product.slug))?;
    images(xml, product, public_url)?;
    xml::text(xml, "g:availability", if product.available > 0 { "in_stock" } else { "out_of_stock" })?;
    xml::text(xml, "g:price", &dollars(product.price))?;
    xml::text(xml, "g:condition", "new")?;
    xml::text(xml, "g:brand", &settings.shop_name)?;
    identifiers(xml, product)?;
    xml::text(xml, "g:shipping_weight", &product.weight_pounds.to_string())?;
    Country::ALL.into_iter().try_for_each(|country| shipping(xml, product, country, settings))
}

fn images(xml: &mut Xml, product: &Product, public_url: &str) -> Written {
    let images = raster_images(product, public_url);
    let names =
        std::iter::once("g:image_link").chain(std::iter::repeat_n("g:additional_image_link", MAX_ADDITIONAL_IMAGES));
    names.zip(&images).try_for_each(|(name, image)| xml::text(xml, name, image))
}

/// A stock keeping unit is the shop's own number, not the manufacturer's part number, so only a GTIN identifies a product.
fn identifiers(xml: &mut Xml, product: &Product) -> Written {
    if let Some(gtin) = &product.gtin {
        xml::text(xml, "g:gtin", gtin)?;
    }
    if product.gtin.is_none() {
        xml::text(xml, "g:identifier_exists", "no")?;
    }
    Ok(())
}

/// Cost and time of shipping one unit. Nothing if the cost is not an amount.
fn shipping(xml: &mut Xml, product: &Product, country: Country, settings: &Settings) -> Written {
    let Ok(cost) = shipping_cost(product.weight_pounds, country, &settings.shipping_rates) else { return Ok(()) };
    let (handling, transit) = (settings.delivery_times.handling, settings.delivery_times.transit.to(country));
    xml::element(xml, "g:shipping", |xml| {
        xml::text(xml, "g:country", country.code())?;
        xml::text(xml, "g:price", &dollars(cost))?;
        for (name, days) in [
            ("g:min_handling_time", handling.min),
            ("g:max_handling_time", handling.max),
            ("g:min_transit_time", transit.min),
            ("g:max_transit_time", transit.max),
        ] {
            xml::text(xml, name, &days.to_string())?;
        }
        Ok(())
    })
}

fn dollars(amount: Cents) -> String {
    format!("{} USD", amount.decimal())
}
