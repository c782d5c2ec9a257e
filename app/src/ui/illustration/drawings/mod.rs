//! Drawings of all forms, as SVG files: only the server has them, the browser shows them by URL.
//!
//! A file consists of gradients, the device and a scene, which refer to each other by id. `@` stands for the six hex
//! digits of the lamp's color, `$place` for the device's place in the scene.

mod dimensions;
mod hand;
mod outline;

use wasm_core::catalog::{DeviceForm, LampColor, Product};

use super::{DrawingView, GRADIENTS, LAMP_GRADIENTS, STICK, STICK_GLOW, STICK_ON_SHELF, colored, in_room, on_shelf};

const FILE: &str = r#"viewBox="0 0 480 360""#;
const DEFINITIONS: &str = include_str!("gradients.svg");
const PLUG: &str = concat!(r#"<g id="plug">"#, include_str!("../plug.svg"), "</g>");

/// Bitmap for those who show no SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bitmap {
    /// Of a link, in messages and social networks.
    LinkPreview,
    /// For product feeds.
    Square,
    /// Beside an item in an email: 64 pixels wide, at twice the resolution.
    Email,
}

impl Bitmap {
    /// Width and height in pixels.
    #[must_use]
    pub const fn size(self) -> (u32, u32) {
        match self {
            Self::LinkPreview => (1200, 630),
            Self::Square => (1200, 1200),
            Self::Email => (128, 128),
        }
    }

    /// The part of the front view that fills it. The background continues at both sides of the drawing.
    const fn view_box(self) -> &'static str {
        match self {
            Self::LinkPreview => "-102.857 0 685.714 360",
            Self::Square => "60 0 360 360",
            Self::Email => "72 22 336 336",
        }
    }
}

/// The product's drawing in this view, as an SVG file; `None` for one to scale of a product without
/// dimensions.
#[must_use]
pub fn drawing(product: &Product, view: DrawingView) -> Option<String> {
    let (form, color) = (product.form, product.lamp_color);
    match view {
        DrawingView::Front => Some(svg_file(FILE, form, &front(form), color)),
        DrawingView::InUse => Some(svg_file(FILE, form, in_use(form), color)),
        DrawingView::Shelf => Some(svg_file(FILE, form, &shelf(form), color)),
        DrawingView::Hand => hand::beside_hand(product),
        DrawingView::Dimensions => dimensions::technical_drawing(product),
    }
}

/// The front view as an SVG of the bitmap's size.
#[must_use]
pub fn bitmap_source(form: DeviceForm, color: LampColor, bitmap: Bitmap) -> String {
    let ((width, height), view_box) = (bitmap.size(), bitmap.view_box());
    let frame = format!(r#"width="{width}" height="{height}" viewBox="{view_box}""#);
    let scene = match bitmap {
        Bitmap::LinkPreview | Bitmap::Square => front(form),
        // A plain background makes the file smaller.
        Bitmap::Email => include_str!("thumbnail.svg").replace("$place", front_place(form)),
    };
    svg_file(&frame, form, &scene, color)
}

fn svg_file(frame: &str, form: DeviceForm, scene: &str, color: LampColor) -> String {
    let open = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" {frame}><defs>"#);
    let device = format!(r#"<g id="glow-air">{}</g><g id="device">{}</g></defs>"#, glow(form), device(form));
    colored(&[&open, GRADIENTS, LAMP_GRADIENTS, DEFINITIONS, PLUG, &device, scene, "</svg>"].concat(), color)
}

fn front(form: DeviceForm) -> String {
    let scene = match form {
        DeviceForm::Halo => include_str!("front_halo.svg"),
        DeviceForm::Stick | DeviceForm::Mini | DeviceForm::Duo => include_str!("front.svg"),
    };
    scene.replace("$place", front_place(form))
}

const fn device(form: DeviceForm) -> &'static str {
    match form {
        DeviceForm::Stick => STICK,
        DeviceForm::Mini => include_str!("mini.svg"),
        DeviceForm::Duo => include_str!("duo.svg"),
        DeviceForm::Halo => include_str!("halo.svg"),
    }
}

/// The light in the air around the device.
const fn glow(form: DeviceForm) -> &'static str {
    match form {
        DeviceForm::Stick => STICK_GLOW,
        DeviceForm::Mini => r#"<circle cy="-36" r="230" fill="url(#glow-@)"/>"#,
        DeviceForm::Duo => {
            r#"<g fill="url(#glow-@)" opacity=".72"><circle cx="-60" cy="-168" r="300"/><circle cx="60" cy="-168" r="300"/></g>"#
        }
        DeviceForm::Halo => r#"<circle r="430" fill="url(#ring-glow)"/>"#,
    }
}

const fn front_place(form: DeviceForm) -> &'static str {
    match form {
        DeviceForm::Stick => "translate(240 241)",
        DeviceForm::Mini => "translate(240 204)scale(1.5)",
        DeviceForm::Duo => "translate(240 247)scale(.92)",
        DeviceForm::Halo => "translate(240 188)scale(.61)",
    }
}

/// Sticks are in a laptop, a halo is on the wall beside a bed.
const fn in_use(form: DeviceForm) -> &'static str {
    match form {
        DeviceForm::Halo => include_str!("in_use_halo.svg"),
        DeviceForm::Stick | DeviceForm::Mini | DeviceForm::Duo => include_str!("in_use.svg"),
    }
}

fn shelf(form: DeviceForm) -> String {
    let scale = match form {
        DeviceForm::Halo => return in_room(include_str!("shelf_halo.svg")),
        DeviceForm::Stick => STICK_ON_SHELF,
        DeviceForm::Mini => ".62",
        DeviceForm::Duo => ".48",
    };
    on_shelf(r##"<use href="#device"/>"##, r##"<use href="#glow-air"/>"##, scale)
}
