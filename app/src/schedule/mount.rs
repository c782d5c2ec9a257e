//! The Lab's JavaScript interface.

use std::any::Any;

use leptos::mount::mount_to;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use wasm_core::js;
use web_sys::HtmlElement;

use super::{LabEvents, LabProps, hero_lamp, schedule_lab};
use crate::pages::{HeroLine, LampState};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export interface LabEvents {
  /** Unix time in milliseconds. */
  now(): bigint;
  /** Opens the dialog that saves a text to a light. */
  saveToLight(text: string): void;
  /** Downloads a text as `schedule.txt`. */
  download(text: string): void;
  /** Writes a fragment to the page's URL and the clipboard, and returns the link. */
  share(fragment: string): string;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// An element: JavaScript callers may pass anything.
    #[wasm_bindgen(typescript_type = "HTMLElement")]
    pub type Host;

    #[wasm_bindgen(typescript_type = "LabEvents")]
    pub type LabListener;
    #[wasm_bindgen(method)]
    fn now(this: &LabListener) -> i64;
    #[wasm_bindgen(method, js_name = saveToLight)]
    fn save_to_light(this: &LabListener, text: &str);
    #[wasm_bindgen(method)]
    fn download(this: &LabListener, text: &str);
    #[wasm_bindgen(method)]
    fn share(this: &LabListener, fragment: &str) -> String;
}

/// The mounted Lab.
#[wasm_bindgen]
pub struct LabHandle {
    _mounted: Box<dyn Any>,
}

#[wasm_bindgen]
impl LabHandle {
    /// Unmounts and frees the Lab. The handle cannot be used again.
    pub fn unmount(self) {}
}

/// Mounts the Lab into `element`.
#[wasm_bindgen(js_name = mountLab)]
pub fn mount_lab(element: Host, props: Ts<LabProps>, listener: LabListener) -> Result<LabHandle, JsValue> {
    let element: HtmlElement =
        element.dyn_into().map_err(|_| js::type_error("element", "expected an element of the page"))?;
    let props = js::read("props", &props.js_value())?;
    js::expect_functions("listener", &listener, &["now", "saveToLight", "download", "share"])?;
    let listener = SendWrapper::new(std::rc::Rc::new(listener));
    let (clock, opener, saver) = (listener.clone(), listener.clone(), listener.clone());
    let mounted = mount_to(element, move || {
        let now = Callback::new(move |()| clock.now());
        let save_to_light = Callback::new(move |text: String| opener.save_to_light(&text));
        let download = Callback::new(move |text: String| saver.download(&text));
        let share = Callback::new(move |fragment: String| listener.share(&fragment));
        schedule_lab(&props, LabEvents { now, save_to_light, download, share })
    });
    Ok(LabHandle { _mounted: Box::new(mounted) })
}

/// The home page's lamp, which follows a line.
#[wasm_bindgen(js_name = heroLamp)]
pub fn hero_lamp_of(hero: Ts<HeroLine>) -> Result<Ts<LampState>, JsValue> {
    let HeroLine { line, daypart } = js::read("hero", &hero.js_value())?;
    Ok(Ts::new_unchecked(js::write(&hero_lamp(&line, daypart))?))
}
