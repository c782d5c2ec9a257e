//! The recipes, rendered on the server.

use app::schedule::{Clock, Motion, Recipe, recipe_not_found, recipe_page, recipe_wall};
use app::ui::render_to_string;
use leptos::prelude::*;
use wasm_core::catalog::Product;

use crate::html::{attributes, visible};

/// Friday, 2026-11-27, 22:03 in Toronto.
const EVENING: i64 = 1_795_834_980_000;
const TORONTO: &str = "America/Toronto";

fn clock(now: i64, motion: Motion) -> Clock {
    Clock::running(Callback::new(move |()| now), motion)
}

fn wall(now: i64, motion: Motion) -> String {
    render_to_string(move || recipe_wall(TORONTO, clock(now, motion)))
}

fn page(slug: &str, products: &[Product]) -> String {
    let (recipe, products) = (Recipe::find(slug).unwrap(), products.to_vec());
    render_to_string(move || {
        recipe_page(recipe, TORONTO, &products, clock(EVENING, Motion::Full), Callback::new(|_| ()))
    })
}

/// The part of the wall with a recipe.
fn tile<'a>(wall: &'a str, slug: &str) -> &'a str {
    let link = format!("href=\"/schedules/{slug}\"");
    wall.split("<li>").find(|tile| tile.contains(&link)).unwrap()
}

#[test]
fn each_lamp_of_the_wall_follows_its_own_recipe_by_the_visitors_clock() {
    let wall = wall(EVENING, Motion::Full);
    for (slug, lamp, level, state) in [
        ("night-light", "on", "faint", "On at 5%"),
        ("evening-glow", "on", "faint", "On at 10%"),
        ("holiday-window", "on", "full", "On at 80%"),
        ("trash-night", "off", "faint", "Off until Tue 6 PM"),
        ("school-run", "off", "faint", "Off until Mon 7:30 AM"),
    ] {
        let tile = tile(&wall, slug);
        assert_eq!(attributes(tile, "data-lamp"), [lamp], "{slug}");
        assert_eq!(attributes(tile, "data-level"), [level], "{slug}");
        assert!(visible(tile).starts_with(state), "{slug}: {}", visible(tile));
    }
    let links: Vec<String> =
        attributes(&wall, "href").into_iter().filter(|href| Recipe::all().any(|recipe| recipe.path == href)).collect();
    assert_eq!(links.len(), Recipe::all().count());
}

#[test]
fn a_lamp_that_blinks_is_lit_and_dark_by_its_phase_and_stays_lit_without_motion() {
    // The bedtime blink starts at 20:15, with a second of light and one of dark.
    let dark = EVENING - (22 * 60 + 3 - (20 * 60 + 15)) * 60_000 + 1_500;
    for (now, motion, lamp) in
        [(dark - 1_000, Motion::Full, "on"), (dark, Motion::Full, "off"), (dark, Motion::Reduced, "on")]
    {
        let wall = wall(now, motion);
        let tile = tile(&wall, "bedtime");
        assert_eq!(attributes(tile, "data-lamp"), [lamp], "{now} {motion:?}");
        assert!(visible(tile).starts_with("Blinking at 10%"));
    }
}

#[test]
fn without_a_clock_each_lamp_shows_its_next_light() {
    let wall = render_to_string(|| recipe_wall(TORONTO, Clock::stopped()));
    let lamps = attributes(&wall, "data-lamp");
    assert_eq!(lamps.len(), Recipe::all().count());
    assert!(lamps.iter().all(|lamp| lamp != "off"), "{lamps:?}");
}

#[test]
fn a_recipes_page_has_its_lamp_its_week_its_file_and_ways_to_use_it() {
    let page = page("trash-night", &[]);
    let text = visible(&page);
    for said in
        ["Trash night", "Off", "Next: lights up on Tuesday at 6 PM for 4 h 30 min.", "timezone = America/Toronto"]
    {
        assert!(text.contains(said), "{said} in {text}");
    }
    assert!(page.contains("on    18:00-23:00 tue 60%\nblink 22:30 for 10m tue fast"), "{page}");
    // Tuesday is the second day of the week that is drawn.
    assert!(attributes(&page, "d").iter().any(|path| path.starts_with("M151200 100")), "{page}");
    let links = attributes(&page, "href");
    assert!(links.contains(&"/schedule-lab#schedule=trash-night".to_owned()), "{links:?}");
    let file = links.iter().find(|link| link.starts_with("data:text/plain;charset=utf-8,")).unwrap();
    assert!(file.contains("timezone%20=%20America/Toronto%0A"), "{file}");
    assert_eq!(attributes(&page, "download"), ["SCHEDULE.TXT"]);
    assert!(!text.contains("Lights for this schedule"), "no products");
}

#[test]
fn a_recipes_page_offers_lights() {
    let light = Product { name: "Nudgelight One".to_owned(), slug: "nudgelight-one".to_owned(), ..Product::default() };
    let page = page("trash-night", &[light]);
    assert!(attributes(&page, "href").contains(&"/products/nudgelight-one".to_owned()), "{page}");
    assert!(visible(&render_to_string(recipe_not_found)).contains("Recipe not found."));
}
