use app::catalogue::{
    ProductEvents, ProductListProps, ProductProps, product_list, product_not_found, product_page, stock_sign,
};
use app::pages::{HomeProps, LampShown, home_page};
use app::ui::{Lamp, Part, Props, Scene, drawn_light};
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
        shown: LampShown { lamp: Lamp::Blink, ..LampShown::default() },
    };
    let states = view! {
        {state("Home", home_page(Props::new(home)).erased())}
        {state("Products", product_list(Props::new(ProductListProps { products })).erased())}
        {state("Products: none", product_list(Props::new(nothing)).erased())}
        {pages}
        {state("A product that is not there", product_not_found().erased())}
        {state("Stock", [12, 4, 0].map(stock_sign).collect_view().into_any())}
        {state("The light, in every colour, off, on and blinking", lights())}
    };
    Ok(states.into_any())
}

/// Refuses more than are there, as the shop does.
fn page(product: Product) -> AnyView {
    let available = product.available;
    let add_to_cart = Callback::new(move |typed: String| {
        let wanted = typed.parse::<i64>().unwrap_or_default();
        (wanted < 1 || wanted > available).then(|| "Not enough stock available".to_owned())
    });
    let props = Props::new(ProductProps { product });
    state("A product", product_page(props, ProductEvents { add_to_cart }).erased())
}

fn lights() -> AnyView {
    let lamps = [Lamp::Off, Lamp::On, Lamp::Blink];
    let every = LampColor::ALL.into_iter().zip(lamps.into_iter().cycle()).zip(Scene::ALL.into_iter().cycle());
    let drawn = every.map(|((colour, lamp), scene)| {
        view! { <div class="aspect-4/3">{drawn_light(scene, colour, lamp.still(), Some(scene.label().to_owned()))}</div> }
    });
    view! { <div class="grid grid-cols-4 gap-3">{drawn.collect_view()}</div> }.into_any()
}
