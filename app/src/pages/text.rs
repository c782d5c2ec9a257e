//! The content of the text pages. One view renders them all.

use serde::Serialize;

use crate::ui::{Daypart, Illustration, SAMPLE_SCHEDULE};

/// A text page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Text {
    About,
    Tutorial,
    ScheduleLab,
    Contact,
    Privacy,
    Terms,
    ShippingAndReturns,
}

/// Inline content.
pub(super) enum Inline {
    Text(&'static str),
    Link(&'static str, &'static str),
    Code(&'static str),
    ShopName,
}

pub(super) type Line = &'static [Inline];

/// Block content.
pub(super) enum Block {
    Heading(&'static str),
    Paragraph(Line),
    List(&'static [Line]),
    Steps(&'static [Line]),
    File(&'static str),
    Picture(Illustration),
    /// The firmware download, if this shop offers it.
    Firmware,
}

use Block::{File, Firmware, Heading, List, Paragraph, Picture, Steps};
use Inline::{Code, Link, ShopName, Text as Plain};

impl Text {
    pub const ALL: [Self; 7] = [
        Self::About,
        Self::Tutorial,
        Self::ScheduleLab,
        Self::Contact,
        Self::Privacy,
        Self::Terms,
        Self::ShippingAndReturns,
    ];

    /// The heading, split before the shop's name if it ends with it.
    pub(super) const fn heading(self) -> (&'static str, Option<Inline>) {
        match self {
            Self::About => ("About ", Some(ShopName)),
            Self::Tutorial => ("Setup Tutorial", None),
            Self::ScheduleLab => ("Schedule Lab", None),
            Self::Contact => ("Contact", None),
            Self::Privacy => ("Privacy", None),
            Self::Terms => ("Terms", None),
            Self::ShippingAndReturns => ("Shipping and Returns", None),
        }
    }

    /// The page title.
    #[must_use]
    pub fn title(self, shop_name: &str) -> String {
        match self.heading() {
            (start, Some(_)) => format!("{start}{shop_name}"),
            (title, None) => title.to_owned(),
        }
    }

    /// The meta description.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::About => {
                "A small light for your USB port that turns on or blinks on your schedule. How it works, and what it’s for."
            }
            Self::Tutorial => {
                "Set up your light in three steps: plug it in, write your schedule in a text file, and save."
            }
            Self::ScheduleLab => {
                "Write a schedule for your light in plain text, fix mistakes as you type, and watch the light follow it."
            }
            Self::Contact => "How to contact us with a question about your light or your order.",
            Self::Privacy => {
                "What data we store, what stays in your browser, who we share data with, and how to have it deleted."
            }
            Self::Terms => "Prices, your contract with us, defects, and what happens if we can’t fulfill your order.",
            Self::ShippingAndReturns => {
                "What shipping to the United States and Canada costs, and how to return a light within 30 days."
            }
        }
    }

    pub(super) const fn blocks(self) -> &'static [Block] {
        match self {
            Self::About => ABOUT,
            Self::Tutorial => TUTORIAL,
            // The server has the texts of the policies.
            Self::ScheduleLab | Self::Contact | Self::Privacy | Self::Terms | Self::ShippingAndReturns => &[],
        }
    }
}

const ABOUT: &[Block] = &[
    Paragraph(&[
        ShopName,
        Plain(
            " is a small light for your USB port. It lights up when it’s time: to take your pill, to stand up, to catch your train. No app, no account, no sound.",
        ),
    ]),
    Picture(Illustration::Laptop),
    Heading("How it works"),
    Steps(&[
        &[Plain("Plug it in. It appears as a USB drive with one text file on it.")],
        &[Plain("Write your schedule in that file, in plain words, and save it.")],
        &[Plain("The light joins your Wi-Fi, gets the time, and follows your schedule.")],
    ]),
    Paragraph(&[Plain("The "), Link("/tutorial", "setup tutorial"), Plain(" walks you through each step.")]),
    Heading("Why a light"),
    Paragraph(&[Plain(
        "A sound interrupts, and a notification waits behind a screen. A light is simply there: you notice it when you look up, and it doesn’t bother the people around you.",
    )]),
    Heading("Next steps"),
    Paragraph(&[
        Plain("See "),
        Link("/products", "our products"),
        Plain(", or "),
        Link("/contact", "contact us"),
        Plain(" with a question."),
    ]),
];

const TUTORIAL: &[Block] = &[
    Heading("1. Plug it in"),
    Paragraph(&[
        Plain("Plug "),
        ShopName,
        Plain(" into a USB port on your computer. A drive appears, with a file named SCHEDULE.TXT on it."),
    ]),
    Picture(Illustration::Laptop),
    Heading("2. Write your schedule"),
    Paragraph(&[Plain(
        "Open the file in any text editor. Enter your Wi-Fi network, its password, and your time zone, then one line for each thing the light should do:",
    )]),
    File(SAMPLE_SCHEDULE),
    Paragraph(&[
        Plain("Each line says what to do ("),
        Code("on"),
        Plain(", "),
        Code("blink"),
        Plain(" or "),
        Code("off"),
        Plain("), when, on which days, and how bright or how fast. If two lines overlap, the lower one wins."),
    ]),
    List(&[
        &[Code("on 18:00-23:00"), Plain(" turns the light on every evening from six to eleven.")],
        &[Code("blink 09:00 for 30s weekdays fast"), Plain(" blinks for half a minute when work starts.")],
        &[Code("blink every 30m 09:00-17:00 for 10s"), Plain(" reminds you to stand up twice an hour.")],
        &[Code("off 22:00-06:30"), Plain(", as the last line, keeps the night dark.")],
    ]),
    Paragraph(&[
        Plain("You can try every line in the "),
        Link("#lab", "Schedule Lab"),
        Plain(" below before you save it on the light."),
    ]),
    Heading("3. Save it"),
    Paragraph(&[Plain(
        "Save the file and eject the drive, or press Save to My Light below. Three quick flashes confirm your schedule. Then the light joins your Wi-Fi to get the time. From then on, it needs only power.",
    )]),
    Picture(Illustration::Shelf(Daypart::Night)),
    Firmware,
];
