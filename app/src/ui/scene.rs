//! The drawn light: one drawing in three surroundings. It is the picture of every product, the hero of the home page,
//! and, rendered to pixels, what a link preview shows.

use std::sync::OnceLock;

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::LampColour;

use super::follow::{Word, word};
use super::part::{Part, part};
use super::still::still;

const START: &str =
    r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 360" preserveAspectRatio="xMidYMid slice">"#;
const NIGHT: &str = include_str!("scene/night.svg");
const FRONT: &str = include_str!("scene/front.svg");
const LAPTOP: &str = include_str!("scene/laptop.svg");
const SHELF: &str = include_str!("scene/shelf.svg");

/// What the lamp does. The stylesheet dims and blinks it; a picture without a stylesheet shows it lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Lamp {
    Off,
    On,
    Blink,
}

wasm_core::from_js!(
    enum Lamp {
        Off = "off",
        On = "on",
        Blink = "blink",
    }
);

impl Lamp {
    /// A lamp that does nothing else.
    #[must_use]
    pub fn still(self) -> Word {
        word(move || Some(self.word()))
    }

    /// As the stylesheet knows it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Blink => "blink",
        }
    }
}

/// Where the light is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// By itself.
    Front,
    /// In the port of a laptop.
    Laptop,
    /// On a shelf, at night.
    Shelf,
}

impl Scene {
    pub const ALL: [Self; 3] = [Self::Front, Self::Laptop, Self::Shelf];

    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Front => "The light",
            Self::Laptop => "In a laptop",
            Self::Shelf => "On a shelf at night",
        }
    }

    const fn strokes(self) -> &'static str {
        match self {
            Self::Front => FRONT,
            Self::Laptop => LAPTOP,
            Self::Shelf => SHELF,
        }
    }
}

/// The drawing in a page. `label` is what is read out; without one it is decoration.
pub fn drawn_light(scene: Scene, colour: LampColour, lamp: Word, label: Option<String>) -> impl Part {
    let (role, hidden) = (label.is_some().then_some("img"), label.is_none().then_some("true"));
    part(view! {
        <span class="device" role=role aria-label=label aria-hidden=hidden data-lamp=lamp>
            {still(drawing(scene, colour))}
        </span>
    })
}

/// The drawing itself, as SVG. Each is painted once in each colour.
pub fn drawing(scene: Scene, colour: LampColour) -> &'static str {
    static KEPT: [[OnceLock<String>; LampColour::ALL.len()]; Scene::ALL.len()] =
        [const { [const { OnceLock::new() }; LampColour::ALL.len()] }; Scene::ALL.len()];
    KEPT[scene as usize][colour as usize].get_or_init(|| paint(scene, colour))
}

/// In a drawing `@` stands for the colour's six digits. Gradients are found by id in the whole document, so that each
/// colour has ids of its own.
fn paint(scene: Scene, colour: LampColour) -> String {
    let digits = colour.css().trim_start_matches('#');
    let drawing = [START, NIGHT, scene.strokes(), "</svg>"].concat();
    drawing.split('@').collect::<Vec<_>>().join(digits)
}
