//! The illustrations of the light: one device in three settings. They are the product pictures, the hero of the home
//! page and, rasterized, the link preview.

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::LampColor;

const OPEN_SVG: &str =
    r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 360" preserveAspectRatio="xMidYMid slice">"#;
const BACKGROUND: &str = r#"<rect width="480" height="360" fill="url(#night)"/>"#;
/// Gradients of every illustration.
const GRADIENTS: &str = include_str!("gradients.svg");
/// Gradients of one lamp color: `@` stands for its six hex digits, here and in the illustrations.
const LAMP_GRADIENTS: &str = include_str!("lamp_gradients.svg");

/// What the lamp does. The stylesheet dims and blinks it; without a stylesheet it is lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Lamp {
    Off,
    On,
    Blink,
}

impl Lamp {
    /// The value of `data-lamp`, which the stylesheet selects by.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Blink => "blink",
        }
    }
}

/// The setting in which the light is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illustration {
    Front,
    Laptop,
    /// On a shelf, at night.
    Shelf,
}

impl Illustration {
    pub const ALL: [Self; 3] = [Self::Front, Self::Laptop, Self::Shelf];

    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Front => "The light",
            Self::Laptop => "In a laptop",
            Self::Shelf => "On a shelf at night",
        }
    }

    const fn template(self) -> &'static str {
        match self {
            Self::Front => include_str!("front.svg"),
            Self::Laptop => include_str!("laptop.svg"),
            Self::Shelf => include_str!("shelf.svg"),
        }
    }

    fn shapes(self, color: LampColor) -> String {
        [BACKGROUND, &colored(self.template(), color)].concat()
    }
}

/// An inline illustration, which refers to the [`gradients`] by id. Without a label it is decorative.
pub fn illustration(shown: Illustration, color: LampColor, lamp: Lamp, label: Option<String>) -> AnyView {
    let (role, hidden) = (label.is_some().then_some("img"), label.is_none().then_some("true"));
    view! {
        <span class="device" role=role aria-label=label aria-hidden=hidden data-lamp=lamp.as_str()>
            <svg viewBox="0 0 480 360" preserveAspectRatio="xMidYMid slice" inner_html=shown.shapes(color)></svg>
        </span>
    }
    .into_any()
}

/// The gradients of all inline illustrations. A document contains them once: the footer renders them. The element is
/// not `display: none`, which would disable its gradients in some browsers.
pub fn gradients() -> AnyView {
    let lamps = LampColor::ALL.map(|color| colored(LAMP_GRADIENTS, color)).concat();
    view! {
        <svg width="0" height="0" aria-hidden="true" class="absolute">
            <defs inner_html=[GRADIENTS, &lamps].concat()></defs>
        </svg>
    }
    .into_any()
}

/// The illustration as a standalone SVG file, with its gradients.
#[must_use]
pub fn svg_file(shown: Illustration, color: LampColor) -> String {
    let gradients = ["<defs>", GRADIENTS, &colored(LAMP_GRADIENTS, color), "</defs>"].concat();
    [OPEN_SVG, &gradients, &shown.shapes(color), "</svg>"].concat()
}

fn colored(template: &str, color: LampColor) -> String {
    template.replace('@', color.css().trim_start_matches('#'))
}
