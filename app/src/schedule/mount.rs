//! The Lab's JavaScript interface.

use std::any::Any;

use leptos::mount::mount_to;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use wasm_core::js::{self, JsText};
use web_sys::HtmlElement;

use super::{
    Clock, LabEvents, LabProps, Motion, Recipe, RecipeProps, WallProps, hero_lamp, recipe_not_found, recipe_page,
    recipe_wall, schedule_lab,
};
use crate::pages::{HeroLine, LampState};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Product } from "../wasm-core/wasm_core.js";

export interface ClockListener {
  /** Unix time in milliseconds. */
  now(): bigint;
}

export interface RecipeEvents extends ClockListener {
  /** Opens the dialog that saves a text to a light. */
  saveToLight(text: string): void;
}

export interface LabEvents extends RecipeEvents {
  /** Downloads a text as `schedule.txt`. */
  download(text: string): void;
  /** Saves the text for the next visit. */
  saveText(text: string): void;
  /** Writes a fragment to the page's URL and the clipboard, and returns the link. */
  share(fragment: string): string;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// An element: JavaScript callers may pass anything.
    #[wasm_bindgen(typescript_type = "HTMLElement")]
    pub type Host;

    #[wasm_bindgen(typescript_type = "ClockListener")]
    pub type ClockListener;
    #[wasm_bindgen(method, js_name = now)]
    fn read(this: &ClockListener) -> i64;

    #[wasm_bindgen(extends = ClockListener, typescript_type = "RecipeEvents")]
    pub type RecipeListener;
    #[wasm_bindgen(method, js_name = saveToLight)]
    fn save_to_light(this: &RecipeListener, text: &str);

    #[wasm_bindgen(extends = RecipeListener, extends = ClockListener, typescript_type = "LabEvents")]
    pub type LabListener;
    #[wasm_bindgen(method)]
    fn download(this: &LabListener, text: &str);
    #[wasm_bindgen(method, js_name = saveText)]
    fn save_text(this: &LabListener, text: &str);
    #[wasm_bindgen(method)]
    fn share(this: &LabListener, fragment: &str) -> String;
}

/// A mounted view: the Lab, or a page of recipes.
#[wasm_bindgen]
pub struct LabHandle {
    _mounted: Box<dyn Any>,
}

#[wasm_bindgen]
impl LabHandle {
    /// Unmounts and frees the view. The handle cannot be used again.
    pub fn unmount(self) {}
}

/// Mounts the Lab into `element`.
#[wasm_bindgen(js_name = mountLab)]
pub fn mount_lab(element: Host, props: Ts<LabProps>, listener: LabListener) -> Result<LabHandle, JsValue> {
    let (element, props) = (host(element)?, js::read("props", &props.js_value())?);
    js::expect_functions("listener", &listener, &["now", "saveToLight", "download", "saveText", "share"])?;
    let listener = SendWrapper::new(std::rc::Rc::new(listener));
    let (clock, opener, downloader, saver) = (listener.clone(), listener.clone(), listener.clone(), listener.clone());
    let mounted = mount_to(element, move || {
        let now = Callback::new(move |()| clock.read());
        let save_to_light = Callback::new(move |text: String| opener.save_to_light(&text));
        let download = Callback::new(move |text: String| downloader.download(&text));
        let save_text = Callback::new(move |text: String| saver.save_text(&text));
        let share = Callback::new(move |fragment: String| listener.share(&fragment));
        schedule_lab(&props, LabEvents { now, save_to_light, download, save_text, share })
    });
    Ok(LabHandle { _mounted: Box::new(mounted) })
}

/// Mounts the wall of all recipes into `element`.
#[wasm_bindgen(js_name = mountRecipeWall)]
pub fn mount_recipe_wall(element: Host, props: Ts<WallProps>, clock: ClockListener) -> Result<LabHandle, JsValue> {
    let WallProps { zone, motion } = js::read("props", &props.js_value())?;
    let element = host(element)?;
    js::expect_functions("clock", &clock, &["now"])?;
    let clock = SendWrapper::new(clock);
    Ok(mount_with_clock(element, move || clock.read(), motion, move |clock| recipe_wall(&zone, clock)))
}

/// Mounts a recipe's page into `element`.
#[wasm_bindgen(js_name = mountRecipe)]
pub fn mount_recipe(element: Host, props: Ts<RecipeProps>, listener: RecipeListener) -> Result<LabHandle, JsValue> {
    let RecipeProps { slug, zone, motion, products } = js::read("props", &props.js_value())?;
    let element = host(element)?;
    js::expect_functions("listener", &listener, &["now", "saveToLight"])?;
    let listener = SendWrapper::new(std::rc::Rc::new(listener));
    let opener = listener.clone();
    Ok(mount_with_clock(
        element,
        move || listener.read(),
        motion,
        move |clock| match Recipe::find(&slug) {
            Some(recipe) => recipe_page(
                recipe,
                &zone,
                &products,
                clock,
                Callback::new(move |file: String| opener.save_to_light(&file)),
            ),
            None => recipe_not_found(),
        },
    ))
}

/// The name of a recipe, if there is one with this slug.
#[wasm_bindgen(js_name = recipeName)]
pub fn recipe_name(slug: JsText) -> Result<Option<String>, JsValue> {
    let slug: String = js::read("slug", &slug)?;
    Ok(Recipe::find(&slug).map(|recipe| recipe.name().to_owned()))
}

fn mount_with_clock(
    element: HtmlElement,
    now: impl Fn() -> i64 + Send + Sync + 'static,
    motion: Motion,
    view: impl FnOnce(Clock) -> AnyView + 'static,
) -> LabHandle {
    let mounted = mount_to(element, move || view(Clock::running(Callback::new(move |()| now()), motion)));
    LabHandle { _mounted: Box::new(mounted) }
}

fn host(element: Host) -> Result<HtmlElement, JsValue> {
    element.dyn_into().map_err(|_| js::type_error("element", "expected an element of the page"))
}

/// The home page's lamp, which follows a line.
#[wasm_bindgen(js_name = heroLamp)]
pub fn hero_lamp_of(hero: Ts<HeroLine>) -> Result<Ts<LampState>, JsValue> {
    let HeroLine { line, daypart } = js::read("hero", &hero.js_value())?;
    Ok(Ts::new_unchecked(js::write(&hero_lamp(&line, daypart))?))
}
