//! Pages by path, and their views.

use app::catalogue::{ProductEvents, ProductListProps, ProductProps, product_list, product_not_found, product_page};
use app::pages::{HomeProps, LampShown, Text, TextPageProps, home_page, text_page};
use leptos::prelude::*;
use wasm_core::catalogue::Product;

use super::data::PageData;

/// The content between navigation and footer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    Home,
    Products,
    Product(Product),
    ProductNotFound,
    Text(Text),
    /// A page with personal data, which only the shell renders.
    Personal,
}

/// Pages with a fixed path, which the server renders.
static FIXED: [(&str, Page); 8] = [
    ("/", Page::Home),
    ("/products", Page::Products),
    ("/about", Page::Text(Text::About)),
    ("/tutorial", Page::Text(Text::Tutorial)),
    ("/contact", Page::Text(Text::Contact)),
    ("/privacy", Page::Text(Text::Privacy)),
    ("/terms", Page::Text(Text::Terms)),
    ("/shipping-and-returns", Page::Text(Text::ShippingAndReturns)),
];

impl Page {
    /// The page at a known path, or the home page. Product pages are handled in [`super::product`].
    pub fn at(path: &str) -> Self {
        match FIXED.iter().find(|(fixed, _)| *fixed == path) {
            Some((_, page)) => page.clone(),
            None if super::paths::is_page(path) => Self::Personal,
            None => Self::Home,
        }
    }

    /// Finds a product by its name or current slug. Former slugs redirect here.
    pub fn of_product(name: &str, products: &[Product]) -> Self {
        let key = name.trim().to_lowercase();
        let found = products.iter().find(|product| product.slug == name || product.name.to_lowercase() == key);
        found.cloned().map_or(Self::ProductNotFound, Self::Product)
    }

    /// The canonical path, or `None` for a page that search engines must not index.
    pub fn canonical_path(&self) -> Option<String> {
        match self {
            Self::Product(product) => Some(format!("/products/{}", product.slug)),
            page => FIXED.iter().find(|(_, fixed)| fixed == page).map(|(path, _)| (*path).to_owned()),
        }
    }

    /// The route label in metrics.
    pub const fn metrics_route(&self) -> &'static str {
        match self {
            Self::Product(_) | Self::ProductNotFound => "/products/{name}",
            Self::Home | Self::Products | Self::Text(_) | Self::Personal => "other",
        }
    }

    /// The name of the view in `data-view`.
    pub const fn view_name(&self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Products => "products",
            Self::Product(_) => "product",
            Self::ProductNotFound => "product-not-found",
            Self::Text(_) => "text",
            Self::Personal => "personal",
        }
    }

    /// The view, the same one that the shell mounts.
    pub fn view(&self, data: &PageData) -> AnyView {
        match self {
            Self::Home => {
                let products = data.products.clone();
                let props = HomeProps { shop_name: data.shop_name.clone(), products, shown: LampShown::default() };
                home_page(Signal::stored(props))
            }
            Self::Products => product_list(Signal::stored(ProductListProps { products: data.products.clone() })),
            Self::Product(product) => {
                let props = ProductProps { product: product.clone() };
                product_page(Signal::stored(props), ProductEvents::default())
            }
            Self::ProductNotFound => product_not_found(),
            Self::Text(text) => {
                let (shop_name, support_email) = (data.shop_name.clone(), data.support_email.clone());
                let (captcha_provider, analytics_host) = (data.captcha_provider.clone(), data.analytics_host.clone());
                let firmware = data.firmware.clone();
                let props =
                    TextPageProps { text: *text, shop_name, support_email, captcha_provider, analytics_host, firmware };
                text_page(Signal::stored(props))
            }
            Self::Personal => view! {
                <p role="status" class="mx-auto w-full max-w-6xl text-muted noscript:hidden">
                    "One moment…"
                </p>
                <noscript>
                    <p class="mx-auto w-full max-w-6xl">
                        "This page needs JavaScript for your cart, your login and payments."
                    </p>
                </noscript>
            }
            .into_any(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_with_an_address_is_found_at_it() {
        let texts = Text::ALL.map(Page::Text);
        for page in [Page::Home, Page::Products].into_iter().chain(texts) {
            assert_eq!(Page::at(&page.canonical_path().unwrap()), page);
        }
        assert_eq!(Page::at("/login"), Page::Personal);
        assert_eq!(Page::at("/nothing"), Page::Home);
    }
}
