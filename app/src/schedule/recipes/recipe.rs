//! Ready-made schedules. Each is a file in `files/`: a comment with its name, one with what it does, and its rules.

use std::fmt::Write as _;

use wasm_core::schedule::Schedule;

use crate::schedule::parsed_text::ParsedText;
use crate::schedule::share;

/// Key of the URL fragment with which the Lab opens a recipe.
const KEY: &str = "schedule=";

/// A ready-made schedule.
#[derive(Debug, PartialEq, Eq)]
pub struct Recipe {
    pub slug: &'static str,
    /// The path of its page.
    pub path: &'static str,
    /// The file, without what depends on the visitor.
    text: &'static str,
}

/// Recipes under a heading.
#[derive(Debug)]
pub struct Group {
    pub name: &'static str,
    pub recipes: &'static [Recipe],
}

macro_rules! recipes {
    ($($slug:literal),+ $(,)?) => {
        &[$(Recipe {
            slug: $slug,
            path: concat!("/schedules/", $slug),
            text: include_str!(concat!("files/", $slug, ".txt")),
        }),+]
    };
}

/// All recipes, in the order of the page.
pub static GROUPS: [Group; 6] = [
    Group {
        name: "At home",
        recipes: recipes![
            "trash-night",
            "laundry-day",
            "dinner-time",
            "lock-the-door",
            "evening-glow",
            "night-light",
            "holiday-window"
        ],
    },
    Group {
        name: "Health",
        recipes: recipes!["morning-and-evening-pills", "pills-with-meals", "drink-water", "eye-break"],
    },
    Group {
        name: "Work",
        recipes: recipes!["stand-up", "focus-blocks", "meeting-light", "lunch-break", "end-of-workday", "market-hours"],
    },
    Group {
        name: "School and kids",
        recipes: recipes!["school-run", "homework-hour", "practice-time", "bedtime", "okay-to-wake"],
    },
    Group {
        name: "Plants and pets",
        recipes: recipes!["water-the-plants", "feeding-time", "dog-walk", "aquarium-day"],
    },
    Group { name: "Quiet time", recipes: recipes!["reading-hour", "screen-free-hour", "wind-down", "call-home"] },
];

impl Recipe {
    pub fn all() -> impl Iterator<Item = &'static Self> {
        GROUPS.iter().flat_map(|group| group.recipes)
    }

    #[must_use]
    pub fn find(slug: &str) -> Option<&'static Self> {
        Self::all().find(|recipe| recipe.slug == slug)
    }

    /// The recipe that a URL fragment names, with or without the `#`.
    #[must_use]
    pub fn of_fragment(fragment: &str) -> Option<&'static Self> {
        Self::find(fragment.trim_start_matches('#').strip_prefix(KEY)?)
    }

    /// The Lab with this recipe.
    #[must_use]
    pub fn lab_link(&self) -> String {
        format!("/schedule-lab#{KEY}{}", self.slug)
    }

    #[must_use]
    pub fn name(&self) -> &'static str {
        self.comment(0)
    }

    /// What the light does, and what for.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.comment(1)
    }

    fn comment(&self, line: usize) -> &'static str {
        self.text.lines().nth(line).map(|line| line.trim_start_matches("# ")).unwrap_or_default()
    }

    /// The recipe as a complete `SCHEDULE.TXT`, in the visitor's time zone unless it has one of its own.
    #[must_use]
    pub fn file(&self, zone: &str) -> String {
        let own = self.text.lines().any(|line| line.starts_with("timezone"));
        let zone = if own { String::new() } else { format!("timezone = {zone}\n") };
        format!("{}{zone}\n{}", share::WIFI_REMINDER, self.text)
    }

    #[must_use]
    pub fn schedule(&self, zone: &str) -> Schedule {
        ParsedText::of(&self.file(zone)).schedule
    }
}

