//! Data of the server-rendered pages.

use app::catalog::related_products;
use app::frame::ProductLink;
use app::pages::{FirmwareFile, Text};
use serde::Serialize;
use wasm_core::catalog::{Product, ProductList, WarrantyRange};
use wasm_core::delivery::{DeliveryTimes, ReturnShipping};
use wasm_core::pricing::ShippingRates;

use super::firmware::Firmware;
use super::page::Page;
use crate::catalog::products::Contents;
use crate::settings::ShownAnnouncement;
use crate::settings::policies::{self, Policy};
use crate::storefront::Storefront;
use crate::storefront::public_config::PublicConfig;

/// Products on the home page and on a recipe's page.
const FEATURED: usize = 4;
/// Product names in the menu of a browser without JavaScript, above the link to all products.
const RENDERED_NAMES: usize = 8;
/// Product names that a page brings along for the menu. The shell requests more of them separately.
const EMBEDDED_NAMES: usize = 200;

/// The data that every page shares.
#[derive(Clone, Debug)]
pub struct PageData {
    pub shop_name: String,
    pub support_email: String,
    pub test_mode: bool,
    pub public_url: String,
    pub firmware: Option<FirmwareFile>,
    pub shipping_rates: ShippingRates,
    pub delivery_times: DeliveryTimes,
    pub return_days: Option<u32>,
    pub return_shipping: ReturnShipping,
    pub warranty_months: Option<WarrantyRange>,
    pub seller_name: Option<String>,
    pub seller_address: Option<String>,
    /// Name and postal address of the seller.
    pub seller: Option<String>,
    /// The text of a policy's page.
    pub policy: Option<String>,
    pub announcement: Option<ShownAnnouncement>,
    /// The featured products, on the home page with the cheapest one; or the related ones of a product page.
    pub products: Vec<Product>,
    /// The first names of the menu.
    pub menu: Vec<ProductLink>,
}

impl PageData {
    pub fn of(state: &Storefront, page: &Page, contents: Option<&Contents>) -> Self {
        let products = contents.map(|contents| &*contents.active).unwrap_or_default();
        let settings = state.settings.get();
        Self {
            shop_name: settings.shop_name.clone(),
            support_email: settings.support_email.clone(),
            test_mode: state.config.test_mode(),
            public_url: state.public_url.to_string(),
            firmware: state.firmware.as_ref().map(firmware_file),
            shipping_rates: settings.shipping_rates,
            delivery_times: settings.delivery_times,
            return_days: settings.return_days(),
            return_shipping: settings.return_shipping,
            warranty_months: WarrantyRange::of(products),
            seller_name: settings.seller_name.clone(),
            seller_address: settings.seller_address.clone(),
            seller: settings.seller(),
            announcement: settings.announcement_at(state.clock.now_ms()).filter(|_| *page != Page::Personal),
            policy: policy_of(page).map(|policy| policies::html(&state.policies, policy)),
            products: match page {
                Page::Home => home_products(products),
                Page::Product(product) => related_products(&product.id, products),
                Page::Recipe(_) => products.iter().take(FEATURED).cloned().collect(),
                Page::Products(_)
                | Page::ProductNotFound
                | Page::Text(_)
                | Page::Recipes
                | Page::RecipeNotFound
                | Page::Personal => Vec::new(),
            },
            menu: products.iter().take(RENDERED_NAMES).map(link).collect(),
        }
    }
}

/// The featured products, and the cheapest one, whose price the page names.
fn home_products(active: &[Product]) -> Vec<Product> {
    let cheapest = active.iter().enumerate().min_by_key(|(_, product)| product.price);
    let other = cheapest.filter(|(position, _)| *position >= FEATURED).map(|(_, product)| product);
    active.iter().take(FEATURED).chain(other).cloned().collect()
}

fn link(product: &Product) -> ProductLink {
    ProductLink { name: product.name.clone(), slug: product.slug.clone() }
}

const fn policy_of(page: &Page) -> Option<Policy> {
    match page {
        Page::Text(Text::Contact) => Some(Policy::Contact),
        Page::Text(Text::Privacy) => Some(Policy::Privacy),
        Page::Text(Text::Terms) => Some(Policy::Terms),
        Page::Text(Text::ShippingAndReturns) => Some(Policy::ShippingAndReturns),
        _ => None,
    }
}

fn firmware_file(firmware: &Firmware) -> FirmwareFile {
    FirmwareFile { url: Firmware::URL.to_owned(), bytes: firmware.bytes }
}

/// The data that the shell would otherwise request first, embedded in the page: what this page shows, not the catalog.
/// Nothing of the catalog is embedded when the database is unavailable; the shell then requests it itself.
#[derive(Serialize)]
struct FirstPaint<'a> {
    config: PublicConfig,
    /// Names for the menu, unless there are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    menu: Option<Vec<ProductLink>>,
    /// The products of the home page or a recipe's page; or the one of a product page, then the related ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    products: Option<Vec<&'a Product>>,
    /// The page of the product list.
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<&'a ProductList>,
    /// The text of a policy's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<&'a str>,
}

/// The first-paint data of a page as JSON that is safe inside a script element.
pub fn embedded(
    state: &Storefront,
    page: &Page,
    data: &PageData,
    contents: Option<&Contents>,
) -> Result<String, serde_json::Error> {
    let few = contents.filter(|contents| contents.active.len() <= EMBEDDED_NAMES);
    let menu = few.map(|contents| contents.active.iter().map(link).collect());
    let config = PublicConfig::of(state, contents);
    let products = contents.and_then(|_| products_of(page, data));
    let first_paint = FirstPaint { config, menu, products, list: list_of(page), policy: data.policy.as_deref() };
    serde_json::to_string(&first_paint).map(|json| without_tags(&json))
}

fn products_of<'a>(page: &'a Page, data: &'a PageData) -> Option<Vec<&'a Product>> {
    match page {
        Page::Home | Page::Recipe(_) => Some(data.products.iter().collect()),
        Page::Product(product) => Some([&**product].into_iter().chain(&data.products).collect()),
        Page::Products(_)
        | Page::ProductNotFound
        | Page::Text(_)
        | Page::Recipes
        | Page::RecipeNotFound
        | Page::Personal => None,
    }
}

const fn list_of(page: &Page) -> Option<&ProductList> {
    match page {
        Page::Products(list) => Some(list),
        _ => None,
    }
}

/// Escapes `<`, so that the JSON cannot close its script element.
pub fn without_tags(json: &str) -> String {
    json.replace('<', "\\u003c")
}
