use leptos::prelude::*;

use super::navigation_props::{Account, Menu, NavigationProps, ProductLink, aria_current};
use super::products_menu::products_menu;
use crate::ui::{Icon, icon};

/// Callbacks of [`navigation_bar`].
#[derive(Clone, Copy)]
pub struct NavigationEvents {
    pub log_out: Callback<()>,
}

impl Default for NavigationEvents {
    /// Ignores every event, as the server does.
    fn default() -> Self {
        Self { log_out: Callback::new(|()| ()) }
    }
}

const LAB: &str = "/schedule-lab";
const BAR: &str = "no-print border-b border-line bg-card px-4 sm:px-6";
const BRAND: &str = "mr-auto flex items-center gap-2.5 py-2 text-lg font-semibold lg:mr-6";
/// Links that depend on the account: with JavaScript they stay hidden until the session is known.
const PERSONAL: &str = "personal contents";

/// Server-rendered pages include the small menu for browsers without JavaScript, which cannot open it.
const RENDERS_CLOSED_MENU: bool = cfg!(not(target_arch = "wasm32"));

/// The navigation bar above every page.
pub fn navigation_bar(props: Signal<NavigationProps>, events: NavigationEvents) -> AnyView {
    let menu = Menu::new(props);
    let toggle = move |_| if menu.is_open_untracked() { menu.close() } else { menu.open() };
    view! {
        <div class=BAR>
            <nav aria-label="Main" class="mx-auto max-w-6xl">
                <div class="flex min-h-16 items-center gap-1">
                    <a href="/" class=BRAND>
                        <span aria-hidden="true" class="size-3.5 rounded-full bg-glow shadow-[0_0_12px_var(--color-glow)]"></span>
                        {move || props.with(|props| props.shop_name.clone())}
                    </a>
                    <div class="hidden grow items-center gap-1 lg:flex">
                        {link(props, "/about", "About")} {products_menu(props)} {link(props, LAB, "Schedule Lab")}
                    </div>
                    {cart_link(props)}
                    <div class="hidden items-center gap-1 lg:flex">{account_links(props, events)}</div>
                    <button
                        type="button"
                        class="bar-item lg:hidden noscript:hidden"
                        aria-expanded=move || menu.is_open().to_string()
                        aria-label=move || if menu.is_open() { "Close menu" } else { "Open menu" }
                        on:click=toggle
                    >
                        {move || icon(if menu.is_open() { Icon::Close } else { Icon::Menu }, "size-6")}
                    </button>
                </div>
                <div class=move || if menu.is_open() { "border-t border-line pt-2 pb-4 lg:hidden" } else { "hidden noscript:max-lg:block" }>
                    {move || (RENDERS_CLOSED_MENU || menu.is_open()).then(|| mobile_menu(props, events))}
                </div>
            </nav>
        </div>
    }
    .into_any()
}

fn link(props: Signal<NavigationProps>, href: &'static str, text: &'static str) -> AnyView {
    view! {
        <a href=href class="bar-item" aria-current=move || aria_current(props, href)>
            {text}
        </a>
    }
    .into_any()
}

fn product_link(props: Signal<NavigationProps>, product: &ProductLink) -> AnyView {
    let href = product.href();
    view! {
        <li>
            <a href=href.clone() class="bar-item" aria-current=move || aria_current(props, &href)>
                {product.name.clone()}
            </a>
        </li>
    }
    .into_any()
}

fn cart_link(props: Signal<NavigationProps>) -> AnyView {
    let count = move || props.with(|props| props.cart_count);
    view! {
        <a href="/cart" class="bar-item" aria-current=move || aria_current(props, "/cart")>
            {icon(Icon::Cart, "size-5 max-[24rem]:hidden")}
            "View Cart"
            // The outer span keeps the underline of the current page away from the number.
            <span>
                <span data-testid="cart-count" class=move || badge_class(count())>
                    {move || count().to_string()}
                    <span class="sr-only">{move || if count() == 1 { " item" } else { " items" }}</span>
                </span>
            </span>
        </a>
    }
    .into_any()
}

const fn badge_class(count: i64) -> &'static str {
    match count {
        0 => "personal inline-block min-w-6 rounded-full bg-line px-1.5 text-center text-sm font-semibold text-ink",
        _ => "inline-block min-w-6 rounded-full bg-glow px-1.5 text-center text-sm font-semibold text-on-glow",
    }
}

fn mobile_menu(props: Signal<NavigationProps>, events: NavigationEvents) -> AnyView {
    view! {
        <div class="flex flex-col">
            {link(props, "/about", "About")} {link(props, "/products", "Products")}
            <ul class="ml-4 max-h-88 overflow-y-auto border-l border-line pl-2">
                {move || props.with(|given| given.products.iter().map(|product| product_link(props, product)).collect_view())}
            </ul>
            {link(props, LAB, "Schedule Lab")} <hr class="my-2 border-line" />
            {account_links(props, events)}
        </div>
    }
    .into_any()
}

fn account_links(props: Signal<NavigationProps>, events: NavigationEvents) -> AnyView {
    let account = move || props.with(|props| props.account);
    view! {
        <div class=PERSONAL>
            {move || account_pages(account()).iter().map(|(href, text)| link(props, href, text)).collect_view()}
            {move || (account() != Account::Visitor).then(|| log_out_button(events))}
        </div>
    }
    .into_any()
}

const fn account_pages(account: Account) -> &'static [(&'static str, &'static str)] {
    match account {
        Account::Visitor => &[("/login", "Login"), ("/register", "Register")],
        Account::Customer => &[("/profile", "My Account")],
        Account::Admin => &[("/profile", "My Account"), ("/admin", "Admin Panel")],
    }
}

fn log_out_button(events: NavigationEvents) -> AnyView {
    view! {
        <button type="button" class="bar-item" on:click=move |_| events.log_out.run(())>
            "Logout"
        </button>
    }
    .into_any()
}
