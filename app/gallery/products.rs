use app::catalog::{
    ProductEvents, ProductListProps, ProductProps, product_list, product_not_found, product_page, related_products,
    stock_status,
};
use app::pages::{HeroEvents, HomeProps, LampState, home_page};
use app::ui::{Daypart, Illustration, Lamp, illustration};
use leptos::prelude::*;
use wasm_core::catalog::{LampColor, Product, ProductList, ProductQuery};

use crate::{SHOP_NAME, state};

pub fn states() -> Result<AnyView, serde_json::Error> {
    let products: Vec<Product> = serde_json::from_str(include_str!("../testdata/products.json"))?;
    let pages = products.iter().map(|product| page(product, &products)).collect_view();
    let list = |query: &str| {
        let list = ProductList::select(&products, &ProductQuery::parse(query));
        product_list(Signal::stored(ProductListProps { list }))
    };
    let (all, not_found) = (list(""), list("q=nothing"));
    let nothing = ProductListProps::default();
    let home = HomeProps {
        shop_name: SHOP_NAME.to_owned(),
        products: products.clone(),
        line: Some("blink 09:00 for 5m".to_owned()),
        lamp: Some(LampState { lamp: Lamp::Blink, daypart: Daypart::Day, ..LampState::default() }),
    };
    let states = view! {
        {state("Home", home_page(Signal::stored(home), HeroEvents::default()))}
        {state("Products", all)}
        {state("Products: a search that finds none", not_found)}
        {state("Products: none", product_list(Signal::stored(nothing)))}
        {pages}
        {state("A product that is not there", product_not_found())}
        {state("Stock", [12, 4, 0].map(stock_status).collect_view().into_any())}
        {state("The light, in every color, off, on and blinking", lights())}
    };
    Ok(states.into_any())
}

/// Rejects a quantity above the stock, as the shop does.
fn page(product: &Product, products: &[Product]) -> AnyView {
    let available = product.available;
    let add_to_cart = Callback::new(move |typed: String| {
        let wanted = typed.parse::<i64>().unwrap_or_default();
        (wanted < 1 || wanted > available).then(|| "Not enough stock available".to_owned())
    });
    let related = related_products(&product.id, products);
    let props = ProductProps { product: product.clone(), related, in_cart: 2, ..ProductProps::default() };
    state("A product", product_page(Signal::stored(props), ProductEvents { add_to_cart, ..ProductEvents::default() }))
}

fn lights() -> AnyView {
    let lamps = [Lamp::Off, Lamp::On, Lamp::Blink];
    let every = LampColor::ALL.into_iter().zip(lamps.into_iter().cycle()).zip(Illustration::ALL.into_iter().cycle());
    let drawn = every.map(|((color, lamp), scene)| {
        view! { <div class="aspect-4/3">{illustration(scene, color, lamp, Some(scene.label().to_owned()))}</div> }
    });
    view! { <div class="grid grid-cols-4 gap-3">{drawn.collect_view()}</div> }.into_any()
}
