//! Icons from Lucide (ISC license): SVG paths on a 24 × 24 grid.

use leptos::prelude::*;

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Cart,
    Check,
    Chevron,
    Close,
    Cross,
    Screen,
    Menu,
    Moon,
    Return,
    Sun,
    Truck,
    Warning,
    ZoomIn,
    ZoomOut,
}

impl Icon {
    const fn path_data(self) -> &'static str {
        match self {
            Self::Cart => {
                r#"<circle cx="8" cy="21" r="1"/><circle cx="19" cy="21" r="1"/><path d="M2.05 2.05h2l2.66 12.42a2 2 0 0 0 2 1.58h9.78a2 2 0 0 0 1.95-1.57l1.65-7.43H5.12"/>"#
            }
            Self::Check => r#"<circle cx="12" cy="12" r="10"/><path d="m9 12 2 2 4-4"/>"#,
            Self::Chevron => r#"<path d="m6 9 6 6 6-6"/>"#,
            Self::Close => r#"<path d="M18 6 6 18M6 6l12 12"/>"#,
            Self::Cross => r#"<circle cx="12" cy="12" r="10"/><path d="m15 9-6 6M9 9l6 6"/>"#,
            Self::Screen => r#"<rect width="20" height="14" x="2" y="3" rx="2"/><path d="M8 21h8M12 17v4"/>"#,
            Self::Menu => r#"<path d="M4 12h16M4 6h16M4 18h16"/>"#,
            Self::Moon => r#"<path d="M12 3a6 6 0 0 0 9 9 9 9 0 1 1-9-9Z"/>"#,
            Self::Return => r#"<path d="M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8"/><path d="M3 3v5h5"/>"#,
            Self::Sun => {
                r#"<circle cx="12" cy="12" r="4"/><path d="M12 2v2M12 20v2m-7.07-17.07 1.41 1.41m11.32 11.32 1.41 1.41M2 12h2m16 0h2M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41"/>"#
            }
            Self::Truck => {
                r#"<path d="M14 18V6a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2v11a1 1 0 0 0 1 1h2m10 0H9m10 0h2a1 1 0 0 0 1-1v-3.65a1 1 0 0 0-.22-.624l-3.48-4.35A1 1 0 0 0 17.52 8H14"/><circle cx="17" cy="18" r="2"/><circle cx="7" cy="18" r="2"/>"#
            }
            Self::Warning => {
                r#"<path d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3ZM12 9v4M12 17h.01"/>"#
            }
            Self::ZoomIn => r#"<circle cx="11" cy="11" r="8"/><path d="m21 21-4.35-4.35M11 8v6M8 11h6"/>"#,
            Self::ZoomOut => r#"<circle cx="11" cy="11" r="8"/><path d="m21 21-4.35-4.35M8 11h6"/>"#,
        }
    }
}

/// A decorative icon, hidden from screen readers: the text beside it says the same.
pub fn icon(icon: Icon, class: &'static str) -> AnyView {
    view! {
        <svg
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
            class=class
            inner_html=icon.path_data()
        ></svg>
    }
    .into_any()
}
