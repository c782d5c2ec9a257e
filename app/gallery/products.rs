use app::catalogue::{
    ProductEvents, ProductListProps, ProductProps, product_list, product_not_found, product_page, stock_status,
};
use app::pages::{HomeProps, LampState, home_page};
use app::ui::{Illustration, Lamp, illustration};
use leptos::prelude::*;
use wasm_core::catalogue::{LampColor, Product};

use crate::{SHOP_NAME, state};

pub fn states() -> Result<AnyView, serde_json::Error> {
    let products: Vec<Product> = serde_json::from_str(include_str!("../testdata/products.json"))?;
    let pages = products.iter().cloned().map(page).collect_view();
    let nothing = ProductListProps::default();
    let home = HomeProps {
        shop_name: SHOP_NAME.to_owned(),
        products: products.clone(),
        lamp: LampState { lamp: Lamp::Blink, ..LampState::default() },
    };
    let states = view! {
        {state("Home", home_page(Signal::stored(home)))}
        {state("Products", product_list(Signal::stored(ProductListProps { products })))}
        {state("Products: none", product_list(Signal::stored(nothing)))}
        {pages}
        {state("A product that is not there", product_not_found())}
        {state("Stock", [12, 4, 0].map(stock_status).collect_view().into_any())}
        {state("The light, in every color, off, on and blinking", lights())}
    };
    Ok(states.into_any())
}

/// Rejects a quantity above the stock, as the shop does.
fn page(product: Product) -> AnyView {
    let available = product.available;
    let add_to_cart = Callback::new(move |typed: String| {
        let wanted = typed.parse::<i64>().unwrap_or_default();
        (wanted < 1 || wanted > available).then(|| "Not enough stock available".to_owned())
    });
    let props = Signal::stored(ProductProps { product });
    state("A product", product_page(props, ProductEvents { add_to_cart }))
}

fn lights() -> AnyView {
    let lamps = [Lamp::Off, Lamp::On, Lamp::Blink];
    let every = LampColor::ALL.into_iter().zip(lamps.into_iter().cycle()).zip(Illustration::ALL.into_iter().cycle());
    let drawn = every.map(|((color, lamp), scene)| {
        view! { <div class="aspect-4/3">{illustration(scene, color, lamp, Some(scene.label().to_owned()))}</div> }
    });
    view! { <div class="grid grid-cols-4 gap-3">{drawn.collect_view()}</div> }.into_any()
}
