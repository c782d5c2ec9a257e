//! The pages that are text, as data: one view shows them all.

use serde::Serialize;

use crate::ui::{SAMPLE_SCHEDULE, Scene};

/// Which text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub enum Text {
    About,
    Tutorial,
    Contact,
    Privacy,
    Terms,
    ShippingAndReturns,
}

/// A part of a line.
pub(super) enum Word {
    Say(&'static str),
    Link(&'static str, &'static str),
    /// As it is typed.
    Code(&'static str),
    Shop,
    SupportEmail,
}

pub(super) type Line = &'static [Word];

pub(super) enum Block {
    Heading(&'static str),
    Say(Line),
    List(&'static [Line]),
    Steps(&'static [Line]),
    File(&'static str),
    Picture(Scene),
    /// The services this shop uses, if it uses any.
    Services,
    /// The light's program, if this shop offers it.
    Firmware,
}

use Block::{File, Firmware, Heading, List, Picture, Services, Steps};
use Word::{Code, Link, Say, Shop, SupportEmail};

impl Text {
    pub const ALL: [Self; 6] =
        [Self::About, Self::Tutorial, Self::Contact, Self::Privacy, Self::Terms, Self::ShippingAndReturns];

    /// The heading, before the shop's name where it ends with that.
    pub(super) const fn heading(self) -> (&'static str, Option<Word>) {
        match self {
            Self::About => ("About ", Some(Shop)),
            Self::Tutorial => ("Setup Tutorial", None),
            Self::Contact => ("Contact", None),
            Self::Privacy => ("Privacy", None),
            Self::Terms => ("Terms", None),
            Self::ShippingAndReturns => ("Shipping and Returns", None),
        }
    }

    /// The heading in full.
    #[must_use]
    pub fn title(self, shop_name: &str) -> String {
        match self.heading() {
            (start, Some(_)) => format!("{start}{shop_name}"),
            (title, None) => title.to_owned(),
        }
    }

    /// What a search engine says about the page.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::About => {
                "A small light that lives in a USB port and turns on or blinks at the times you gave it. How it works, and what it is for."
            }
            Self::Tutorial => {
                "How the light is set up, in three steps: plug it in, write your times into its text file, save."
            }
            Self::Contact => "How to reach us with a question about a light or an order.",
            Self::Privacy => {
                "What we keep, what stays in your browser, who else sees something, and how to have it removed."
            }
            Self::Terms => "Prices, the contract, defects, and what happens if we cannot deliver.",
            Self::ShippingAndReturns => {
                "What shipping to the United States and Canada costs, how long you can send a light back, and how."
            }
        }
    }

    pub(super) const fn blocks(self) -> &'static [Block] {
        match self {
            Self::About => ABOUT,
            Self::Tutorial => TUTORIAL,
            Self::Contact => CONTACT,
            Self::Privacy => PRIVACY,
            Self::Terms => TERMS,
            Self::ShippingAndReturns => SHIPPING_AND_RETURNS,
        }
    }
}

const ABOUT: &[Block] = &[
    Block::Say(&[
        Shop,
        Say(
            " is a small light that lives in a USB port. It turns on or blinks at the times you gave it: to take a pill, to stand up, to leave for the train. No app, no account, no sound.",
        ),
    ]),
    Picture(Scene::Laptop),
    Heading("How it works"),
    Steps(&[
        &[Say("Plug it in. It appears as a USB drive with one text file on it.")],
        &[Say("Write your times into that file, in plain words, and save it.")],
        &[Say("The light joins your wifi, asks for the time, and does what the file says.")],
    ]),
    Block::Say(&[Say("The "), Link("/tutorial", "setup tutorial"), Say(" shows each step.")]),
    Heading("Why a light"),
    Block::Say(&[Say(
        "A sound asks for an answer at once, and a message waits behind a screen. A light is simply there: you see it when you look up, and nobody else in the room has to.",
    )]),
    Heading("Where to go from here"),
    Block::Say(&[
        Say("See "),
        Link("/products", "our products"),
        Say(", or "),
        Link("/contact", "contact us"),
        Say(" with a question."),
    ]),
];

const TUTORIAL: &[Block] = &[
    Heading("1. Plug it in"),
    Block::Say(&[
        Say("Put "),
        Shop,
        Say(" into a USB port of your computer. A drive appears, with a file named SCHEDULE.TXT on it."),
    ]),
    Picture(Scene::Laptop),
    Heading("2. Write your schedule"),
    Block::Say(&[Say(
        "Open the file with any text editor. Give it your wifi, its password and your time zone, then one line for each thing the light should do:",
    )]),
    File(SAMPLE_SCHEDULE),
    Block::Say(&[
        Say("A line says what to do ("),
        Code("on"),
        Say(", "),
        Code("blink"),
        Say(" or "),
        Code("off"),
        Say("), when, on which days, and how bright or how fast. Where two lines meet, the lower one wins."),
    ]),
    List(&[
        &[Code("on 18:00-23:00"), Say(" is lit every evening from six to eleven.")],
        &[Code("blink 09:00 for 30s weekdays fast"), Say(" blinks for half a minute when work begins.")],
        &[Code("blink every 30m 09:00-17:00 for 10s"), Say(" reminds you to stand up, twice an hour.")],
        &[Code("off 22:00-06:30"), Say(", below all others, keeps the night dark.")],
    ]),
    Block::Say(&[
        Say("You can try every line in the "),
        Link("#lab", "Schedule Lab"),
        Say(" below, before you save it on the light."),
    ]),
    Heading("3. Save it"),
    Block::Say(&[Say(
        "Save the file and eject the drive. The light blinks three times when it has taken up your schedule, joins your wifi to ask for the time, and from then on needs nothing but power.",
    )]),
    Picture(Scene::Shelf),
    Firmware,
];

const CONTACT: &[Block] = &[
    Block::Say(&[
        Say("Write to "),
        SupportEmail,
        Say(". A person reads it and answers, most often within one working day."),
    ]),
    Block::Say(&[Say(
        "If it is about an order, please tell us its number: it is on the order’s page and in your receipt.",
    )]),
    Block::Say(&[
        Say("The "),
        Link("/tutorial", "setup tutorial"),
        Say(" answers most questions about the light, and "),
        Link("/shipping-and-returns", "shipping and returns"),
        Say(" those about the parcel."),
    ]),
];

const PRIVACY: &[Block] = &[
    Block::Say(&[Say("We keep what we need to send you a light, and nothing else.")]),
    Heading("What we keep"),
    List(&[
        &[Say("Your email, and your password in a form that can’t be turned back.")],
        &[Say("Your orders: what you bought, where it went, what it cost.")],
        &[Say("Which pages are looked at, counted without cookies and without your name.")],
    ]),
    Heading("What stays in your browser"),
    Block::Say(&[Say(
        "Your cart, your log-in, payments whose order you have not seen yet, and the colors you chose. Logging out \
         removes the log-in.",
    )]),
    Heading("Who else sees something"),
    Block::Say(&[Say("The payment provider sees your card; we never do. The carrier sees the address on the parcel.")]),
    Services,
    Heading("Your choice"),
    Block::Say(&[
        Say("Write to "),
        SupportEmail,
        Say(" to see what we keep about you, to have it corrected, or to have it removed."),
    ]),
];

const TERMS: &[Block] = &[
    Heading("Buying"),
    Block::Say(&[Say(
        "Prices are in US dollars, without tax and shipping; the checkout shows both before you pay. We have a contract once your payment has gone through. We ship to the United States and to Canada.",
    )]),
    Heading("If we can’t deliver"),
    Block::Say(&[Say(
        "If something you paid for turns out to be gone, you get all of your money back, and a mail that says so.",
    )]),
    Heading("If something is wrong"),
    Block::Say(&[
        Shop,
        Say(" is covered for one year against defects. See "),
        Link("/shipping-and-returns", "shipping and returns"),
        Say(", or write to "),
        SupportEmail,
        Say("."),
    ]),
];

const SHIPPING_AND_RETURNS: &[Block] = &[
    Heading("Shipping"),
    Block::Say(&[Say(
        "We ship to the United States and to Canada. Shipping goes by the weight of the whole order; your cart shows what it costs before you log in. You get a mail with a tracking number when the parcel leaves.",
    )]),
    Block::Say(&[Say("For parcels to Canada duties may apply; they are collected when the parcel arrives.")]),
    Heading("Returns"),
    Block::Say(&[
        Say("Send a light back within 30 days and we return what you paid for it. Write to "),
        SupportEmail,
        Say(" first, so that we can send you the address."),
    ]),
];
