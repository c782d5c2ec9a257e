use std::borrow::Cow;

use leptos::prelude::*;
use serde::Serialize;

use super::products_menu::products_menu;
use crate::ui::{Icon, Listener, Part, Props, State, Word, changing, icon, part, row, text, truth, word};

/// Who looks at the page, as far as the navigation cares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Account {
    /// Nobody who is known. The server renders every page for them.
    #[default]
    Visitor,
    Customer,
    Admin,
}

/// A product's name and where its page is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ProductLink {
    pub name: String,
    pub slug: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct NavigationProps {
    pub shop_name: String,
    /// The page that is shown: a link to it says so.
    pub path: String,
    pub products: Vec<ProductLink>,
    /// The sum of the quantities in the cart.
    pub cart_count: i64,
    pub account: Account,
}

#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Default))]
pub struct NavigationEvents {
    pub log_out: Listener<()>,
}

const BAR: &str = "no-print border-b border-line bg-card px-4 sm:px-6";
const BRAND: &str = "mr-auto flex items-center gap-2.5 py-2 text-lg font-semibold lg:mr-6";
/// Links that differ for those who have an account: where scripts run they wait until it is known who looks.
const PERSONAL: &str = "personal contents";

/// What the server renders also serves browsers without scripts, which can open nothing.
const SCRIPTLESS: bool = cfg!(not(target_arch = "wasm32"));

/// The bar above every page.
pub fn navigation_bar(props: Props<NavigationProps>, events: NavigationEvents) -> impl Part {
    // Open on this page: going to another one closes it.
    let open_on = State::new(|| None::<String>);
    let is_open = move || is_here(props, open_on.get().as_deref());
    let toggle = move |_| open_on.set((!untrack(is_open)).then(|| untrack(move || path(props))));
    part(view! {
        <div class=BAR>
            <nav aria-label="Main" class="mx-auto max-w-6xl">
                <div class="flex min-h-16 items-center gap-1">
                    <a href="/" class=BRAND>
                        <span aria-hidden="true" class="size-3.5 rounded-full bg-glow shadow-[0_0_12px_var(--color-glow)]"></span>
                        {text(move || props.with(|props| props.shop_name.clone()))}
                    </a>
                    <div class="hidden grow items-center gap-1 lg:flex">
                        {link("/about", "About", props)} {products_menu(props)}
                    </div>
                    {cart_link(props)}
                    <div class="hidden items-center gap-1 lg:flex">{account_links(props, events)}</div>
                    <button
                        type="button"
                        class="bar-item lg:hidden noscript:hidden"
                        aria-expanded=truth(is_open)
                        aria-label=word(move || Some(if is_open() { "Close menu" } else { "Open menu" }))
                        on:click=toggle
                    >
                        {changing(move || icon(if is_open() { Icon::Close } else { Icon::Menu }, "size-6"))}
                    </button>
                </div>
                <div class=word(move || Some(if is_open() { "border-t border-line pt-2 pb-4 lg:hidden" } else { "hidden noscript:max-lg:block" }))>{changing(move || row((SCRIPTLESS || is_open()).then(|| small_menu(props, events))))}</div>
            </nav>
        </div>
    })
}

/// The page that is shown.
pub(super) fn path(props: Props<NavigationProps>) -> String {
    props.with(|props| props.path.clone())
}

/// Whether a page is the one that is shown.
pub(super) fn is_here(props: Props<NavigationProps>, page: Option<&str>) -> bool {
    props.with(|props| page == Some(&props.path))
}

/// For ARIA: "page" on the link to the page that is shown, "true" on the link to a page above it.
fn here(props: Props<NavigationProps>, page: impl Into<Cow<'static, str>>) -> Word {
    let page = page.into();
    word(move || {
        props.with(|props| match props.path.strip_prefix(&*page)? {
            "" => Some("page"),
            below => below.starts_with('/').then_some("true"),
        })
    })
}

/// A link of the bar, by the page it leads to.
fn link(href: &'static str, text: &'static str, props: Props<NavigationProps>) -> impl Part {
    part(view! {
        <a href=href class="bar-item" aria-current=here(props, href)>
            {text}
        </a>
    })
}

fn product_link(product: &ProductLink, props: Props<NavigationProps>) -> impl Part + use<> {
    let href = format!("/products/{}", product.slug);
    part(view! {
        <li>
            <a href=href.clone() class="bar-item" aria-current=here(props, href)>
                {product.name.clone()}
            </a>
        </li>
    })
}

fn cart_link(props: Props<NavigationProps>) -> impl Part {
    let count = move || props.with(|props| props.cart_count);
    let badge = word(move || {
        Some(match count() {
            0 => "personal inline-block min-w-6 rounded-full bg-line px-1.5 text-center text-sm font-semibold text-ink",
            _ => "inline-block min-w-6 rounded-full bg-glow px-1.5 text-center text-sm font-semibold text-on-glow",
        })
    });
    part(view! {
        <a href="/cart" class="bar-item" aria-current=here(props, "/cart")>
            {icon(Icon::Cart, "size-5 max-[24rem]:hidden")}
            "View Cart"
            // The outer span keeps the underline of the current page away from the number.
            <span>
                <span data-testid="cart-count" class=badge>
                    {text(move || count().to_string())}
                    <span class="sr-only">{text(move || if count() == 1 { " item" } else { " items" }.to_owned())}</span>
                </span>
            </span>
        </a>
    })
}

fn small_menu(props: Props<NavigationProps>, events: NavigationEvents) -> impl Part {
    let products = move || props.with(|given| row(given.products.iter().map(|product| product_link(product, props))));
    part(view! {
        <div class="flex flex-col">
            {link("/about", "About", props)} {link("/products", "Products", props)}
            <ul class="ml-4 border-l border-line pl-2">{changing(products)}</ul>
            <hr class="my-2 border-line" />
            {account_links(props, events)}
        </div>
    })
}

fn account_links(props: Props<NavigationProps>, events: NavigationEvents) -> impl Part {
    let account = move || props.with(|props| props.account);
    let log_out = move || {
        part(view! {
            <button type="button" class="bar-item" on:click=move |_| events.log_out.run(())>
                "Logout"
            </button>
        })
    };
    let links = move || {
        let pages: &[_] = match account() {
            Account::Visitor => &[("/login", "Login"), ("/register", "Register")],
            Account::Customer => &[("/profile", "My Account")],
            Account::Admin => &[("/profile", "My Account"), ("/admin", "Admin Panel")],
        };
        row(pages.iter().map(|(href, text)| link(href, text, props)))
    };
    let leave = move || row((account() != Account::Visitor).then(log_out));
    part(view! { <div class=PERSONAL>{changing(links)} {changing(leave)}</div> })
}
