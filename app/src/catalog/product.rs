use leptos::prelude::*;

use super::delivery::delivery;
use super::gallery::gallery;
use super::order_form::order_form;
use super::product_props::{BackInStock, ProductEvents, ProductProps};
use super::related::related;
use super::specs::specs;
use super::stock::{only_left, stock_status};

/// The product page. Below `lg` it is one column, whose last item is the order form: it sticks to the bottom of the
/// screen.
pub fn product_page(props: Signal<ProductProps>, events: ProductEvents) -> AnyView {
    // Memos: what the visitor reads, focuses or types in is not drawn anew when the arrival or an answer comes.
    let order = Memo::new(move |_| ProductProps { arrival: None, ..props.get() });
    let shown = Memo::new(move |_| ProductProps { in_cart: 0, back_in_stock: BackInStock::default(), ..order.get() });
    view! {
        <div class="wide flex flex-col">
            {move || breadcrumb(&shown.read().product.name)}
            <div class="max-lg:contents lg:grid lg:grid-cols-[1.2fr_1fr] lg:items-start lg:gap-12">
                {gallery(shown.into())} <div class="max-lg:contents lg:grid lg:gap-5 lg:pt-2">
                    {move || heading(&shown.read())} {move || delivery(&props.read())} {order_form(order.into(), events)}
                    {move || description(&shown.read())}
                </div>
            </div>
            {move || below(&shown.read())}
        </div>
    }
    .into_any()
}

fn breadcrumb(name: &str) -> AnyView {
    view! {
        <nav aria-label="Breadcrumb" class="mb-4 flex flex-wrap gap-x-2 text-sm text-muted">
            <a href="/products" class="inline-block py-1 hover:text-ink hover:underline">
                "Products"
            </a>
            <span aria-hidden="true" class="py-1">
                "/"
            </span>
            <span aria-current="page" class="py-1 wrap-anywhere">
                {name.to_owned()}
            </span>
        </nav>
    }
    .into_any()
}

fn heading(props: &ProductProps) -> AnyView {
    let product = &props.product;
    view! {
        <h1 tabindex="-1" class="text-3xl wrap-anywhere max-lg:mt-6 sm:text-4xl">
            {product.name.clone()}
        </h1>
        <p class="flex flex-wrap items-center gap-x-4 gap-y-2 max-lg:mt-3">
            <span class="text-2xl font-semibold tabular-nums">{product.price.to_string()}</span>
            {stock_status(product.available)}
            {only_left(product.available)}
        </p>
    }
    .into_any()
}

fn description(props: &ProductProps) -> AnyView {
    view! {
        <p class="text-lg whitespace-pre-line text-muted wrap-anywhere max-lg:mt-5 lg:border-t lg:border-line lg:pt-5">
            {props.product.description.clone()}
        </p>
    }
    .into_any()
}

fn below(props: &ProductProps) -> AnyView {
    view! {
        {specs(&props.product)}
        {related(&props.related)}
    }
    .into_any()
}
