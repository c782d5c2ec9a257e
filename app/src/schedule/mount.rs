//! The browser's way into the Lab.

use std::any::Any;

use leptos::mount::mount_to;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use tsify::Ts;
use wasm_bindgen::prelude::*;
use wasm_core::border;
use web_sys::HtmlElement;

use super::{LabEvents, LabProps, Live, live_at, schedule_lab};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export interface LabEvents {
  /** Milliseconds since 1970. */
  now(): bigint;
  /** Saves a text as `schedule.txt`. */
  download(text: string): void;
  /** Puts a fragment into the page's address and the clipboard; gives the whole link. */
  share(fragment: string): string;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "LabEvents")]
    pub type LabListener;
    #[wasm_bindgen(method)]
    fn now(this: &LabListener) -> i64;
    #[wasm_bindgen(method)]
    fn download(this: &LabListener, text: &str);
    #[wasm_bindgen(method)]
    fn share(this: &LabListener, fragment: &str) -> String;
}

/// The Lab on a page.
#[wasm_bindgen]
pub struct LabHandle {
    _mounted: Box<dyn Any>,
}

#[wasm_bindgen]
impl LabHandle {
    /// Takes the Lab out of the page and frees it; the handle cannot be used again.
    pub fn unmount(self) {}
}

/// Mounts the Lab into `element`.
#[wasm_bindgen(js_name = mountLab)]
pub fn mount_lab(element: HtmlElement, props: Ts<LabProps>, listener: LabListener) -> Result<LabHandle, JsError> {
    let props = border::read(&props.js_value())?;
    let listener = SendWrapper::new(std::rc::Rc::new(listener));
    let (clock, saver) = (listener.clone(), listener.clone());
    let mounted = mount_to(element, move || {
        let now = Callback::new(move |()| clock.now());
        let download = Callback::new(move |text: String| saver.download(&text));
        let share = Callback::new(move |fragment: String| listener.share(&fragment));
        schedule_lab(&props, LabEvents { now, download, share })
    });
    Ok(LabHandle { _mounted: Box::new(mounted) })
}

/// What the lamp of the home page does when the visitor's clock shows this: milliseconds, as if that were UTC.
#[wasm_bindgen(js_name = liveAt)]
pub fn live(wall_ms: i64) -> Result<Ts<Live>, JsError> {
    Ok(Ts::new_unchecked(border::write(&live_at(wall_ms))?))
}
