//! QR codes as SVG.

use qrcode::QrCode;
use qrcode::render::svg;

/// The code as an SVG element, without a quiet zone around it. A text too long for a code has none.
#[must_use]
pub fn qr_code(text: &str) -> Option<String> {
    let code = QrCode::new(text).ok()?;
    let svg = code.render::<svg::Color>().quiet_zone(false).min_dimensions(96, 96).build();
    // The XML declaration belongs to a file.
    svg.find("<svg").and_then(|start| svg.get(start..)).map(str::to_owned)
}
