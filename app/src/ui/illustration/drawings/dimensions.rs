//! Technical drawing: two side views to scale with their measurements, beside a coin.

use wasm_core::catalog::{DeviceForm, Dimensions, Product};

use super::super::colored;
use super::outline::{Outline, plan_view, side_view};

/// The paper, in tenths of the other drawings' units, so that integers are precise enough.
const PAPER: (i64, i64) = (4800, 3600);
/// Diameter of a US quarter, in hundredths of a millimeter.
const QUARTER: i64 = 2426;
const MARGIN: i64 = 260;
/// Between a view and the text of its measurement.
const OFFSET: i64 = 150;
const TEXT_WIDTH: i64 = 640;
const ABOVE: i64 = 470;
const BETWEEN: i64 = 430;
const BELOW: i64 = 330;
/// A piece of cable, and the text at its end.
const CABLE: i64 = 240;
const CABLE_TEXT: i64 = 620;
/// Width of the coin's caption, and the least width of a coin that has room for its value.
const CAPTION: i64 = 660;
const READABLE: i64 = 300;

/// `None` without dimensions.
pub(super) fn technical_drawing(product: &Product) -> Option<String> {
    let sheet = Sheet::new(product, product.dimensions?);
    let svg = [
        include_str!("dimensions.svg"),
        &sheet.views(product.form),
        &sheet.measurements(),
        &sheet.cable(product.form),
        &sheet.coin(),
        "</svg>",
    ]
    .concat();
    Some(colored(&svg, product.lamp_color))
}

/// The places of all parts on the paper.
struct Sheet {
    dimensions: Dimensions,
    /// Size of the device on paper.
    length: i64,
    width: i64,
    height: i64,
    coin: i64,
    /// Top left corner of the upper view.
    left: i64,
    top: i64,
    cable: Option<i64>,
}

impl Sheet {
    fn new(product: &Product, dimensions: Dimensions) -> Self {
        let Dimensions { length_mm, width_mm, height_mm } = dimensions;
        let cable = product.cable_length_mm.filter(|_| product.form == DeviceForm::Halo);
        let before = MARGIN + if cable.is_some() { CABLE + CABLE_TEXT } else { 0 };
        let room = (PAPER.0 - before - OFFSET - TEXT_WIDTH - MARGIN, PAPER.1 - ABOVE - BETWEEN - BELOW);
        // Hundredths of a millimeter that have to fit: side by side, beside the caption, and one above the other.
        let across = (100 * length_mm + QUARTER, room.0);
        let beside_caption = (100 * length_mm, room.0 - CAPTION);
        let down = ((100 * (width_mm + height_mm)).max(QUARTER), room.1);
        let scaled = |hundredths: i64| {
            let sizes = [across, beside_caption, down].map(|(needed, room)| hundredths * room / needed);
            sizes[0].min(sizes[1]).min(sizes[2])
        };
        let (length, width, height, coin) =
            (scaled(100 * length_mm), scaled(100 * width_mm), scaled(100 * height_mm), scaled(QUARTER));
        let unused = (room.0 - length - coin.max(CAPTION), room.1 - width - height);
        let (left, top) = (before + unused.0 / 2, ABOVE + unused.1 / 2);
        Self { dimensions, length, width, height, coin, left, top, cable }
    }

    const fn right(&self) -> i64 {
        self.left + self.length
    }

    /// Top of the lower view.
    const fn lower(&self) -> i64 {
        self.top + self.width + BETWEEN
    }

    fn views(&self, form: DeviceForm) -> String {
        let outline = |across, thickness| Outline { form, length: self.length, across, thickness };
        let upper = plan_view(&outline(self.width, self.width));
        let lower = side_view(&outline(self.height, self.width));
        let place = |top, view| format!(r#"<g transform="translate({} {top})">{view}</g>"#, self.left);
        [place(self.top, upper), place(self.lower(), lower)].concat()
    }

    fn measurements(&self) -> String {
        let Dimensions { length_mm, width_mm, height_mm } = self.dimensions;
        let (left, right, top) = (self.left, self.right(), self.top);
        let line = top - OFFSET;
        let middle = left + self.length / 2;
        let length = format!(
            r#"<path class="thin" d="M{left} {}V{}M{right} {0}V{1}"/><path class="arrows" d="M{left} {line}H{right}"/><text x="{middle}" y="{}" text-anchor="middle">{}</text>"#,
            top - 40,
            line - 60,
            line - 70,
            lengths(length_mm).join(" · "),
        );
        [length, self.height_of(top, self.width, width_mm), self.height_of(self.lower(), self.height, height_mm)]
            .concat()
    }

    /// A vertical measurement at the right of a view.
    fn height_of(&self, top: i64, height: i64, millimeters: i64) -> String {
        let (start, line, bottom) = (self.right() + 40, self.right() + OFFSET, top + height);
        let (text, middle) = (line + 70, top + height / 2);
        let [metric, inches] = lengths(millimeters);
        format!(
            r#"<path class="thin" d="M{start} {top}H{}M{start} {bottom}H{0}"/><path class="arrows" d="M{line} {top}V{bottom}"/><text x="{text}" y="{}">{metric}</text><text x="{text}" y="{}">{inches}</text>"#,
            line + 60,
            middle - 20,
            middle + 150,
        )
    }

    fn cable(&self, form: DeviceForm) -> String {
        let (Some(cable), DeviceForm::Halo) = (self.cable, form) else { return String::new() };
        let (end, middle) = (self.left - CABLE, self.top + self.width / 2);
        let [metric, inches] = lengths(cable);
        let line = |offset: i64, text: &str| {
            format!(r#"<text x="{}" y="{}" text-anchor="end" class="note">{text}</text>"#, end - 70, middle + offset)
        };
        let piece = format!(
            r#"<path class="cable" d="M{} {middle}H{end}"/><path class="thin" d="M{} {}l40 80l-40 80l40 80"/>"#,
            self.left,
            end - 20,
            middle - 120,
        );
        [piece, line(-100, "Cable"), line(50, &metric), line(200, &inches)].concat()
    }

    fn coin(&self) -> String {
        let radius = self.coin / 2;
        let x = self.right() + OFFSET + TEXT_WIDTH + radius.max(CAPTION / 2);
        let y = (self.top + self.width / 2).max(radius + MARGIN);
        let text = |offset: i64, attributes: &str, text: &str| {
            format!(r#"<text x="{x}" y="{}" text-anchor="middle" {attributes}>{text}</text>"#, y + offset)
        };
        let circles = format!(
            r#"<circle class="coin" cx="{x}" cy="{y}" r="{radius}"/><circle class="rim" cx="{x}" cy="{y}" r="{}"/>"#,
            radius * 9 / 10,
        );
        let size = format!(r#"class="value" style="font-size:{}px""#, radius * 3 / 5);
        let value = if self.coin < READABLE { String::new() } else { text(radius / 5, &size, "25¢") };
        let (caption, note) = (radius + 190, r#"class="note""#);
        [circles, value, text(caption, note, "US quarter"), text(caption + 140, note, "24.26 mm")].concat()
    }
}

/// A length in millimeters and in inches.
fn lengths(millimeters: i64) -> [String; 2] {
    // An inch is 25.4 mm. Rounded to hundredths.
    let hundredths = (millimeters * 1000 + 127) / 254;
    [format!("{millimeters} mm"), format!("{}.{:02} in", hundredths / 100, hundredths % 100)]
}
