//! The text file that the light reads, as an example.

use std::sync::LazyLock;

use super::part::Part;
use super::still::still;

/// Sound as it stands: whoever copies it need only put in their own wifi. No line is longer than a small phone is wide.
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

/// The file in a window of its own. It can be scrolled sideways, so that it can be reached by keyboard too.
pub fn sample_file() -> impl Part {
    static MARKUP: LazyLock<String> = LazyLock::new(|| {
        format!(
            r#"<div class="overflow-hidden rounded-card border border-line bg-card shadow-card">
            <p class="flex items-center gap-2 border-b border-line px-4 py-2 font-mono text-sm text-muted">
                <span aria-hidden="true" class="size-2.5 rounded-full bg-glow"></span>SCHEDULE.TXT
            </p>
            <pre tabindex="0" aria-label="A sample schedule" role="region" class="overflow-x-auto p-4 font-mono text-sm leading-6">{SAMPLE_SCHEDULE}</pre>
        </div>"#
        )
    });
    still(MARKUP.as_str())
}
