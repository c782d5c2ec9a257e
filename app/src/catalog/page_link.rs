//! A link to another page or order of the product list, as an item of a list of links.

use leptos::prelude::*;

pub(super) struct PageLink {
    pub href: String,
    pub class: &'static str,
    /// The value of `aria-current`.
    pub current: Option<&'static str>,
    pub rel: Option<&'static str>,
    /// The name, where the content does not say it.
    pub label: Option<String>,
}

impl PageLink {
    pub fn view(self, content: AnyView) -> AnyView {
        let Self { href, class, current, rel, label } = self;
        view! {
            <li>
                <a href=href class=class aria-current=current rel=rel aria-label=label>
                    {content}
                </a>
            </li>
        }
        .into_any()
    }
}
