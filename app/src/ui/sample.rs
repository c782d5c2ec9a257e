//! The sample schedule.

use leptos::prelude::*;

/// A valid schedule. No line is wider than a small phone.
pub const SAMPLE_SCHEDULE: &str = "\
# Settings
wifi     = Home Network
password = correct horse
timezone = America/Toronto

# Rules
on    07:00-07:30 mon-fri
blink every 30m 09:00-17:00 for 10s
on    18:00-23:00 daily 40%
";

/// The sample schedule in a window frame. It scrolls sideways, so it must be focusable by keyboard.
pub fn sample_file() -> AnyView {
    view! {
        <div class="overflow-hidden rounded-card border border-line bg-card shadow-card">
            <p class="flex items-center gap-2 border-b border-line px-4 py-2 font-mono text-sm text-muted">
                <span aria-hidden="true" class="size-2.5 rounded-full bg-glow"></span>
                "SCHEDULE.TXT"
            </p>
            <pre tabindex="0" aria-label="Sample schedule" role="region" class="overflow-x-auto p-4 font-mono text-sm leading-6">
                {SAMPLE_SCHEDULE}
            </pre>
        </div>
    }
    .into_any()
}
