//! What every view shares.

pub mod classes;
mod dress;
mod follow;
#[cfg(not(target_arch = "wasm32"))]
mod html;
mod icon;
mod listener;
mod one_line;
mod part;
mod props;
mod sample;
mod scene;
mod state;
mod still;

pub use dress::{Dress, Medium};
pub use follow::{Word, changing, text, truth, word};
#[cfg(not(target_arch = "wasm32"))]
pub use html::{html, without_hydration_markers};
pub use icon::{Icon, icon};
pub use listener::Listener;
pub use one_line::one_line;
pub use part::{Part, part, row};
pub use props::Props;
pub use sample::{SAMPLE_SCHEDULE, sample_file};
pub use scene::{Lamp, Scene, drawing, drawing_paints, drawn_light};
pub use state::State;
pub use still::still;
