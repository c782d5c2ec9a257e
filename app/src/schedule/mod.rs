//! The Schedule Lab: a place to write a schedule, see what is wrong with it, and watch the lamp follow it.
//!
//! In the browser it is a package of its own (feature `lab`), which only those load who come to it.
//!
//! | file | what is in it |
//! |---|---|
//! | `reading`, `completion`, `draft`, `share`, `say`, `week`, `live` | what the Lab knows, without a page |
//! | `lab`, `editor`, `problems`, `rule_form`, `lamp`, `timeline`, `reference` | what it shows |

mod completion;
mod draft;
mod editor;
mod examples;
mod lab;
mod lamp;
mod live;
#[cfg(target_arch = "wasm32")]
mod mount;
mod problems;
mod reading;
mod reference;
mod rule_form;
mod say;
mod share;
mod timeline;
mod week;

pub use completion::{Completion, complete};
pub use draft::{RuleDraft, Timing};
pub use examples::{EXAMPLES, Example};
pub use lab::{LabEvents, LabProps, Motion, schedule_lab};
pub use live::{Live, live_at};
pub use reading::{Fix, Found, Reading};
pub use reference::GUIDE;
pub use say::next_sentence;
pub use share::{fragment, rules_in};
pub use week::{Bars, Stretch, Zoom};
