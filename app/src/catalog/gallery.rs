//! The pictures of the product page, with their enlargement in a dialog.
//!
//! Views share closures and function pointers where they can: each closure type costs browsers about 300 bytes.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::picture::Picture;
use super::product_props::ProductProps;
use crate::ui::{Icon, Loading, icon};

/// State of the gallery. It survives an update of the props.
#[derive(Clone, Copy)]
struct Gallery {
    props: Signal<ProductProps>,
    selected: RwSignal<usize>,
    zoom: RwSignal<Zoom>,
    dialog: NodeRef<html::Dialog>,
    /// The box in the dialog that scrolls.
    scroller: NodeRef<html::Div>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Zoom {
    /// The whole picture.
    Fit,
    /// Larger than the screen; it scrolls.
    Close,
}

impl Gallery {
    fn select(self, index: usize) {
        self.selected.set(index);
        self.zoom.set(Zoom::Fit);
    }

    fn step(self, by: fn(usize, usize) -> usize) {
        let count = Picture::all(&self.props.read_untracked().product).len();
        self.select(by(self.selected.get_untracked(), count.max(1)));
    }

    fn next(self) {
        self.step(|selected, count| selected.saturating_add(1) % count);
    }

    fn previous(self) {
        self.step(|selected, count| selected.saturating_add(count).saturating_sub(1) % count);
    }

    fn open(self) {
        self.zoom.set(Zoom::Fit);
        if let Some(dialog) = self.dialog.get_untracked() {
            // Fails only if the dialog is open already.
            let _ = dialog.show_modal();
        }
    }

    fn toggle_zoom(self) {
        self.zoom.set(match self.zoom.get_untracked() {
            Zoom::Fit => Zoom::Close,
            Zoom::Close => Zoom::Fit,
        });
        request_animation_frame(move || self.scroll_to_center());
    }

    /// The focus follows, so that the arrow keys scroll.
    fn scroll_to_center(self) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        scroller.set_scroll_left(scroller.scroll_width().saturating_sub(scroller.client_width()) / 2);
        scroller.set_scroll_top(scroller.scroll_height().saturating_sub(scroller.client_height()) / 2);
        // Fails only for an element that is not on the page.
        let _ = scroller.focus();
    }

    /// The arrow keys scroll an enlarged picture.
    fn press(self, event: &KeyboardEvent) {
        match (self.zoom.get_untracked(), event.key().as_str()) {
            (Zoom::Fit, "ArrowRight") => self.next(),
            (Zoom::Fit, "ArrowLeft") => self.previous(),
            (Zoom::Fit, "+") | (Zoom::Close, "-") => self.toggle_zoom(),
            _ => {}
        }
    }
}

const ICON: &str = "size-5";
const ROUND: &str =
    "inline-flex size-12 items-center justify-center rounded-full border border-line bg-card hover:bg-line/50";

/// The selected picture, its thumbnails and the dialog that enlarges it.
pub(super) fn gallery(props: Signal<ProductProps>) -> AnyView {
    let gallery = Gallery {
        props,
        selected: RwSignal::new(0),
        zoom: RwSignal::new(Zoom::Fit),
        dialog: NodeRef::new(),
        scroller: NodeRef::new(),
    };
    view! {
        <div class="grid w-full gap-3">
            {move || pictures(gallery)}
            <dialog
                node_ref=gallery.dialog
                aria-label="Enlarged pictures"
                class="enlargement"
                on:keydown=move |event| gallery.press(&event)
            >
                {move || enlargement(gallery)}
            </dialog>
        </div>
    }
    .into_any()
}

fn pictures(gallery: Gallery) -> AnyView {
    let (props, selected) = (gallery.props.read(), gallery.selected.get());
    let (product, all) = (&props.product, Picture::all(&props.product));
    // A product may lose pictures while its page is open.
    let shown = all.get(selected).or(all.first()).map(|picture| {
        picture.view(
            product,
            picture.alt(product),
            "(min-width: 1152px) 600px, (min-width: 1024px) 52vw, 95vw",
            Loading::First,
        )
    });
    let thumbnail = |(index, picture): (usize, &Picture)| {
        let small = picture.view(product, String::new(), "96px", Loading::Eager);
        view! {
            <button
                type="button"
                title=picture.label(product)
                aria-label=picture.label(product)
                aria-pressed=(index == selected).to_string()
                class="thumbnail picture"
                on:click=move |_| gallery.select(index)
            >
                {small}
            </button>
        }
        .into_any()
    };
    view! {
        <div class="picture relative aspect-4/3 overflow-hidden rounded-card border border-line shadow-card">
            {shown}
            {button(gallery, "enlarge", "Enlarge picture", icon(Icon::ZoomIn, ICON), Gallery::open)}
        </div>
        <div role="group" aria-label="Pictures" class="grid grid-cols-5 gap-2 sm:flex sm:flex-wrap sm:gap-3 noscript:hidden">
            {all.iter().enumerate().map(thumbnail).collect_view()}
        </div>
    }
    .into_any()
}

/// A button without text.
fn button(gallery: Gallery, class: &'static str, label: &'static str, sign: AnyView, act: fn(Gallery)) -> AnyView {
    view! {
        <button type="button" aria-label=label class=class on:click=move |_| act(gallery)>
            {sign}
        </button>
    }
    .into_any()
}

/// The content of the full-screen dialog. Pinch gestures are the browser's own; the button and a click zoom without
/// them.
fn enlargement(gallery: Gallery) -> AnyView {
    let (props, selected) = (gallery.props.read(), gallery.selected.get());
    let (product, all) = (&props.product, Picture::all(&props.product));
    let picture = all.get(selected).or(all.first());
    let shown = picture.map(|picture| picture.view(product, picture.alt(product), "100vw", Loading::Lazy));
    let label = picture.map(|picture| picture.label(product)).unwrap_or_default();
    let (zoom_label, zoom_sign, zoomed) = match gallery.zoom.get() {
        Zoom::Fit => ("Zoom in", Icon::ZoomIn, None),
        Zoom::Close => ("Zoom out", Icon::ZoomOut, Some("")),
    };
    view! {
        <form method="dialog" class="flex items-center gap-3">
            <p role="status" class="mr-auto">
                {format!("{label}, {} of {}", selected.saturating_add(1), all.len())}
            </p>
            {button(gallery, ROUND, zoom_label, icon(zoom_sign, ICON), Gallery::toggle_zoom)}
            <button type="submit" aria-label="Close" class=ROUND>
                {icon(Icon::Close, ICON)}
            </button>
        </form>
        <div
            node_ref=gallery.scroller
            tabindex="0"
            role="group"
            aria-label="Enlarged picture"
            class="enlarged"
            data-zoomed=zoomed
            on:click=move |_| gallery.toggle_zoom()
        >
            {shown}
        </div>
        <div class="flex justify-center gap-3">
            {button(gallery, ROUND, "Previous picture", icon(Icon::Chevron, "size-5 rotate-90"), Gallery::previous)}
            {button(gallery, ROUND, "Next picture", icon(Icon::Chevron, "size-5 -rotate-90"), Gallery::next)}
        </div>
    }
    .into_any()
}
