//! Test data of the benchmarks, the listener of the reference servers, and what the programs share.

pub mod http;
pub mod machine;
pub mod purchase;

use std::error::Error;

use app::catalog::{ProductEvents, ProductListProps, ProductProps, product_list, product_page};
use app::frame::{FooterEvents, FooterProps, NavigationEvents, NavigationProps, ProductLink, footer, navigation_bar};
use app::ui::render_to_string;
use axum::Router;
use axum::serve::ListenerExt as _;
use leptos::prelude::*;
use server as _; // its global allocator
use tokio::net::TcpListener;
use wasm_core::catalog::{Product, ProductList, ProductQuery};
use wasm_core::money::Cents;
use wasm_core::weight::Weight;

/// Serves on a free port and prints the address as the shop does.
///
/// # Errors
/// If no port is free.
pub async fn serve(router: Router) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    // TCP_NODELAY, as in the shop.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await?;
    Ok(())
}

/// `count` different products.
pub fn products(count: i64) -> Vec<Product> {
    (0..count).map(product).collect()
}

/// The product with this number.
pub fn product(number: i64) -> Product {
    Product {
        id: format!("019aa0b2-7c1e-7000-8000-{number:012}"),
        name: format!("Light {number}"),
        slug: format!("light-{number}"),
        description: "A small light for your USB port that turns on or blinks when you asked it to. ".repeat(4),
        price: Cents::from_cents(1_995 + number),
        stock: 120,
        available: 100,
        weight_pounds: Weight::from_hundredths(60),
        active: true,
        image: format!("/images/light-{number}.svg"),
        ..Product::default()
    }
}

/// A product page with navigation and footer, rendered without the response cache.
pub fn rendered_product_page(product: &Product) -> String {
    let props = ProductProps { product: product.clone(), ..ProductProps::default() };
    rendered(std::slice::from_ref(product), || product_page(Signal::stored(props), ProductEvents::default()))
}

/// The product list, likewise.
pub fn rendered_product_list(products: &[Product]) -> String {
    let props = ProductListProps { list: ProductList::select(products, &ProductQuery::default()) };
    rendered(products, || product_list(Signal::stored(props)))
}

fn rendered(products: &[Product], view: impl FnOnce() -> AnyView) -> String {
    let links = products.iter().map(|one| ProductLink { name: one.name.clone(), slug: one.slug.clone() }).collect();
    let navigation = NavigationProps { products: links, ..NavigationProps::default() };
    let below = FooterProps { shop_name: "Nudgelight".to_owned(), test_mode: true, ..FooterProps::default() };
    render_to_string(|| {
        view! {
            <header>{navigation_bar(Signal::stored(navigation), NavigationEvents::default())}</header>
            <main>{view()}</main>
            <footer>{footer(Signal::stored(below), FooterEvents::default())}</footer>
        }
    })
}
