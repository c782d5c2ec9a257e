use leptos::prelude::*;
use wasm_core::catalog::Product;

use super::card::NAME_LINK;
use super::picture::Picture;
use crate::ui::Loading;

/// Number of related products.
const MAX: usize = 3;

/// The products that follow a product in the catalog, from its start again after its end.
#[must_use]
pub fn related_products(id: &str, products: &[Product]) -> Vec<Product> {
    let position =
        products.iter().position(|product| product.id == id).map_or(0, |position| position.saturating_add(1));
    let following = products.iter().cycle().skip(position).take(products.len());
    following.filter(|product| product.id != id).take(MAX).cloned().collect()
}

/// Other products as small cards; nothing without any.
pub(super) fn related(products: &[Product]) -> AnyView {
    if products.is_empty() {
        return ().into_any();
    }
    view! {
        <section class="mt-14 border-t border-line pt-10">
            <h2 class="mb-5 text-xl">"More lights"</h2>
            <ul class="grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-3">
                {products.iter().map(small_card).collect_view()}
            </ul>
        </section>
    }
    .into_any()
}

fn small_card(product: &Product) -> AnyView {
    view! {
        <li>
            <article class="product-card items-center">
                <div class="picture aspect-4/3 w-28 shrink-0 self-stretch overflow-hidden sm:w-32">
                    {Picture::main(product).view(product, String::new(), "128px", Loading::Lazy)}
                </div>
                <div class="grid min-w-0 gap-0.5 px-4 py-2">
                    <h3 class="line-clamp-2 wrap-anywhere">
                        <a href=format!("/products/{}", product.slug) class=NAME_LINK>
                            {product.name.clone()}
                        </a>
                    </h3>
                    <p class="font-semibold tabular-nums">{product.price.to_string()}</p>
                </div>
            </article>
        </li>
    }
    .into_any()
}
