use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::{ProductList, ProductSort};

use super::card::{HeadingLevel, product_grid};
use super::page_link::PageLink;
use super::pagination::pagination;
use crate::ui::{empty_state, unlit_light};

/// Props of [`product_list`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ProductListProps {
    pub list: ProductList,
}

const SEARCH_FIELD: &str = "h-11 min-w-0 grow rounded-field border border-edge bg-card px-3 sm:w-64";
const SEARCH_BUTTON: &str =
    "h-11 rounded-field border border-edge px-4 font-semibold transition-colors hover:bg-line/50";
const SORT_LINK: &str = "inline-flex min-h-9 items-center rounded-field px-2.5 whitespace-nowrap transition-colors hover:bg-line/60 aria-[current]:bg-line aria-[current]:font-semibold aria-[current]:text-ink";

/// The list of active products: search, order and pages are links and a GET form, so it works without JavaScript.
pub fn product_list(props: Signal<ProductListProps>) -> AnyView {
    // One closure: an update patches the elements, so the live region and the focus stay.
    (move || props.with(|props| page(&props.list))).into_any()
}

fn page(list: &ProductList) -> AnyView {
    view! {
        <div class="wide">
            <div class="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
                <h1 tabindex="-1" class="text-4xl">
                    "Products"
                </h1>
                {search_form(list)}
            </div>
            <div class="mt-5 mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-muted">
                <p role="status" class="wrap-anywhere">
                    {list.summary()}
                </p>
                <nav aria-label="Sort" class="-mx-2.5 text-sm">
                    <ul class="flex flex-wrap gap-1">{sort_links(list)}</ul>
                </nav>
            </div>
            {products(list)}
        </div>
    }
    .into_any()
}

/// The form replaces the query string: a hidden field keeps the order.
fn search_form(list: &ProductList) -> AnyView {
    let (search, sort) = (list.query.search.clone(), list.query.sort);
    view! {
        <form role="search" action="/products" method="get" class="flex max-w-full grow gap-2 sm:grow-0">
            <input
                type="search"
                name="q"
                maxlength="80"
                autocomplete="off"
                aria-label="Search products"
                placeholder="Search products"
                class=SEARCH_FIELD
                value=search.clone()
                prop:value=search
            />
            <input type="hidden" name="sort" value=sort.as_str() disabled=sort == ProductSort::default() />
            <button type="submit" class=SEARCH_BUTTON>
                "Search"
            </button>
        </form>
    }
    .into_any()
}

fn sort_links(list: &ProductList) -> Vec<AnyView> {
    let link = |sort: ProductSort| {
        let current = (list.query.sort == sort).then_some("true");
        let href = list.query.with_sort(sort).path();
        PageLink { href, class: SORT_LINK, current, rel: None, label: None }.view(sort.label().into_any())
    };
    ProductSort::ALL.into_iter().map(link).collect()
}

fn products(list: &ProductList) -> AnyView {
    if !list.products.is_empty() {
        return [product_grid(&list.products, HeadingLevel::H2), pagination(list)].collect_view().into_any();
    }
    if list.query.is_search() { nothing_found(list) } else { no_products() }
}

fn no_products() -> AnyView {
    let title = view! { <p class="text-xl font-semibold">"No products yet."</p> };
    empty_state(title.into_any(), "Until then, see how the light works.", ("/tutorial", "Open the tutorial"))
}

fn nothing_found(list: &ProductList) -> AnyView {
    view! {
        <div class="empty-state">
            {unlit_light()}
            <p class="text-xl font-semibold wrap-anywhere">
                {format!("No product matches “{}”.", list.query.search)}
            </p>
            <p class="text-muted">"Try fewer or shorter words."</p>
            <a href=list.query.without_search().path() class="button-primary mt-2">
                "Clear search"
            </a>
        </div>
    }
    .into_any()
}
