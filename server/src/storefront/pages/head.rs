//! Page metadata for browsers, search engines and link previews: title, description and Open Graph.

use app::schedule::{GROUPS, Recipe};
use app::ui::render_to_string;
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use wasm_core::catalog::ProductList;

use super::data::{PageData, without_tags};
use super::page::Page;
use super::structured_data::structured_data;
use crate::catalog::images::{Picture, link_preview};

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
        {neighbors(page, data)}
        {hidden}
        {data.announcement.clone().map(|shown| view! { <meta name="announcement" content=shown.id data-first-paint="" /> })}
        {property("og:type", kind.to_owned())}
        {property("og:site_name", data.shop_name.clone())}
        {property("og:title", title)}
        {property("og:description", description)}
        {url.map(|url| property("og:url", url))}
        {image(page, data)}
        <meta name="twitter:card" content="summary_large_image" data-first-paint="" />
        {facts.collect_view()}
    }
}

/// The image of a link preview.
fn image(page: &Page, data: &PageData) -> AnyView {
    let Picture { path, width, height, alt } = match page {
        Page::Product(product) => link_preview(product),
        _ => Picture {
            path: "/preview.png".to_owned(),
            width: 1200,
            height: 630,
            alt: "A small light glowing on a shelf at night".to_owned(),
        },
    };
    view! {
        {property("og:image", format!("{}{path}", data.public_url))}
        {property("og:image:width", width.to_string())}
        {property("og:image:height", height.to_string())}
        {property("og:image:alt", alt)}
    }
    .into_any()
}

fn property(property: &'static str, content: String) -> AnyView {
    view! { <meta {..custom_attribute("property", property)} content=content data-first-paint="" /> }.into_any()
}

fn title(page: &Page, data: &PageData) -> String {
    let of_page = match page {
        Page::Home | Page::Personal => return data.shop_name.clone(),
        Page::Products(list) => list_title(list),
        Page::Product(product) => product.name.clone(),
        Page::ProductNotFound => "Product not found.".to_owned(),
        Page::Text(text) => text.title(&data.shop_name),
        Page::Recipes => "Schedule Recipes".to_owned(),
        Page::Recipe(recipe) => recipe.name().to_owned(),
        Page::RecipeNotFound => "Recipe not found.".to_owned(),
    };
    format!("{of_page} · {}", data.shop_name)
}

/// Each page of the list has a title of its own.
fn list_title(list: &ProductList) -> String {
    match list.query.page {
        1 => "Products".to_owned(),
        page => format!("Products, page {page}"),
    }
}

/// Links to the page before and after this page of the product list.
fn neighbors(page: &Page, data: &PageData) -> Option<AnyView> {
    let Page::Products(list) = page else { return None };
    let current = list.query.page;
    let url = |page| format!("{}{}", data.public_url, list.query.with_page(page).path());
    let previous = (current > 1).then(|| url(current - 1));
    let next = (current < list.pages).then(|| url(current + 1));
    let link = |rel: &'static str, url: String| view! { <link rel=rel href=url data-first-paint="" /> };
    Some(view! { {previous.map(|url| link("prev", url))} {next.map(|url| link("next", url))} }.into_any())
}

fn description(page: &Page) -> String {
    match page {
        Page::Product(product) => truncated(&product.description),
        Page::Text(text) => text.description().to_owned(),
        Page::Products(_) => "All our lights, with prices and availability.".to_owned(),
        Page::Recipes => {
            format!("{} ready-made schedules for your light: {}, and more.", Recipe::all().count(), some_recipes())
        }
        Page::Recipe(recipe) => {
            format!("{}: {} A ready-made schedule for your light.", recipe.name(), recipe.summary())
        }
        Page::Home | Page::ProductNotFound | Page::RecipeNotFound | Page::Personal => ABOUT_THE_SHOP.to_owned(),
    }
}

/// The first recipe of each group.
fn some_recipes() -> String {
    let names: Vec<&str> = GROUPS.iter().filter_map(|group| group.recipes.first()).map(Recipe::name).collect();
    names.join(", ").to_lowercase()
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
