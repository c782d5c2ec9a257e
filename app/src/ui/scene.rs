//! The drawn light: one drawing in three surroundings. It is the picture of every product, the hero of the home page,
//! and, rendered to pixels, what a link preview shows.

use std::sync::{LazyLock, OnceLock};

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::LampColor;

use super::follow::{Word, word};
use super::part::{Part, part};
use super::still::still;

const START: &str =
    r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 360" preserveAspectRatio="xMidYMid slice">"#;
const NIGHT: &str = r#"<rect width="480" height="360" fill="url(#night)"/>"#;
/// Gradients of every drawing, and those of one lamp color: `@` stands for the color's six digits.
const PAINTS: &str = include_str!("scene/paints.svg");
const LAMP_PAINTS: &str = include_str!("scene/lamp_paints.svg");
const FRONT: &str = include_str!("scene/front.svg");
const LAPTOP: &str = include_str!("scene/laptop.svg");
const SHELF: &str = include_str!("scene/shelf.svg");

/// What the lamp does. The stylesheet dims and blinks it; a picture without a stylesheet shows it lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Lamp {
    Off,
    On,
    Blink,
}

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

/// The drawing in a page, which takes its gradients from [`drawing_paints`]. `label` is what is read out; without one it is decoration.
pub fn drawn_light(scene: Scene, colour: LampColor, lamp: Word, label: Option<String>) -> impl Part {
    let (role, hidden) = (label.is_some().then_some("img"), label.is_none().then_some("true"));
    part(view! {
        <span class="device" role=role aria-label=label aria-hidden=hidden data-lamp=lamp>
            {still(inline_drawing(scene, colour))}
        </span>
    })
}

/// The gradients that every drawing in a page refers to by id. A document holds them once: the footer brings them.
/// The element is not `display: none`, which would disable its gradients in some browsers.
pub fn drawing_paints() -> impl Part {
    static SPRITE: LazyLock<String> = LazyLock::new(|| {
        let lamps = LampColor::ALL.map(|colour| colored(LAMP_PAINTS, colour)).concat();
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" class="absolute"><defs>{PAINTS}{lamps}</defs></svg>"#
        )
    });
    still(SPRITE.as_str())
}

/// The drawing as a file of its own, with its gradients.
#[must_use]
pub fn drawing(scene: Scene, colour: LampColor) -> String {
    let paints = ["<defs>", PAINTS, &colored(LAMP_PAINTS, colour), "</defs>"].concat();
    [START, &paints, NIGHT, &colored(scene.strokes(), colour), "</svg>"].concat()
}

/// The drawing without its gradients, for [`drawn_light`]. Each is painted once in each color.
fn inline_drawing(scene: Scene, colour: LampColor) -> &'static str {
    static KEPT: [[OnceLock<String>; LampColor::ALL.len()]; Scene::ALL.len()] =
        [const { [const { OnceLock::new() }; LampColor::ALL.len()] }; Scene::ALL.len()];
    KEPT[scene as usize][colour as usize]
        .get_or_init(|| [START, NIGHT, &colored(scene.strokes(), colour), "</svg>"].concat())
}

fn colored(template: &str, colour: LampColor) -> String {
    template.replace('@', colour.css().trim_start_matches('#'))
}
