//! JSON-LD with the schema.org vocabulary, as search engines read it. It says nothing that the shop's pages do not show.

use app::schedule::Recipe;
use serde_json::{Value, json};
use wasm_core::catalog::{Dimensions, Product, ProductList, StockBadge, stock_badge};
use wasm_core::delivery::{DayRange, ReturnShipping};
use wasm_core::pricing::shipping_cost;
use wasm_core::validation::Country;

use super::data::PageData;
use super::page::{self, Page};
use crate::catalog::images::raster_images;

const CONTEXT: &str = "https://schema.org";
/// The page of all recipes in a breadcrumb trail.
const RECIPES: (&str, &str) = ("Schedule Recipes", page::RECIPES);
const WORKDAYS: [&str; 5] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];

/// The structured data of a page.
pub fn structured_data(page: &Page, data: &PageData) -> Vec<Value> {
    match page {
        Page::Home => vec![organization(data), website(data)],
        Page::Products(list) if list.query.is_search() => Vec::new(),
        Page::Products(list) => vec![item_list(list, data), breadcrumbs(data, &[("Products", "/products")])],
        Page::Product(product) => {
            let path = format!("/products/{}", product.slug);
            vec![product_data(product, data), breadcrumbs(data, &[("Products", "/products"), (&product.name, &path)])]
        }
        Page::Text(text) => match page.canonical_path() {
            Some(path) => vec![breadcrumbs(data, &[(&text.title(&data.shop_name), &path)])],
            None => Vec::new(),
        },
        Page::Recipes => vec![recipe_list(data), breadcrumbs(data, &[RECIPES])],
        Page::Recipe(recipe) => {
            vec![recipe_page(recipe, data), breadcrumbs(data, &[RECIPES, (recipe.name(), recipe.path)])]
        }
        Page::ProductNotFound | Page::RecipeNotFound | Page::Personal => Vec::new(),
    }
}

fn organization(data: &PageData) -> Value {
    let mut organization = json!({
        "@context": CONTEXT,
        "@type": "Organization",
        "@id": organization_id(data),
        "name": data.shop_name,
        "url": format!("{}/", data.public_url),
        "logo": format!("{}/icon-512.png", data.public_url),
        "contactPoint": { "@type": "ContactPoint", "contactType": "customer support", "email": data.support_email },
        "hasMerchantReturnPolicy": return_policy(data),
    });
    for (name, value) in [("legalName", &data.seller_name), ("address", &data.seller_address)] {
        if let (Some(value), Value::Object(facts)) = (value, &mut organization) {
            facts.insert(name.to_owned(), json!(value));
        }
    }
    organization
}

fn organization_id(data: &PageData) -> String {
    format!("{}/#organization", data.public_url)
}

fn website(data: &PageData) -> Value {
    json!({
        "@context": CONTEXT,
        "@type": "WebSite",
        "name": data.shop_name,
        "url": format!("{}/", data.public_url),
        "inLanguage": "en-US",
        "publisher": { "@id": organization_id(data) },
    })
}

fn item_list(list: &ProductList, data: &PageData) -> Value {
    let items = (list.first_position()..).zip(&list.products).map(
        |(position, product)| json!({ "@type": "ListItem", "position": position, "url": product_url(product, data) }),
    );
    let items: Vec<Value> = items.collect();
    json!({ "@context": CONTEXT, "@type": "ItemList", "numberOfItems": list.total, "itemListElement": items })
}

fn recipe_list(data: &PageData) -> Value {
    let items = (1..).zip(Recipe::all()).map(|(position, recipe)| {
        let url = format!("{}{}", data.public_url, recipe.path);
        json!({ "@type": "ListItem", "position": position, "name": recipe.name(), "url": url })
    });
    let items: Vec<Value> = items.collect();
    json!({
        "@context": CONTEXT,
        "@type": "ItemList",
        "name": RECIPES.0,
        "numberOfItems": items.len(),
        "itemListElement": items,
    })
}

fn recipe_page(recipe: &Recipe, data: &PageData) -> Value {
    json!({
        "@context": CONTEXT,
        "@type": "WebPage",
        "name": recipe.name(),
        "description": recipe.summary(),
        "url": format!("{}{}", data.public_url, recipe.path),
        "inLanguage": "en-US",
        "publisher": { "@id": organization_id(data) },
    })
}

fn product_url(product: &Product, data: &PageData) -> String {
    format!("{}/products/{}", data.public_url, product.slug)
}

fn product_data(product: &Product, data: &PageData) -> Value {
    let mut facts = json!({
        "@context": CONTEXT,
        "@type": "Product",
        "name": product.name,
        "description": product.description,
        "sku": product.sku.as_ref().unwrap_or(&product.id),
        "url": product_url(product, data),
        "image": raster_images(product, &data.public_url),
        "brand": { "@type": "Brand", "name": data.shop_name },
        "weight": quantity(json!(product.weight_pounds), "LBR"),
        "offers": offer(product, data),
    });
    for (name, value) in optional_facts(product) {
        facts[name] = value;
    }
    facts
}

