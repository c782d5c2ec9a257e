//! The Schedule Lab, rendered on the server.

use app::schedule::{EXAMPLES, GUIDE, LabEvents, LabProps, Motion, ParsedText, encode_fragment, schedule_lab};
use app::ui::render_to_string;
use leptos::prelude::*;

use crate::html::{attributes, visible};

/// Friday, 2026-11-27, 14:10 in Toronto.
const NOW: i64 = 1_795_806_600_000;

pub fn lab(shared: &str) -> String {
    lab_with(shared, None)
}

fn lab_with(shared: &str, saved: Option<&str>) -> String {
    render_to_string(|| {
        let props = LabProps {
            fragment: shared.to_owned(),
            line: None,
            saved: saved.map(str::to_owned),
            zone: "America/Toronto".to_owned(),
            motion: Motion::Reduced,
        };
        let now = Callback::new(|()| NOW);
        let save_to_light = Callback::new(|_: String| ());
        let download = Callback::new(|_: String| ());
        let save_text = Callback::new(|_: String| ());
        let share = Callback::new(|fragment: String| fragment);
        schedule_lab(&props, LabEvents { now, save_to_light, download, save_text, share })
    })
}

#[test]
fn the_lab_opens_with_an_example_in_the_visitors_own_time_zone() {
    let text = visible(&lab(""));
    for said in ["timezone = America/Toronto", "2 rules, no problems", "Fri Nov 27, 2:10 PM", "Next: blinks at 2:30 PM"]
    {
        assert!(text.contains(said), "{said} in {text}");
    }
}

#[test]
fn a_shared_schedule_is_what_the_lab_opens_with() {
    let link = encode_fragment(&ParsedText::of("timezone = UTC\nblink 03:00 for 5m fri\n").schedule);
    assert!(visible(&lab(&format!("#{link}"))).contains("blink 03:00 for 5m fri"));
}

#[test]
fn the_lab_opens_with_what_was_written_before_and_a_recipe_that_replaces_it_can_be_undone() {
    let saved = "timezone = UTC\non 07:00-07:30 # mine\n";
    let reopened = visible(&lab_with("", Some(saved)));
    assert!(reopened.contains("on 07:00-07:30 # mine") && !reopened.contains("Undo"), "{reopened}");
    let recipe = visible(&lab_with("#schedule=trash-night", Some(saved)));
    assert!(recipe.contains("blink 22:30 for 10m tue fast") && !recipe.contains("# mine"), "{recipe}");
    assert!(recipe.contains("Your text was replaced. Undo"), "{recipe}");
    assert!(!visible(&lab_with("#schedule=trash-night", None)).contains("Undo"), "nothing was written");
}

#[test]
fn every_example_is_sound_as_it_stands() {
    for example in EXAMPLES {
        let parsed = ParsedText::of(&example.file("America/Toronto"));
        assert_eq!(parsed.problems, [], "{}", example.name);
        assert!(!parsed.schedule.rules().is_empty());
    }
}

#[test]
fn the_reference_shows_every_chapter_and_every_example_of_the_guide() {
    let page = lab("");
    assert_eq!(page.matches("<details").count(), GUIDE.matches("\n## ").count());
    let (_, chapters) = GUIDE.split_once("\n## ").unwrap();
    assert_eq!(page.matches("<pre").count(), chapters.matches("```text").count());
    assert!(!visible(&page).contains("```"), "no mark of the guide is shown as such");
}

#[test]
fn what_is_read_out_has_a_name() {
    let page = lab("");
    let slider = page.split("<input").find(|input| input.contains("range")).unwrap();
    assert!(slider.contains("aria-label=\"Moment\"") && slider.contains("Fri Nov 27, 2:10 PM, On at 30%"), "{slider}");
    let described = attributes(&page, "aria-describedby").join(" ");
    for id in described.split(' ') {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
}
