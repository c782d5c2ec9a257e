//! Server-side rendering.

use leptos::prelude::*;

/// Renders a view to HTML for a page or an email. Its signals live under a reactive owner of their own, which is
/// disposed of afterward.
pub fn render_to_string<V: IntoView>(view: impl FnOnce() -> V) -> String {
    Owner::new().with(|| without_hydration_markers(&view().to_html()))
}

/// Removes the `<!>` with which Leptos separates text nodes for hydration. The views are mounted, never hydrated, and
/// HTML validators report the marker as an incorrect comment. Escaped text cannot contain it.
pub fn without_hydration_markers(html: &str) -> String {
    html.replace("<!>", "")
}
