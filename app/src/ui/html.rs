//! A view as text.

use leptos::prelude::*;
use leptos::tachys::view::Position;

/// What a browser, or who reads a mail, gets to see of a view. It follows nothing.
pub fn html(view: impl IntoView) -> String {
    let length = view.html_len();
    // Leptos forgets a few signs of each `class`, and a text that is a little too short would be moved as a whole.
    let mut html = String::with_capacity(length + length / 8);
    view.to_html_with_buf(&mut html, &mut Position::FirstChild, true, false, Vec::new());
    html
}
