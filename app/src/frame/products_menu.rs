//! The Products dropdown: a menu button by the ARIA Authoring Practices.

use leptos::ev::{FocusEvent, KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast as _;
use leptos::web_sys::{Element, Event, HtmlElement, Node};

use super::navigation_props::{Menu, NavigationProps, ProductLink, aria_current};
use crate::ui::{Icon, icon};

const ITEM: &str = "block rounded-lg px-3 py-2 -outline-offset-3 hover:bg-line/60 focus:bg-line/60";
const OPEN: &str =
    "absolute top-full left-0 z-40 mt-1.5 min-w-56 rounded-card border border-line bg-card p-1.5 shadow-float";
/// Eight entries high, or less in a low window: a half entry shows that there are more.
const NAMES: &str = "max-h-[min(21rem,calc(100dvh-10rem))] overflow-y-auto";
const ALL: &str =
    "mt-1.5 block rounded-b-lg border-t border-line px-3 pt-3 pb-2 -outline-offset-3 hover:bg-line/60 focus:bg-line/60";

/// Without JavaScript the button is a plain link to all products.
pub fn products_menu(props: Signal<NavigationProps>) -> AnyView {
    let menu = Menu::new(props);
    let on_click = move |event: MouseEvent| {
        event.prevent_default();
        if menu.is_open_untracked() { menu.close() } else { open(menu, current_target(&event)) }
    };
    let on_button_key = move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), " " | "ArrowDown") {
            event.prevent_default();
            open(menu, current_target(&event));
        }
    };
    let on_focus_out = move |event: FocusEvent| {
        if !keeps_focus(&event) {
            menu.close();
        }
    };
    view! {
        <div class="relative" on:focusout=on_focus_out>
            <a
                href="/products"
                role="button"
                aria-haspopup="menu"
                aria-expanded=move || menu.is_open().to_string()
                aria-current=move || aria_current(props, "/products")
                class="bar-item aria-expanded:bg-line/60"
                on:click=on_click
                on:keydown=on_button_key
            >
                "Products"
                {icon(Icon::Chevron, "size-4")}
            </a>
            <div
                role="menu"
                aria-label="Products"
                class=move || if menu.is_open() { OPEN } else { "hidden" }
                on:keydown=move |event| on_menu_key(menu, &event)
            >
                <div role="presentation" class=NAMES>
                    {move || menu.is_open().then(|| props.with(|props| props.products.iter().map(menu_item).collect_view()))}
                </div>
                <a role="menuitem" tabindex="-1" href="/products" class=ALL>
                    "All products"
                </a>
            </div>
        </div>
    }
    .into_any()
}

fn menu_item(product: &ProductLink) -> AnyView {
    view! {
        <a role="menuitem" tabindex="-1" href=product.href() class=ITEM>
            {product.name.clone()}
        </a>
    }
    .into_any()
}

fn open(menu: Menu, button: Option<Element>) {
    menu.open();
    // Effects run in an earlier microtask, so the items exist by then. A key may be pressed before the next frame.
    queue_microtask(move || {
        let opened = button.and_then(|button| button.next_element_sibling());
        focus(opened.and_then(|opened| items(&opened).into_iter().next()));
    });
}

fn on_menu_key(menu: Menu, event: &KeyboardEvent) {
    let Some(element) = current_target(event) else { return };
    if event.key() == "Escape" {
        menu.close();
        focus(element.previous_element_sibling());
    } else if let Some(item) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) {
        move_focus(event, &element, &item);
    }
}

/// Whether the focus moves to another element of the menu.
fn keeps_focus(event: &FocusEvent) -> bool {
    let next = event.related_target().and_then(|next| next.dyn_into::<Node>().ok());
    next.is_some_and(|next| current_target(event).is_some_and(|menu| menu.contains(Some(&next))))
}

fn current_target(event: &Event) -> Option<Element> {
    event.current_target().and_then(|target| target.dyn_into::<Element>().ok())
}

fn move_focus(event: &KeyboardEvent, menu: &Element, item: &Element) {
    let items = items(menu);
    let Some(place) = items.iter().position(|other| other == item) else { return };
    let next = match event.key().as_str() {
        "ArrowDown" => items.get(place + 1).or(items.first()),
        "ArrowUp" => items.get(place.wrapping_sub(1)).or(items.last()),
        "Home" => items.first(),
        "End" => items.last(),
        key if is_typed(event, key) => find_typed(&items, place, key),
        _ => return,
    };
    event.prevent_default();
    focus(next.cloned());
}

/// Whether a key types a character, rather than being a command or a name like `Tab`.
fn is_typed(event: &KeyboardEvent, key: &str) -> bool {
    key.chars().count() == 1 && !(event.ctrl_key() || event.meta_key() || event.alt_key())
}

/// Type-ahead: the next item with a word that starts with this letter. Many names start with the shop's own.
fn find_typed<'i>(items: &'i [Element], place: usize, letter: &str) -> Option<&'i Element> {
    let starts = |word: &str| word.get(..letter.len()).is_some_and(|start| start.eq_ignore_ascii_case(letter));
    let matches = |item: &&Element| item.text_content().unwrap_or_default().split(' ').any(starts);
    let (before, after) = items.split_at_checked(place + 1)?;
    after.iter().chain(before).find(matches)
}

/// The names and the link to all products.
fn items(menu: &Element) -> Vec<Element> {
    let names = menu.first_element_child().and_then(|names| names.first_element_child());
    let names = std::iter::successors(names, Element::next_element_sibling);
    names.chain(menu.last_element_child()).collect()
}

fn focus(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // Focusing fails only for an element that has been removed.
        let _ = element.focus();
    }
}
