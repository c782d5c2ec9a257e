//! The dropdown with the products' names: a menu button as the ARIA practices describe it.

use leptos::ev::{FocusEvent, KeyboardEvent, MouseEvent};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast as _;
use leptos::web_sys::{Element, Event, HtmlElement, Node};

use super::navigation::{NavigationProps, ProductLink, is_here, path};
use crate::ui::{Icon, Part, Props, State, changing, icon, part, row, truth, word};

const ENTRY: &str = "block rounded-lg px-3 py-2 outline-none hover:bg-line/60 focus:bg-line/60";

/// Without scripts its button is what it says in its address: a link to all products.
pub fn products_menu(props: Props<NavigationProps>) -> impl Part {
    let open_on = State::new(|| None::<String>);
    let is_open = move || is_here(props, open_on.get().as_deref());

    let open = move |button: Option<Element>| {
        open_on.set(Some(untrack(move || path(props))));
        // The menu is shown by then: what has changed is drawn before the next task.
        request_animation_frame(move || {
            let menu = button.and_then(|button| button.next_element_sibling());
            focus(menu.and_then(|menu| menu.first_element_child()));
        });
    };
    let close = move || open_on.set(None);
    let press = move |event: MouseEvent| {
        event.prevent_default();
        if untrack(is_open) { close() } else { open(current_target(&event)) }
    };
    let press_key = move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), " " | "ArrowDown") {
            event.prevent_default();
            open(current_target(&event));
        }
    };
    let move_on = move |event: KeyboardEvent| {
        let Some(menu) = current_target(&event) else { return };
        if event.key() == "Escape" {
            close();
            focus(menu.previous_element_sibling());
        } else if let Some(entry) = entry_of(&event) {
            step(&event, &menu, &entry);
        }
    };
    let leave = move |event: FocusEvent| {
        let inside = event.related_target().and_then(|next| next.dyn_into::<Node>().ok()).is_some_and(|next| {
            event.current_target().is_some_and(|here| here.unchecked_ref::<Node>().contains(Some(&next)))
        });
        if !inside {
            close();
        }
    };
    let entry = |product: &ProductLink| {
        part(view! {
            <a role="menuitem" tabindex="-1" href=format!("/products/{}", product.slug) class=ENTRY>
                {product.name.clone()}
            </a>
        })
    };
    let entries = move || props.with(|props| row(props.products.iter().filter(|_| is_open()).map(entry)));
    part(view! {
        <div class="relative" on:focusout=leave>
            <a
                href="/products"
                role="button"
                aria-haspopup="menu"
                aria-expanded=truth(is_open)
                class="bar-item aria-expanded:bg-line/60"
                on:click=press
                on:keydown=press_key
            >
                "Products"
                {icon(Icon::Chevron, "size-4")}
            </a>
            <div
                role="menu"
                aria-label="Products"
                class=word(move || Some(if is_open() { "absolute top-full left-0 z-40 mt-1.5 max-h-[calc(100dvh-5rem)] min-w-56 overflow-y-auto rounded-card border border-line bg-card p-1.5 shadow-float" } else { "hidden" }))
                on:keydown=move_on
            >
                {changing(entries)}
                <a role="menuitem" tabindex="-1" href="/products" class="mt-1.5 block rounded-b-lg border-t border-line px-3 pt-3 pb-2 outline-none hover:bg-line/60 focus:bg-line/60">
                    "All products"
                </a>
            </div>
        </div>
    })
}

/// Where the event is heard: the button or the menu.
fn current_target(event: &Event) -> Option<Element> {
    event.current_target().and_then(|target| target.dyn_into::<Element>().ok())
}

fn entry_of(event: &KeyboardEvent) -> Option<Element> {
    event.target().and_then(|target| target.dyn_into::<Element>().ok())
}

fn step(event: &KeyboardEvent, menu: &Element, entry: &Element) {
    let (first, last) = (menu.first_element_child(), menu.last_element_child());
    let next = match event.key().as_str() {
        "ArrowDown" => entry.next_element_sibling().or(first),
        "ArrowUp" => entry.previous_element_sibling().or(last),
        "Home" => first,
        "End" => last,
        _ => return,
    };
    event.prevent_default();
    focus(next);
}

fn focus(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // An element that is gone by now cannot take the focus, and nothing depends on it.
        let _ = element.focus();
    }
}
