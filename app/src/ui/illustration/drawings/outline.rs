//! Outlines of the forms in technical drawings.

use wasm_core::catalog::DeviceForm;

/// A view of a device in the drawing's units, with its length from left to right.
pub(super) struct Outline {
    pub form: DeviceForm,
    pub length: i64,
    /// Size from top to bottom in this view.
    pub across: i64,
    /// Width of the device, whichever side is shown.
    pub thickness: i64,
}

impl Outline {
    /// Length of the plug. A USB-A plug is 18.75 mm long; a short device has a shorter one.
    const fn plug(&self) -> i64 {
        match self.form {
            DeviceForm::Stick => self.length * 29 / 100,
            DeviceForm::Duo => self.length * 26 / 100,
            DeviceForm::Mini => self.length * 55 / 100,
            DeviceForm::Halo => 0,
        }
    }

    /// Length of the domes.
    fn dome(&self, width: i64) -> i64 {
        (width * 2 / 3).min((self.length - self.plug()) * 2 / 3)
    }
}

/// The device from above; a halo from the front.
pub(super) fn plan_view(outline: &Outline) -> String {
    match outline.form {
        DeviceForm::Stick | DeviceForm::Mini => {
            [plug(outline, outline.across / 2), stick(outline, outline.dome(outline.across))].concat()
        }
        DeviceForm::Duo => [plug(outline, outline.across / 4), fork(outline)].concat(),
        DeviceForm::Halo => ring(outline),
    }
}

/// The device from the side.
pub(super) fn side_view(outline: &Outline) -> String {
    match outline.form {
        DeviceForm::Stick | DeviceForm::Mini => {
            [plug(outline, outline.across / 3), stick(outline, outline.dome(outline.thickness))].concat()
        }
        DeviceForm::Duo => {
            [plug(outline, outline.across / 3), stick(outline, outline.dome(outline.thickness * 11 / 26))].concat()
        }
        DeviceForm::Halo => ring_from_the_side(outline),
    }
}

fn plug(outline: &Outline, width: i64) -> String {
    let (plug, top) = (outline.plug(), (outline.across - width) / 2);
    format!(
        r#"<rect class="metal" y="{top}" width="{plug}" height="{width}" rx="12"/><path class="thin" d="M{} {top}v{width}"/>"#,
        plug * 4 / 5
    )
}

/// A body with a round end.
fn stick(outline: &Outline, dome: i64) -> String {
    let Outline { length, across, .. } = *outline;
    let (start, seam, half) = (outline.plug(), length - dome, across / 2);
    let (corner, round) = (across / 5, dome * 3 / 4);
    let straight = dome - round;
    let rest = across - 2 * half;
    format!(
        r#"<path class="shell" d="M{} 0H{seam}V{across}H{0}a{corner} {corner} 0 0 1-{corner}-{corner}V{corner}a{corner} {corner} 0 0 1 {corner}-{corner}z"/><path class="lamp" d="M{seam} 0h{straight}a{round} {half} 0 0 1 {round} {half}v{rest}a{round} {half} 0 0 1-{round} {half}h-{straight}z"/>"#,
        start + corner,
    )
}

/// A body with two domes.
fn fork(outline: &Outline) -> String {
    let Outline { length, across, .. } = *outline;
    let (start, prong) = (outline.plug(), across * 11 / 26);
    let gap = across - 2 * prong;
    let dome = outline.dome(prong);
    let (seam, round, corner) = (length - dome, dome * 3 / 4, across * 2 / 5);
    let (bend, reach) = ((length - start).min(corner), (seam - start).min(gap) / 2);
    let (inner, straight, half) = (prong + gap, dome - round, prong / 2);
    let turn = start + bend;
    let lamp = |top: i64| {
        format!(
            r#"<path class="lamp" d="M{seam} {top}h{straight}a{round} {half} 0 0 1 {round} {half}a{round} {half} 0 0 1-{round} {half}h-{straight}z"/>"#
        )
    };
    let shell = format!(
        r#"<path class="shell" d="M{turn} 0H{seam}V{prong}h-{reach}a{0} {0} 0 0 0 0 {gap}h{reach}V{across}H{turn}a{bend} {corner} 0 0 1-{bend}-{corner}V{corner}a{bend} {corner} 0 0 1 {bend}-{corner}z"/>"#,
        gap / 2,
    );
    [shell, lamp(0), lamp(inner)].concat()
}

fn ring(outline: &Outline) -> String {
    let (x, y) = (outline.length / 2, outline.across / 2);
    let circle = |class: &str, percent: i64| {
        format!(r#"<ellipse class="{class}" cx="{x}" cy="{y}" rx="{}" ry="{}"/>"#, x * percent / 100, y * percent / 100)
    };
    let axes = format!(r#"<path class="axis" d="M{} {y}h{}M{x} {}v{}"/>"#, -80, 2 * x + 160, -80, 2 * y + 160);
    [circle("shell", 100), circle("lamp", 95), circle("shell", 76), circle("hole", 73), axes].concat()
}

fn ring_from_the_side(outline: &Outline) -> String {
    let Outline { length, across, .. } = *outline;
    let (corner, lamp) = (across / 3, across / 4);
    format!(
        r#"<rect class="shell" width="{length}" height="{across}" rx="{corner}"/><rect class="lamp" x="{}" width="{}" height="{lamp}"/>"#,
        length / 40,
        length * 19 / 20,
    )
}