/// The facts that the product has. The shop makes its products, so its stock keeping unit is the manufacturer's part number.
fn optional_facts(product: &Product) -> impl Iterator<Item = (&'static str, Value)> {
    let text = |text: &Option<String>| text.as_ref().map(|text| json!(text));
    let millimeters = |side: fn(&Dimensions) -> i64| {
        product.dimensions.as_ref().map(|dimensions| quantity(json!(side(dimensions)), "MMT"))
    };
    let country = product.origin_country.as_ref().map(|code| json!({ "@type": "Country", "name": code }));
    let properties = properties(product);
    [
        ("gtin", text(&product.gtin)),
        ("color", text(&product.led_color)),
        ("width", millimeters(|dimensions| dimensions.width_mm)),
        ("height", millimeters(|dimensions| dimensions.height_mm)),
        ("depth", millimeters(|dimensions| dimensions.length_mm)),
        ("countryOfOrigin", country),
        ("additionalProperty", (!properties.is_empty()).then(|| json!(properties))),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value?)))
}

fn properties(product: &Product) -> Vec<Value> {
    let number = |name: &str, value: Option<i64>, unit: &str| {
        value.map(|value| json!({ "@type": "PropertyValue", "name": name, "value": value, "unitCode": unit }))
    };
    let plug = product.plug.map(|plug| json!({ "@type": "PropertyValue", "name": "Plug", "value": plug.label() }));
    [
        plug,
        number("Cable", product.cable_length_mm, "MMT"),
        number("Power", product.power_mw, "C31"),
        number("Brightness", product.brightness_lm, "LUM"),
        number("Warranty", product.warranty_months, "MON"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A quantity with a unit code of UN/CEFACT.
fn quantity(value: Value, unit: &str) -> Value {
    json!({ "@type": "QuantitativeValue", "value": value, "unitCode": unit })
}

fn offer(product: &Product, data: &PageData) -> Value {
    let availability = match stock_badge(product.available) {
        StockBadge::InStock => "https://schema.org/InStock",
        StockBadge::LowStock => "https://schema.org/LimitedAvailability",
        StockBadge::OutOfStock => "https://schema.org/OutOfStock",
    };
    let shipping = Country::ALL.map(|country| shipping_details(product, country, data));
    json!({
        "@type": "Offer",
        "url": product_url(product, data),
        "price": product.price.decimal(),
        "priceCurrency": "USD",
        "availability": availability,
        "itemCondition": "https://schema.org/NewCondition",
        "seller": { "@type": "Organization", "name": data.shop_name },
        "shippingDetails": shipping.into_iter().flatten().collect::<Vec<_>>(),
        "hasMerchantReturnPolicy": return_policy(data),
    })
}

/// Cost and time of shipping one unit; the time only if it is in stock. `None` if the cost is not an amount.
fn shipping_details(product: &Product, country: Country, data: &PageData) -> Option<Value> {
    let cost = shipping_cost(product.weight_pounds, country, &data.shipping_rates).ok()?;
    let mut details = json!({
        "@type": "OfferShippingDetails",
        "shippingRate": { "@type": "MonetaryAmount", "value": cost.decimal(), "currency": "USD" },
        "shippingDestination": { "@type": "DefinedRegion", "addressCountry": country.code() },
    });
    // The shipping date of a product that is sold out is unknown.
    if product.available > 0 {
        details["deliveryTime"] = json!({
            "@type": "ShippingDeliveryTime",
            "businessDays": { "@type": "OpeningHoursSpecification", "dayOfWeek": WORKDAYS.map(|day| format!("https://schema.org/{day}")) },
            "handlingTime": days(data.delivery_times.handling),
            "transitTime": days(data.delivery_times.transit.to(country)),
        });
    }
    Some(details)
}

fn days(range: DayRange) -> Value {
    json!({ "@type": "QuantitativeValue", "minValue": range.min, "maxValue": range.max, "unitCode": "DAY" })
}

/// The policy of the page about shipping and returns. Its fees are those of the settings. An own text is only
/// linked to.
fn return_policy(data: &PageData) -> Value {
    let link = format!("{}/shipping-and-returns", data.public_url);
    let Some(days) = data.return_days else {
        return json!({ "@type": "MerchantReturnPolicy", "merchantReturnLink": link });
    };
    json!({
        "@type": "MerchantReturnPolicy",
        "applicableCountry": Country::ALL.map(Country::code),
        "returnPolicyCategory": "https://schema.org/MerchantReturnFiniteReturnWindow",
        "merchantReturnDays": days,
        "returnMethod": "https://schema.org/ReturnByMail",
        "refundType": "https://schema.org/FullRefund",
        "returnFees": match data.return_shipping {
            ReturnShipping::Customer => "https://schema.org/ReturnFeesCustomerResponsibility",
            ReturnShipping::Shop => "https://schema.org/FreeReturn",
        },
        "itemDefectReturnFees": "https://schema.org/FreeReturn",
        "merchantReturnLink": link,
    })
}

/// The breadcrumb trail, starting at the home page.
fn breadcrumbs(data: &PageData, steps: &[(&str, &str)]) -> Value {
    let home = [(data.shop_name.as_str(), "/")];
    let all = home.iter().chain(steps).zip(1..);
    let items: Vec<Value> = all
        .map(|((name, path), position)| {
            json!({ "@type": "ListItem", "position": position, "name": name, "item": format!("{}{path}", data.public_url) })
        })
        .collect();
    json!({ "@context": CONTEXT, "@type": "BreadcrumbList", "itemListElement": items })
}
