use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::WarrantyRange;
use wasm_core::delivery::ReturnShipping;

use crate::ui::{Icon, gradients, icon};

/// The color theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Theme {
    /// Follows the operating system.
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Props of [`footer`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct FooterProps {
    pub shop_name: String,
    /// Name and postal address of the seller.
    pub seller: Option<String>,
    /// Days within which a light can be returned, if the shop has the standard return policy.
    pub return_days: Option<u32>,
    pub return_shipping: ReturnShipping,
    /// Warranties of the products for sale.
    pub warranty_months: Option<WarrantyRange>,
    pub test_mode: bool,
    pub theme: Theme,
}

/// Callbacks of [`footer`].
#[derive(Clone, Copy)]
pub struct FooterEvents {
    pub choose_theme: Callback<Theme>,
}

impl Default for FooterEvents {
    /// Ignores every event, as the server does.
    fn default() -> Self {
        Self { choose_theme: Callback::new(|_| ()) }
    }
}

static LINKS: [(&str, &str); 9] = [
    ("/products", "Products"),
    ("/about", "About"),
    ("/tutorial", "Setup Tutorial"),
    ("/schedule-lab", "Schedule Lab"),
    ("/schedules", "Recipes"),
    ("/contact", "Contact"),
    ("/shipping-and-returns", "Shipping and Returns"),
    ("/privacy", "Privacy"),
    ("/terms", "Terms"),
];

const THEMES: [(Theme, &str, Icon); 3] =
    [(Theme::System, "System", Icon::Screen), (Theme::Light, "Light", Icon::Sun), (Theme::Dark, "Dark", Icon::Moon)];

/// The footer below every page, with the gradients of the page's illustrations.
pub fn footer(props: Signal<FooterProps>, events: FooterEvents) -> AnyView {
    view! {
        {gradients()}
        <div class="no-print border-t border-line px-4 py-8 sm:px-6">
            <div class="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-6">
                <nav aria-label="footer">
                    <ul class="flex flex-wrap gap-x-6 gap-y-2">{LINKS.iter().map(link).collect_view()}</ul>
                </nav>
                <div role="group" aria-label="Theme" class="flex rounded-field border border-line p-0.5 noscript:hidden">
                    {THEMES.into_iter().map(|theme| theme_button(props, events, theme)).collect_view()}
                </div>
                <p class="w-full text-sm text-muted">{move || props.with(small_print)}</p>
            </div>
        </div>
    }
    .into_any()
}

fn small_print(props: &FooterProps) -> String {
    let FooterProps { shop_name, seller, return_days, return_shipping, warranty_months, test_mode, .. } = props;
    let seller = seller.as_ref().map(|seller| format!(" · Sold by {seller}")).unwrap_or_default();
    let test_mode = if *test_mode { " This shop is in test mode: no real payments are made." } else { "" };
    let returns = return_days.map(|days| format!(" {}", return_shipping.terms(days))).unwrap_or_default();
    let warranty = warranty_months.map(|months| format!(" {}", months.terms())).unwrap_or_default();
    format!("© {shop_name}{seller} · Prices are in US dollars.{returns}{warranty}{test_mode}")
}

fn link((href, text): &'static (&'static str, &'static str)) -> AnyView {
    view! {
        <li>
            <a href=*href class="inline-block py-1 text-muted transition-colors hover:text-ink hover:underline">
                {*text}
            </a>
        </li>
    }
    .into_any()
}

fn theme_button(
    props: Signal<FooterProps>,
    events: FooterEvents,
    (theme, label, sign): (Theme, &'static str, Icon),
) -> AnyView {
    view! {
        <button
            type="button"
            aria-label=label
            title=label
            aria-pressed=move || props.with(|props| props.theme == theme).to_string()
            class="theme-choice"
            on:click=move |_| events.choose_theme.run(theme)
        >
            {icon(sign, "size-4")}
        </button>
    }
    .into_any()
}
