//! The light on a USB port: its report explained, and the file that is saved to it.
//!
//! | module | contents |
//! |---|---|
//! | `report` | `STATUS.TXT` in plain words, each problem with a fix |
//! | `file` | the schedule with the light's settings, and what is wrong with it |
//! | `manual` | the lamp's signals and the files, below the Lab |
//! | `bindings` | the functions for the shell, in the package of the Lab |

#[cfg(target_arch = "wasm32")]
mod bindings;
mod file;
mod manual;
mod report;

pub use file::{FileForLight, LightSettings, Setting, SettingProblem, file_for_light, settings_of};
pub(crate) use manual::light_manual;
pub use report::{LightReport, Statement, Tone, read_report};
