//! Pictures of the lights. The illustrations are part of a page, so that the stylesheet can switch their lamp: one stick
//! in three settings. The drawings show each form in files of their own.

mod daypart;
mod drawing_view;
#[cfg(not(target_arch = "wasm32"))]
mod drawings;

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::LampColor;

pub use daypart::Daypart;
pub use drawing_view::{DrawingView, drawing_src};
#[cfg(not(target_arch = "wasm32"))]
pub use drawings::{Bitmap, bitmap_source, drawing};

const BACKGROUND: &str = r#"<rect width="480" height="360" fill="url(#night)"/>"#;
/// Gradients that no lamp colors.
const GRADIENTS: &str = include_str!("gradients.svg");
/// Gradients of one lamp color: `@` stands for its six hex digits, here and in the pictures.
const LAMP_GRADIENTS: &str = include_str!("lamp_gradients.svg");
/// The stick upright: 4 units are a millimeter, and the origin is where the plug begins.
const STICK: &str = concat!(include_str!("plug.svg"), include_str!("stick.svg"));
const STICK_GLOW: &str = r#"<circle cy="-132" r="330" fill="url(#glow-@)"/>"#;
const STICK_ON_SHELF: &str = ".5";

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

/// Brightness of the lamp in an illustration: a stylesheet has few levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Level {
    Faint,
    Low,
    Middle,
    #[default]
    Full,
}

impl Level {
    #[must_use]
    pub const fn of(percent: u8) -> Self {
        match percent {
            0..=10 => Self::Faint,
            11..=35 => Self::Low,
            36..=70 => Self::Middle,
            _ => Self::Full,
        }
    }

    /// The value of `data-level`, which the stylesheet selects by.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Faint => "faint",
            Self::Low => "low",
            Self::Middle => "middle",
            Self::Full => "full",
        }
    }
}

/// The setting in which the light is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illustration {
    Front,
    Laptop,
    /// On a shelf in a room.
    Shelf(Daypart),
}

impl Illustration {
    pub const ALL: [Self; 6] = [
        Self::Front,
        Self::Laptop,
        Self::Shelf(Daypart::Sunrise),
        Self::Shelf(Daypart::Day),
        Self::Shelf(Daypart::Dusk),
        Self::Shelf(Daypart::Night),
    ];

    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Front => "The light",
            Self::Laptop => "In a laptop",
            Self::Shelf(Daypart::Sunrise) => "On a shelf at sunrise",
            Self::Shelf(Daypart::Day) => "On a shelf by day",
            Self::Shelf(Daypart::Dusk) => "On a shelf at dusk",
            Self::Shelf(Daypart::Night) => "On a shelf at night",
        }
    }

    fn shapes(self, color: LampColor) -> String {
        let scene = match self {
            Self::Front => [BACKGROUND, &include_str!("front.svg").replace("$device", STICK)].concat(),
            Self::Laptop => [BACKGROUND, include_str!("laptop.svg")].concat(),
            Self::Shelf(daypart) => daypart.paint(&on_shelf(STICK, STICK_GLOW, STICK_ON_SHELF)),
        };
        colored(&scene, color)
    }
}

/// The shelf with a charger, in which the device is.
fn on_shelf(device: &str, glow: &str, scale: &str) -> String {
    in_room(include_str!("shelf.svg")).replace("$device", device).replace("$glow", glow).replace("$scale", scale)
}

/// The scene with what is around it, at night.
fn in_room(scene: &str) -> String {
    let parts = [
        ("$room", include_str!("room.svg")),
        ("$things", include_str!("things.svg")),
        ("$board", include_str!("board.svg")),
    ];
    parts.iter().fold(scene.to_owned(), |scene, (name, part)| scene.replace(name, part))
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

/// A decorative illustration whose lamp changes.
pub fn live_illustration(shown: Illustration, color: LampColor, lamp: Memo<Lamp>) -> AnyView {
    view! {
        <span class="device" aria-hidden="true" data-lamp=move || lamp.get().as_str()>
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

fn colored(template: &str, color: LampColor) -> String {
    template.replace('@', color.css().trim_start_matches('#'))
}
