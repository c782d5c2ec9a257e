//! The light's signals and files, below the Lab: in the words of `README.TXT` on the drive.

use leptos::prelude::*;
use wasm_core::status::LampSignal;

const NOTES: [&str; 2] = [
    "The light follows your schedule only when it knows the time. After that, it keeps the time without Wi-Fi until you unplug it.",
    "Eject the drive before you unplug the light. If you forget, the light keeps using the last schedule it could read.",
];

const FILES: [(&str, &str); 2] = [
    (
        "SCHEDULE.TXT",
        "Your schedule. Edit it in any text editor and save it as plain text (UTF-8). The light loads it 2.5 seconds after you save.",
    ),
    (
        "STATUS.TXT",
        "Errors in your schedule, and the status of Wi-Fi and the clock. To update this file, eject the drive and plug it in again.",
    ),
];

/// What the light says, and what its files are.
pub(crate) fn light_manual() -> AnyView {
    let signals = LampSignal::ALL.map(|signal| (signal.flashes(), signal.meaning()));
    view! {
        <section class="mt-4 grid max-w-2xl gap-3">
            <h3 class="text-xl">"What the light says"</h3>
            {list(&signals)} {NOTES.into_iter().map(|note| view! { <p>{note}</p> }).collect_view()}
            <h3 class="pt-2 text-xl">"The files on the drive"</h3>
            {list(&FILES)}
        </section>
    }
    .into_any()
}

fn list(items: &[(&'static str, &'static str)]) -> AnyView {
    let item = |(name, text): &(&'static str, &'static str)| {
        view! {
            <li>
                <strong class="font-semibold">{*name}</strong>
                {format!(": {text}")}
            </li>
        }
    };
    view! { <ul class="grid list-disc gap-1 pl-6 marker:text-glow">{items.iter().map(item).collect_view()}</ul> }
        .into_any()
}
