//! The browser's way in: one function a view, each giving back a handle.

use std::any::Any;

use leptos::mount::mount_to;
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::orders::{OrderReceipt, ReceiptProps};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { Order } from "../wasm-core/wasm_core.js";

/** A view in the page. */
export interface ViewHandle<Props> {
  /** Shows new props. What the view holds by itself (focus, selection, what is folded out) stays. */
  update(props: Props): void;
  /** Takes the view out of the page and frees it; the handle cannot be used again. */
  unmount(): void;
}
"#;

/// A mounted view. Dropping it takes the view out of the page with everything it holds.
#[wasm_bindgen(skip_typescript)]
pub struct ViewHandle {
    update: Box<dyn Fn(JsValue) -> Result<(), JsError>>,
    _mounted: Box<dyn Any>,
}

#[wasm_bindgen]
impl ViewHandle {
    #[wasm_bindgen(skip_typescript)]
    pub fn update(&self, props: JsValue) -> Result<(), JsError> {
        (self.update)(props)
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn unmount(self) {}
}

/// Mounts an order's receipt into `element`.
#[wasm_bindgen(js_name = mountOrderReceipt, unchecked_return_type = "ViewHandle<ReceiptProps>")]
pub fn mount_order_receipt(element: HtmlElement, props: Ts<ReceiptProps>) -> Result<ViewHandle, JsError> {
    mount(element, props, |props| view! { <OrderReceipt props /> })
}

/// Props are a signal, so that an update writes what is different and builds nothing anew.
fn mount<P, V>(element: HtmlElement, props: Ts<P>, view: fn(Signal<P>) -> V) -> Result<ViewHandle, JsError>
where
    P: Tsify<JsType: Clone> + DeserializeOwned + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let props = ArcRwSignal::new(props.to_rust()?);
    let shown = props.clone();
    let mounted = mount_to(element, move || view(shown.into()));
    let update = move |changed: JsValue| {
        props.set(Ts::<P>::new_unchecked(changed).to_rust()?);
        Ok(())
    };
    Ok(ViewHandle { update: Box::new(update), _mounted: Box::new(mounted) })
}
