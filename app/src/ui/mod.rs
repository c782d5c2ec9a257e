//! What every view shares.

pub mod classes;
mod dress;
mod follow;
mod icon;
mod one_line;
mod sample;
mod scene;

pub use dress::{Dress, Medium};
pub use follow::{changing, here, row, text, truth, word};
pub use icon::{Icon, icon};
pub use one_line::one_line;
pub use sample::{SAMPLE_SCHEDULE, sample_file};
pub use scene::{Lamp, Scene, drawn_light};
