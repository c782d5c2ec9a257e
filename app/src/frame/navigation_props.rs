//! Props of the navigation bar and its menus.

use leptos::prelude::*;
use serde::Serialize;

/// The visitor's role, as far as the navigation depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Account {
    /// Not logged in. The server renders every page for visitors.
    #[default]
    Visitor,
    Customer,
    Admin,
}

/// A product in the Products menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ProductLink {
    pub name: String,
    pub slug: String,
}

impl ProductLink {
    pub(super) fn href(&self) -> String {
        format!("/products/{}", self.slug)
    }
}

/// Props of [`navigation_bar`](super::navigation_bar).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct NavigationProps {
    pub shop_name: String,
    /// Path of the current page.
    pub path: String,
    pub products: Vec<ProductLink>,
    /// The sum of the quantities in the cart.
    pub cart_count: i64,
    pub account: Account,
}

/// `aria-current`: "page" on the link to the current page, "true" on a link to a parent of it.
pub(super) fn aria_current(props: Signal<NavigationProps>, href: &str) -> Option<&'static str> {
    props.with(|props| match props.path.strip_prefix(href)? {
        "" => Some("page"),
        below => below.starts_with('/').then_some("true"),
    })
}

/// A menu that navigation closes: it remembers the path on which it was opened.
#[derive(Clone, Copy)]
pub(super) struct Menu {
    props: Signal<NavigationProps>,
    opened_on: RwSignal<Option<String>>,
}

impl Menu {
    pub fn new(props: Signal<NavigationProps>) -> Self {
        Self { props, opened_on: RwSignal::new(None) }
    }

    pub fn is_open(self) -> bool {
        self.props.with(|props| self.opened_on.get().as_ref() == Some(&props.path))
    }

    pub fn is_open_untracked(self) -> bool {
        untrack(move || self.is_open())
    }

    pub fn open(self) {
        self.opened_on.set(Some(self.props.with_untracked(|props| props.path.clone())));
    }

    pub fn close(self) {
        self.opened_on.set(None);
    }
}
