//! A view as text.

use leptos::prelude::*;
use leptos::tachys::view::Position;

/// A view as HTML, for a page or an email.
pub fn html(view: impl IntoView) -> String {
    let length = view.html_len();
    // Leptos forgets a few signs of each `class`, and a text that is a little too short would be moved as a whole.
    let mut html = String::with_capacity(length + length / 8);
    view.to_html_with_buf(&mut html, &mut Position::FirstChild, true, false, Vec::new());
    without_hydration_markers(&html)
}

/// Leptos separates texts by `<!>` so that a browser can hydrate them. Nothing here is hydrated, and HTML parsers report
/// an incorrect comment. Escaped text never holds the marker.
pub fn without_hydration_markers(html: &str) -> String {
    html.replace("<!>", "")
}
