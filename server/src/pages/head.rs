//! Page metadata for browsers, search engines and link previews: title, description, Open Graph and JSON-LD.

use app::ui::render_to_string;
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use serde_json::{Value, json};
use wasm_core::catalogue::{Product, StockBadge, stock_badge};

use super::data::{PageData, without_tags};
use super::page::Page;

/// The default description of a page.
pub const ABOUT_THE_SHOP: &str = "A small light for your USB port that turns on or blinks on your schedule.";
/// The approximate length that search engines display.
const DESCRIPTION_LENGTH: usize = 160;

/// The metadata tags of this page. The shell removes them when it navigates to another page.
pub fn head_html(page: &Page, data: &PageData) -> String {
    render_to_string(|| head(page, data))
}

fn head(page: &Page, data: &PageData) -> impl IntoView + use<> {
    let (title, description) = (title(page, data), description(page));
    let url = page.canonical_path().map(|path| format!("{}{path}", data.public_url));
    let kind = if matches!(page, Page::Product(_)) { "product" } else { "website" };
    let canonical = url.clone().map(|url| view! { <link rel="canonical" href=url data-first-paint="" /> });
    let hidden = url.is_none().then(|| view! { <meta name="robots" content="noindex" data-first-paint="" /> });
    let facts = structured_data(page, data).into_iter().map(|fact| {
        view! { <script type="application/ld+json" data-first-paint="" inner_html=without_tags(&fact.to_string())></script> }
    });
    view! {
        <title data-first-paint="">{title.clone()}</title>
        <meta name="description" content=description.clone() data-first-paint="" />
        {canonical}
        {hidden}
        {property("og:type", kind.to_owned())}
        {property("og:site_name", data.shop_name.clone())}
        {property("og:title", title)}
        {property("og:description", description)}
        {url.map(|url| property("og:url", url))}
        {property("og:image", format!("{}/preview.png", data.public_url))}
        {property("og:image:width", "1200".to_owned())}
        {property("og:image:height", "630".to_owned())}
        {property("og:image:alt", "A small light glowing on a shelf at night".to_owned())}
        <meta name="twitter:card" content="summary_large_image" data-first-paint="" />
        {facts.collect_view()}
    }
}

fn property(property: &'static str, content: String) -> AnyView {
    view! { <meta {..custom_attribute("property", property)} content=content data-first-paint="" /> }.into_any()
}

fn title(page: &Page, data: &PageData) -> String {
    let of_page = match page {
        Page::Home | Page::Personal => return data.shop_name.clone(),
        Page::Products => "Products".to_owned(),
        Page::Product(product) => product.name.clone(),
        Page::ProductNotFound => "Product not found.".to_owned(),
        Page::Text(text) => text.title(&data.shop_name),
    };
    format!("{of_page} · {}", data.shop_name)
}

fn description(page: &Page) -> String {
    match page {
        Page::Product(product) => truncated(&product.description),
        Page::Text(text) => text.description().to_owned(),
        Page::Products => "All our lights, with prices and availability.".to_owned(),
        Page::Home | Page::ProductNotFound | Page::Personal => ABOUT_THE_SHOP.to_owned(),
    }
}

/// At most [`DESCRIPTION_LENGTH`] characters on one line, cut between words.
fn truncated(text: &str) -> String {
    let mut short = String::new();
    for word in text.split_whitespace() {
        if short.chars().count() + word.chars().count() >= DESCRIPTION_LENGTH {
            short.push('…');
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    short
}

/// JSON-LD with the schema.org vocabulary.
fn structured_data(page: &Page, data: &PageData) -> Vec<Value> {
    let home = format!("{}/", data.public_url);
    match page {
        Page::Home => vec![json!({
            "@context": "https://schema.org",
            "@type": "WebSite",
            "name": data.shop_name,
            "url": home,
        })],
        Page::Products => vec![breadcrumbs(data, &[("Products", "/products")])],
        Page::Product(product) => {
            let path = format!("/products/{}", product.slug);
            vec![product_data(product, data), breadcrumbs(data, &[("Products", "/products"), (&product.name, &path)])]
        }
        Page::Text(text) => match page.canonical_path() {
            Some(path) => vec![breadcrumbs(data, &[(&text.title(&data.shop_name), &path)])],
            None => Vec::new(),
        },
        Page::ProductNotFound | Page::Personal => Vec::new(),
    }
}

fn product_data(product: &Product, data: &PageData) -> Value {
    let url = format!("{}/products/{}", data.public_url, product.slug);
    let availability = match stock_badge(product.available) {
        StockBadge::InStock => "https://schema.org/InStock",
        StockBadge::LowStock => "https://schema.org/LimitedAvailability",
        StockBadge::OutOfStock => "https://schema.org/OutOfStock",
    };
    json!({
        "@context": "https://schema.org",
        "@type": "Product",
        "name": product.name,
        "description": product.description,
        "sku": product.id,
        "url": url,
        "image": format!("{}{}", data.public_url, product.image),
        "brand": { "@type": "Brand", "name": data.shop_name },
        "offers": {
            "@type": "Offer",
            "url": url,
            "price": product.price.decimal(),
            "priceCurrency": "USD",
            "availability": availability,
            "itemCondition": "https://schema.org/NewCondition",
            "seller": { "@type": "Organization", "name": data.shop_name },
        },
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
    json!({ "@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_description_is_cut_between_words() {
        let short = truncated(&"lamp ".repeat(100));
        assert!(short.ends_with("lamp…") && short.chars().count() <= DESCRIPTION_LENGTH, "{short}");
        assert_eq!(truncated(" one\ntwo "), "one two");
    }
}
