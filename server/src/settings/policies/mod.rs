//! Policies: contact, privacy, terms, and shipping and returns. Each is a Markdown text of the settings, or the standard
//! text.

mod handlers;
mod markdown;
mod placeholders;
mod policy;

pub use self::handlers::{admin_router, router};
pub use policy::Policy;

use self::placeholders::Placeholders;
use crate::settings::SettingsState;
use crate::settings::values::Settings;

/// The policy in force, as HTML.
pub fn html(state: &SettingsState, policy: Policy) -> String {
    html_with(state, policy, &state.current.get())
}

/// The policy under other settings than those in force. The standard text is that of this version of the program.
pub fn html_with(state: &SettingsState, policy: Policy, settings: &Settings) -> String {
    render(state, settings, policy.markdown(settings))
}

fn render(state: &SettingsState, settings: &Settings, markdown: &str) -> String {
    markdown::render(&Placeholders::of(&state.config, settings).fill(markdown))
}
