//! Shared view helpers: icons, illustrations, styles and rendering to strings.

pub(crate) mod classes;
mod empty_state;
mod icon;
mod illustration;
mod image;
mod photo;
#[cfg(feature = "ssr")]
mod qr_code;
#[cfg(not(target_arch = "wasm32"))]
mod render;
mod sample;
mod single_line;
mod styles;

pub use empty_state::{empty_state, unlit_light};
pub use icon::{Icon, icon};
#[cfg(not(target_arch = "wasm32"))]
pub use illustration::{Bitmap, bitmap_source, drawing};
pub use illustration::{
    Daypart, DrawingView, Illustration, Lamp, Level, drawing_src, gradients, illustration, live_illustration,
};
pub use image::{Image, Loading, image};
pub use photo::photo;
#[cfg(feature = "ssr")]
pub use qr_code::qr_code;
#[cfg(not(target_arch = "wasm32"))]
pub use render::{render_to_string, without_hydration_markers};
pub use sample::{SAMPLE_SCHEDULE, sample_file};
pub use single_line::single_line;
pub use styles::{Styles, Target};
