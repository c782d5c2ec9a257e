//! The light's manuals: `README.TXT` on the drive, the Lab on the tutorial's page, the guide, and the words of the firmware.

use std::fs::read_to_string;

use wasm_core::status::{LampSignal, RELOAD_DELAY_MS};

use crate::html::visible;
use crate::lab::lab;

/// The sentences of a text in one line, as plain ASCII.
fn plain(text: &str) -> String {
    let text = text.replace('’', "'").replace(['`', '|', '*'], " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" : ", ": ")
}

fn file(path: &str) -> String {
    read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The sentences of `README.TXT`, without its headings, names of files, and signals.
fn sentences(readme: &str) -> Vec<String> {
    let prose = readme.replace("SCHEDULE.TXT  ", "\n\n").replace("STATUS.TXT  ", "\n\n").replace("\r\n", "\n");
    let paragraphs = prose.split("\n\n").map(plain).filter(|text| text.ends_with('.'));
    paragraphs
        .flat_map(|text| text.split_inclusive(". ").map(|text| text.trim().to_owned()).collect::<Vec<_>>())
        .collect()
}

#[test]
fn the_readme_the_tutorial_the_guide_and_the_firmware_say_the_same_word_by_word() {
    let readme = file("firmware/src/default_files/README.TXT");
    let manuals = [
        ("README.TXT", plain(&readme)),
        ("tutorial", plain(&visible(&lab("")))),
        ("guide", plain(&file("docs/guide/device.md"))),
    ];
    let sentences = sentences(&readme);
    assert_eq!(sentences.len(), 9, "{sentences:#?}");
    let seconds = format!("{}.{} seconds", RELOAD_DELAY_MS / 1000, RELOAD_DELAY_MS % 1000 / 100);
    assert!(sentences.iter().any(|sentence| sentence.contains(&seconds)), "the light loads a file after {seconds}");
    for (name, manual) in &manuals {
        for sentence in &sentences {
            assert!(manual.contains(sentence), "the {name} lacks: {sentence}");
        }
        // The lamp plays the signals of the same table.
        for signal in LampSignal::ALL {
            let said = [": ", " "].map(|between| format!("{}{between}{}", signal.flashes(), signal.meaning()));
            assert!(said.iter().any(|said| manual.contains(said)), "the {name} lacks: {}", said[1]);
        }
    }
}
