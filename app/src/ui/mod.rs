//! What every view shares.

pub mod classes;
mod dress;
mod follow;
mod icon;
mod one_line;
mod props;
mod sample;
mod scene;
mod still;

pub use dress::{Dress, Medium};
pub use follow::{Word, changing, row, text, truth, word};
pub use icon::{Icon, icon};
pub use one_line::one_line;
pub use props::Props;
pub use sample::{SAMPLE_SCHEDULE, sample_file};
pub use scene::{Lamp, Scene, drawn_light};
pub use still::still;
