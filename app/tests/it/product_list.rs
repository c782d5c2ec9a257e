//! The product list and the Products menu, with a large catalog.

use app::catalog::{ProductListProps, product_list};
use app::frame::{NavigationEvents, NavigationProps, ProductLink, navigation_bar};
use app::ui::render_to_string;
use leptos::prelude::*;
use wasm_core::catalog::{Product, ProductList, ProductQuery};

use crate::html::{attributes, visible};

fn product(number: usize) -> Product {
    let (name, slug) = (format!("Light {number}"), format!("light-{number}"));
    Product { id: slug.clone(), name, slug, active: true, ..Product::default() }
}

/// The page of a list of 200 products.
fn page(query: &str) -> String {
    let products: Vec<Product> = (1..=200).map(product).collect();
    let list = ProductList::select(&products, &ProductQuery::parse(query));
    render_to_string(|| product_list(Signal::stored(ProductListProps { list })))
}

/// The opening tags of the links to this address.
fn links<'h>(html: &'h str, href: &str) -> Vec<&'h str> {
    let begin = format!("<a href=\"{href}\"");
    html.match_indices(&begin).filter_map(|(at, _)| html.get(at..)?.split('>').next()).collect()
}

#[test]
fn a_page_of_the_list_says_which_one_it_is_and_links_the_others() {
    let page = page("page=5");
    let text = visible(&page);
    assert!(text.contains("200 products, page 5 of 9"), "{text}");
    assert!(text.contains("Light 97 ") && text.contains("Light 120 ") && !text.contains("Light 121 "), "{text}");
    assert!(page.contains("<p role=\"status\""), "a new count is announced");
    assert!(page.contains("<nav aria-label=\"Pages\""));
    let current: Vec<&str> = links(&page, "/products?page=5");
    assert!(current.len() == 1 && current[0].contains("aria-current=\"page\""), "{current:?}");
    for (href, rel) in [("/products?page=4", "rel=\"prev\""), ("/products?page=6", "rel=\"next\"")] {
        assert!(links(&page, href).iter().any(|link| link.contains(rel)), "{rel}");
    }
    for label in ["Previous page", "Next page", "Page 1", "Page 4", "Page 9"] {
        assert!(attributes(&page, "aria-label").contains(&label.to_owned()), "{label}");
    }
}

#[test]
fn the_ends_of_the_list_lead_nowhere_and_a_single_page_has_no_other() {
    assert!(!page("").contains("rel=\"prev\"") && page("").contains("rel=\"next\""));
    assert!(page("page=9").contains("rel=\"prev\"") && !page("page=9").contains("rel=\"next\""));
    assert!(!page("q=light+11").contains("<nav aria-label=\"Pages\""));
}

#[test]
fn search_and_order_stay_in_every_link_and_the_order_begins_at_the_first_page() {
    let page = page("q=light&sort=newest&page=2");
    assert!(page.contains("value=\"light\"") && page.contains("name=\"sort\" value=\"newest\""));
    let hrefs = attributes(&page, "href");
    for href in ["/products?q=light", "/products?q=light&sort=price", "/products?q=light&sort=newest&page=3"] {
        assert!(hrefs.contains(&href.to_owned()), "{href} in {hrefs:?}");
    }
    let newest = links(&page, "/products?q=light&amp;sort=newest");
    assert!(newest.iter().any(|link| link.contains("aria-current=\"true\"")), "{newest:?}");
}

#[test]
fn a_search_that_finds_nothing_says_so_and_offers_to_clear_it() {
    let page = page("q=%3Cb%3Enone&sort=price");
    let text = visible(&page);
    assert!(text.contains("No products for “<b>none”") && text.contains("Clear search"), "{text}");
    assert!(page.contains("<a href=\"/products?sort=price\" class=\"button-primary"), "{page}");
    assert!(!page.contains("<b>"), "{page}");
}

#[test]
fn the_list_has_one_heading_and_its_products_the_next_level() {
    let page = page("");
    let level = |tag: &str| page.matches(&format!("<{tag}")).count();
    assert_eq!([level("h1"), level("h2"), level("h3")], [1, 24, 0]);
}

#[test]
fn the_menu_without_scripts_lists_names_in_a_box_that_scrolls() {
    let link = |number| ProductLink { name: format!("Light {number}"), slug: format!("light-{number}") };
    let props = NavigationProps { products: (1..=8).map(link).collect(), ..NavigationProps::default() };
    let bar = render_to_string(|| navigation_bar(Signal::stored(props), NavigationEvents::default()));
    assert!(bar.contains("overflow-y-auto"), "{bar}");
    assert_eq!(bar.matches("href=\"/products/light-").count(), 8);
}
