//! The room around the light at a time of day.

use serde::Serialize;

/// A part of the day: what is seen through the window of the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Daypart {
    Sunrise,
    Day,
    Dusk,
    Night,
}

impl Daypart {
    pub const ALL: [Self; 4] = [Self::Sunrise, Self::Day, Self::Dusk, Self::Night];

    /// The value in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sunrise => "sunrise",
            Self::Day => "day",
            Self::Dusk => "dusk",
            Self::Night => "night",
        }
    }

    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Sunrise => "Sunrise",
            Self::Day => "Day",
            Self::Dusk => "Dusk",
            Self::Night => "Night",
        }
    }

    /// The part of the day at an hour from 0 to 23.
    #[must_use]
    pub const fn at(hour: u32) -> Self {
        match hour {
            5..=7 => Self::Sunrise,
            8..=16 => Self::Day,
            17..=19 => Self::Dusk,
            _ => Self::Night,
        }
    }

    /// Paints the scene of the room, which is drawn at night.
    pub(super) fn paint(self, scene: &str) -> String {
        let Some(light) = self.light() else { return scene.to_owned() };
        let colors = light.split_once('\n').map_or(("", ""), |(gradients, air)| (gradients, air));
        let scene = ["wall", "sky"].iter().fold(scene.to_owned(), |scene, name| {
            scene.replace(&format!("url(#{name})"), &format!("url(#{name}-{})", self.as_str()))
        });
        let scene = scene.replace("class=\"stars\"", "class=\"stars\" opacity=\"0\"");
        format!("<defs>{}</defs>{scene}{}", colors.0, colors.1)
    }

    /// The gradients of wall and sky in the first line, and the light in the room in the second.
    const fn light(self) -> Option<&'static str> {
        match self {
            Self::Sunrise => Some(include_str!("sunrise.svg")),
            Self::Day => Some(include_str!("day.svg")),
            Self::Dusk => Some(include_str!("dusk.svg")),
            Self::Night => None,
        }
    }
}
