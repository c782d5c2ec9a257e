//! Links to the other pages of the product list.

use leptos::prelude::*;
use wasm_core::catalog::ProductList;

use super::page_link::PageLink;
use crate::ui::{Icon, icon};

const CELL: &str = "inline-flex min-h-11 min-w-9 items-center justify-center rounded-field px-2 tabular-nums transition-colors hover:bg-line/60 sm:min-w-11 aria-[current]:bg-ink aria-[current]:font-semibold aria-[current]:text-paper";

/// The pages of a list; nothing for a single one.
pub(super) fn pagination(list: &ProductList) -> AnyView {
    if list.pages == 1 {
        return ().into_any();
    }
    view! {
        <nav aria-label="Pages" class="mt-8">
            <ul class="flex flex-wrap items-center justify-center gap-1">{links(list)}</ul>
        </nav>
    }
    .into_any()
}

fn links(list: &ProductList) -> Vec<AnyView> {
    let page = list.query.page;
    let path = |page| list.query.with_page(page).path();
    let mut links = Vec::new();
    if page > 1 {
        links.push(step(path(page - 1), "prev", "Previous page", "size-5 rotate-90"));
    }
    for (number, is_after_gap) in visible_pages(page, list.pages) {
        if is_after_gap {
            links.push(view! { <li aria-hidden="true">"…"</li> }.into_any());
        }
        let current = (number == page).then_some("page");
        let link =
            PageLink { href: path(number), class: CELL, current, rel: None, label: Some(format!("Page {number}")) };
        links.push(link.view(number.to_string().into_any()));
    }
    if page < list.pages {
        links.push(step(path(page + 1), "next", "Next page", "size-5 -rotate-90"));
    }
    links
}

/// The link to a neighbor.
fn step(href: String, rel: &'static str, label: &str, arrow: &'static str) -> AnyView {
    let link = PageLink { href, class: CELL, current: None, rel: Some(rel), label: Some(label.to_owned()) };
    link.view(icon(Icon::Chevron, arrow))
}

/// The first page, the last one, and one on each side of the current page; each with whether pages before it are left out.
fn visible_pages(page: usize, pages: usize) -> impl Iterator<Item = (usize, bool)> {
    let is_visible = move |number: &usize| *number == 1 || *number == pages || number.abs_diff(page) <= 1;
    let mut last = 0;
    (1..=pages).filter(is_visible).map(move |number| {
        let is_after_gap = number > last + 1;
        last = number;
        (number, is_after_gap)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_between_the_ends_and_the_current_one_are_left_out() {
        let shown = |page, pages| {
            let shown =
                visible_pages(page, pages).map(|(number, gap)| format!("{}{number}", if gap { "… " } else { "" }));
            shown.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(1, 2), "1 2");
        assert_eq!(shown(1, 9), "1 2 … 9");
        assert_eq!(shown(3, 9), "1 2 3 4 … 9");
        assert_eq!(shown(5, 9), "1 … 4 5 6 … 9");
        assert_eq!(shown(9, 9), "1 … 8 9");
    }
}
