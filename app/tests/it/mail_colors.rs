//! Colors of emails: each has a dark twin, and all text is readable on its background.

use std::collections::BTreeSet;

use crate::emails::{all, shop};
use crate::html::attributes;
use crate::orders::to_quebec;

/// The same in both themes: the logo, the picture's background with its alternative text, and the button's text, which
/// the button's own rule replaces.
const CONSTANT: [&str; 4] =
    ["background-color:#FFB020", "background-color:#1A1F37", ";color:#F2F0EA", ";color:#FBFAF7"];

/// Colors of text and of what is behind it.
const LIGHT: [(&str, &str); 8] = [
    ("#16181D", "#FFFFFF"),
    ("#16181D", "#FBFAF7"),
    ("#5D6270", "#FFFFFF"),
    ("#5D6270", "#FBFAF7"),
    ("#7A4B00", "#FFFFFF"),
    ("#7A4B00", "#FBFAF7"),
    ("#FBFAF7", "#16181D"),
    ("#F2F0EA", "#1A1F37"),
];
const DARK: [(&str, &str); 7] = [
    ("#F2F0EA", "#171B2E"),
    ("#F2F0EA", "#0F1220"),
    ("#A7ABBA", "#171B2E"),
    ("#A7ABBA", "#0F1220"),
    ("#FFD991", "#171B2E"),
    ("#16181D", "#FFC14D"),
    ("#F2F0EA", "#1A1F37"),
];

#[test]
fn every_color_of_a_mail_has_a_dark_twin() {
    for (name, mail) in all(&shop(), &to_quebec(), "Look here.") {
        let theme = mail.html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
        for used in attributes(&mail.html, "style").iter().flat_map(|style| colors(style)) {
            let is_replaced = theme.contains(&format!("[style*=\"{used}\"]"));
            assert!(is_replaced || CONSTANT.contains(&used.as_str()), "{name}: {used} in {theme}");
        }
        for color in DARK.iter().flat_map(|(text, behind)| [text, behind]).filter(|color| **color != "#1A1F37") {
            assert!(theme.contains(color), "{name}: {color} is not in {theme}");
        }
    }
}

/// Declarations of colors, as the dark theme selects them.
fn colors(style: &str) -> BTreeSet<String> {
    let declarations = style.split_inclusive('#').collect::<Vec<_>>();
    let pairs = declarations.windows(2).map(|pair| (pair[0], pair[1].get(..6).unwrap()));
    let found = pairs.map(|(before, digits)| {
        let property = ["background-color:#", "solid #", ";color:#"].into_iter().find(|end| before.ends_with(end));
        format!("{}{digits}", property.unwrap_or_else(|| panic!("a color that no rule can select: {style}")))
    });
    found.collect()
}

#[test]
fn text_is_readable_in_both_themes() {
    for (text, behind) in LIGHT.into_iter().chain(DARK) {
        let contrast = contrast(text, behind);
        assert!(contrast >= 4.5, "{text} on {behind}: {contrast}");
    }
}

/// Contrast ratio (WCAG 2.2).
#[expect(clippy::float_arithmetic, reason = "the formula is defined for real numbers")]
fn contrast(text: &str, behind: &str) -> f64 {
    let [first, second] = [text, behind].map(|color| luminance(color) + 0.05);
    first.max(second) / first.min(second)
}

#[expect(clippy::float_arithmetic, reason = "the formula is defined for real numbers")]
fn luminance(color: &str) -> f64 {
    let channel = |start: usize| {
        let value = f64::from(u8::from_str_radix(&color[start..start + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}
