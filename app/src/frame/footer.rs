use std::sync::LazyLock;

use leptos::prelude::*;
use serde::Serialize;

use crate::ui::{Icon, Listener, Part, Props, drawing_paints, icon, part, row, still, text, truth};

/// Which colours the page has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Theme {
    /// As the device has it.
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// As it is kept.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct FooterProps {
    pub shop_name: String,
    pub test_mode: bool,
    pub theme: Theme,
}

#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Default))]
pub struct FooterEvents {
    pub choose_theme: Listener<Theme>,
}

const LINKS: [(&str, &str); 7] = [
    ("/products", "Products"),
    ("/about", "About"),
    ("/tutorial", "Setup Tutorial"),
    ("/contact", "Contact"),
    ("/shipping-and-returns", "Shipping and Returns"),
    ("/privacy", "Privacy"),
    ("/terms", "Terms"),
];

const THEMES: [(Theme, &str, Icon); 3] = [
    (Theme::System, "Like the system", Icon::Screen),
    (Theme::Light, "Light", Icon::Sun),
    (Theme::Dark, "Dark", Icon::Moon),
];

/// What stands below every page, and the gradients of the drawings above.
pub fn footer(props: Props<FooterProps>, events: FooterEvents) -> impl Part {
    let small_print = text(move || {
        props.with(|FooterProps { shop_name, test_mode, .. }| {
            let test_mode = if *test_mode { " This shop is in test mode: no real money moves." } else { "" };
            format!("© {shop_name} · Prices are in US dollars.{test_mode}")
        })
    });
    part(view! {
        {drawing_paints()}
        <div class="no-print border-t border-line px-4 py-8 sm:px-6">
            <div class="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-6">
                <nav aria-label="footer">
                    {links()}
                </nav>
                {theme_switch(props, events)}
                <p class="w-full text-sm text-muted">{small_print}</p>
            </div>
        </div>
    })
}

fn links() -> impl Part {
    static LIST: LazyLock<String> = LazyLock::new(|| {
        let link = |(href, text): (&str, &str)| {
            format!(
                r#"<li><a href="{href}" class="inline-block py-1 text-muted transition-colors hover:text-ink hover:underline">{text}</a></li>"#
            )
        };
        format!(r#"<ul class="flex flex-wrap gap-x-6 gap-y-2">{}</ul>"#, LINKS.map(link).concat())
    });
    still(LIST.as_str())
}

fn theme_switch(props: Props<FooterProps>, events: FooterEvents) -> impl Part {
    let chosen = move || props.with(|props| props.theme);
    let buttons = THEMES.map(|(theme, label, sign)| {
        part(view! {
            <button
                type="button"
                aria-label=label
                title=label
                aria-pressed=truth(move || chosen() == theme)
                class="theme-choice"
                on:click=move |_| events.choose_theme.run(theme)
            >
                {icon(sign, "size-4")}
            </button>
        })
    });
    part(view! {
        <div role="group" aria-label="Colors of the page" class="flex rounded-field border border-line p-0.5 noscript:hidden">
            {row(buttons)}
        </div>
    })
}
