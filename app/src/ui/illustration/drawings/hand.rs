//! The device upright beside an open hand, to scale.

use wasm_core::catalog::{Dimensions, Product};

use super::super::colored;
use super::outline::{Outline, plan_view};

/// The paper of the technical drawing.
const PAPER: (i64, i64) = (4800, 3600);
/// Length of the hand in millimeters, between the means of women (181) and men (193). Source: 2012 Anthropometric Survey
/// of U.S. Army Personnel, NATICK/TR-15/007, hand length.
const HAND_LENGTH: i64 = 187;
/// Width of the hand with its thumb, in millimeters.
const HAND_WIDTH: i64 = 124;
/// From the middle of the palm to the left edge of the thumb, in millimeters.
const THUMB: i64 = 75;
/// Units of the hand's file per millimeter.
const UNITS: i64 = 10;
const MARGIN: i64 = 300;
const GAP: i64 = 500;
const CAPTION: i64 = 250;

/// `None` without dimensions.
pub(super) fn beside_hand(product: &Product) -> Option<String> {
    let Dimensions { length_mm, width_mm, .. } = product.dimensions?;
    let room = (PAPER.0 - 2 * MARGIN - GAP, PAPER.1 - 2 * MARGIN - CAPTION);
    let (wide, high) = (HAND_WIDTH + width_mm, HAND_LENGTH.max(length_mm));
    let scaled = |millimeters: i64| (millimeters * room.0 / wide).min(millimeters * room.1 / high);
    let (length, across, hand) = (scaled(length_mm), scaled(width_mm), scaled(HAND_WIDTH));
    let left = (PAPER.0 - hand - GAP - across) / 2;
    let bottom = PAPER.1 - MARGIN - CAPTION - (room.1 - scaled(high)) / 2;
    let device = plan_view(&Outline { form: product.form, length, across, thickness: across });
    let caption = |middle: i64, text: &str| {
        format!(r#"<text class="note" x="{middle}" y="{}" text-anchor="middle">{text}</text>"#, bottom + 220)
    };
    let svg = [
        include_str!("dimensions.svg").to_owned(),
        format!(
            r#"<g transform="translate({} {bottom})scale({})">{}</g>"#,
            left + scaled(THUMB),
            decimal(scaled(HAND_LENGTH), HAND_LENGTH * UNITS),
            include_str!("hand.svg"),
        ),
        format!(r#"<g transform="translate({} {bottom})rotate(-90)">{device}</g>"#, left + hand + GAP),
        caption(left + hand / 2, "Hand, 187 mm"),
        caption(left + hand + GAP + across / 2, &format!("{length_mm} mm")),
        "</svg>".to_owned(),
    ]
    .concat();
    Some(colored(&svg, product.lamp_color))
}

/// A quotient with three decimals.
fn decimal(dividend: i64, divisor: i64) -> String {
    let thousandths = dividend * 1000 / divisor;
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}
