//! The Schedule Lab: write a schedule, see its problems, and preview the lamp.
//!
//! In the browser it is a package of its own (feature `lab`), loaded on demand.
//!
//! | modules | contents |
//! |---|---|
//! | `parsed_text`, `phrases`, `explain`, `completion`, `draft`, `share`, `describe`, `time_range`, `fast_forward`, `hero_lamp` | logic, without views |
//! | `state` | signals that the views share |
//! | `recipes` | ready-made schedules, with pages of their own |
//! | `lab`, `editor`, `problems`, `rule_form`, `lamp`, `timeline`, `reference` | views |
//! | `placeholder` | what the server renders in the Lab's place, with the `classes` that it shares |

mod classes;
mod completion;
mod describe;
mod draft;
mod editor;
mod examples;
mod explain;
mod fast_forward;
mod hero_lamp;
mod lab;
mod lamp;
#[cfg(target_arch = "wasm32")]
mod mount;
mod parsed_text;
mod phrases;
#[cfg(feature = "ssr")]
mod placeholder;
mod problems;
mod recipes;
mod reference;
mod rule_form;
mod share;
mod state;
mod time_range;
mod timeline;

pub use examples::{EXAMPLES, Example};
pub(crate) use explain::explain;
pub use hero_lamp::hero_lamp;
pub use lab::schedule_lab;
pub use parsed_text::{Fix, ParsedText, Problem};
pub use phrases::{Reading, read_phrase};
#[cfg(feature = "ssr")]
pub(crate) use placeholder::lab_placeholder;
pub use recipes::{Clock, GROUPS, Group, Recipe, RecipeProps, WallProps, recipe_not_found, recipe_page, recipe_wall};
pub use reference::GUIDE;
pub(crate) use share::WIFI_REMINDER;
pub use share::encode_fragment;
pub use state::{LabEvents, LabProps, Motion};
