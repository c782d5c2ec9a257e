//! Shared view helpers: icons, illustrations, styles and rendering to strings.

pub(crate) mod classes;
mod icon;
mod illustration;
#[cfg(not(target_arch = "wasm32"))]
mod render;
mod sample;
mod single_line;
mod styles;

pub use icon::{Icon, icon};
pub use illustration::{Illustration, Lamp, gradients, illustration, svg_file};
#[cfg(not(target_arch = "wasm32"))]
pub use render::{render_to_string, without_hydration_markers};
pub use sample::{SAMPLE_SCHEDULE, sample_file};
pub use single_line::single_line;
pub use styles::{Styles, Target};