/// A text as a `data:` URL: a download that needs neither a script nor a network.
#[must_use]
pub fn data_url(text: &str) -> String {
    let mut url = "data:text/plain;charset=utf-8,".to_owned();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b':' | b',' | b'/' | b'=' => {
                url.push(char::from(byte));
            }
            // Writing to a String is infallible.
            byte => drop(write!(url, "%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use wasm_core::schedule::MAX_BYTES;

    use super::{GROUPS, ParsedText, Recipe, data_url};

    #[test]
    fn every_file_is_a_recipe_and_every_recipe_has_a_page_of_its_own() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schedule/recipes/files");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let files: HashSet<String> = files.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
        let slugs: HashSet<String> = Recipe::all().map(|recipe| recipe.slug.to_owned()).collect();
        assert_eq!(files, slugs);
        assert!(slugs.len() >= 24 && slugs.len() == Recipe::all().count(), "{slugs:?}");
        let names: HashSet<&str> = Recipe::all().map(Recipe::name).collect();
        assert_eq!(names.len(), slugs.len());
        assert!(GROUPS.iter().all(|group| group.recipes.len() >= 4));
    }

    #[test]
    fn every_recipe_is_read_without_an_error_or_a_warning_and_lights_the_lamp() {
        for recipe in Recipe::all() {
            for zone in ["America/Los_Angeles", "America/St_Johns"] {
                let file = recipe.file(zone);
                let parsed = ParsedText::of(&file);
                assert_eq!(parsed.problems, [], "{}", recipe.slug);
                assert!(file.len() < MAX_BYTES, "{}", recipe.slug);
                assert!(file.lines().all(|line| line.chars().count() <= 100), "{}", recipe.slug);
                let schedule = parsed.schedule;
                let shop_opens = wasm_core::schedule::Moment::parse("2026-11-27T12:00").unwrap();
                assert!(schedule.next_change(shop_opens.instant(schedule.time_zone())).is_some(), "{}", recipe.slug);
            }
        }
    }

    #[test]
    fn a_recipe_says_what_it_is_in_its_first_two_lines_and_has_rules_after_them() {
        for recipe in Recipe::all() {
            let [name, summary] = [recipe.name(), recipe.summary()];
            assert!(recipe.text.starts_with(&format!("# {name}\n# {summary}\n")), "{}", recipe.slug);
            assert!(!name.is_empty() && name.len() <= 28, "{name}");
            assert!(summary.ends_with(['.', '!']) && summary.len() <= 100, "{summary}");
            let rest = recipe.text.lines().skip(2);
            assert!(rest.clone().count() > 0 && rest.clone().all(|line| !line.starts_with('#')), "{name}");
        }
    }

    #[test]
    fn a_recipe_is_in_the_visitors_time_zone_or_its_own() {
        let zone_of = |slug| Recipe::find(slug).unwrap().schedule("America/Vancouver").time_zone().name().to_owned();
        assert_eq!(zone_of("trash-night"), "America/Vancouver");
        assert_eq!(zone_of("market-hours"), "America/New_York");
    }

    #[test]
    fn a_link_to_the_lab_names_the_recipe_and_any_other_fragment_names_none() {
        for recipe in Recipe::all() {
            let link = recipe.lab_link();
            let (_, fragment) = link.split_once('#').unwrap();
            assert_eq!(Recipe::of_fragment(fragment), Some(recipe));
            assert_eq!(Recipe::of_fragment(&format!("#{fragment}")), Some(recipe));
        }
        for fragment in ["", "#lab", "#schedule=", "#schedule=nothing", "rules=on+07:00-07:30", "#schedule=../x"] {
            assert_eq!(Recipe::of_fragment(fragment), None, "{fragment}");
        }
    }

    #[test]
    fn a_download_has_the_bytes_of_the_file() {
        assert_eq!(data_url("on 07:00 5%\n’"), "data:text/plain;charset=utf-8,on%2007:00%205%25%0A%E2%80%99");
    }
}
