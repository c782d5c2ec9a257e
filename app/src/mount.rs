//! The JavaScript interface of the views: a mount function for each, which returns a handle.

use std::any::Any;
use std::rc::Rc;

use leptos::mount::mount_to;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use wasm_core::js;
use web_sys::HtmlElement;

use crate::catalog::{ProductEvents, ProductListProps, ProductProps, product_list, product_not_found, product_page};
use crate::frame::{FooterEvents, FooterProps, NavigationEvents, NavigationProps, Theme, footer, navigation_bar};
use crate::orders::{ReceiptProps, order_receipt};
use crate::pages::{HeroEvents, HomeProps, TextPageProps, home_page, text_page};
use crate::ui::Daypart;
use crate::ui::unlit_light;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { DeliveryTimes, Dollars, Order, Product, ReturnShipping, ShippingRates, WarrantyRange } from "../wasm-core/wasm_core.js";

/** A mounted view. An argument of the wrong type throws a `TypeError` that names it. */
export interface ViewHandle<Props> {
  /** Updates the props. The view keeps its own state (focus, selection, open menus). */
  update(props: Props): void;
  /** Unmounts and frees the view. The handle cannot be used again. */
  unmount(): void;
}

export interface NavigationEvents {
  logOut(): void;
}

export interface FooterEvents {
  chooseTheme(theme: Theme): void;
}

export interface HomeEvents {
  chooseDaypart(daypart: Daypart): void;
  changeLine(line: string): void;
  /** The visitor follows a link to the products with this line. */
  takeHome(line: string): void;
}

export interface ProductEvents {
  /** Adds the quantity that was typed to the cart, or returns the error message. */
  addToCart(quantity: string): string | undefined;
  /** Asks for an email to this address when the product is back in stock. */
  emailWhenBack(email: string): void;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// An element: JavaScript callers may pass anything.
    #[wasm_bindgen(typescript_type = "HTMLElement")]
    pub type Host;

    #[wasm_bindgen(typescript_type = "NavigationEvents")]
    pub type NavigationListener;
    #[wasm_bindgen(method, js_name = logOut)]
    fn log_out(this: &NavigationListener);

    #[wasm_bindgen(typescript_type = "FooterEvents")]
    pub type FooterListener;
    #[wasm_bindgen(method, js_name = chooseTheme)]
    fn choose_theme(this: &FooterListener, theme: &str);

    #[wasm_bindgen(typescript_type = "HomeEvents")]
    pub type HomeListener;
    #[wasm_bindgen(method, js_name = chooseDaypart)]
    fn choose_daypart(this: &HomeListener, daypart: &str);
    #[wasm_bindgen(method, js_name = changeLine)]
    fn change_line(this: &HomeListener, line: &str);
    #[wasm_bindgen(method, js_name = takeHome)]
    fn take_home(this: &HomeListener, line: &str);

    #[wasm_bindgen(typescript_type = "ProductEvents")]
    pub type ProductListener;
    #[wasm_bindgen(method, js_name = addToCart)]
    fn add_to_cart(this: &ProductListener, quantity: String) -> Option<String>;
    #[wasm_bindgen(method, js_name = emailWhenBack)]
    fn email_when_back(this: &ProductListener, email: &str);
}

/// A mounted view. Dropping it unmounts the view and disposes of its reactive owner.
#[wasm_bindgen(skip_typescript)]
pub struct ViewHandle {
    update: Box<dyn Fn(JsValue) -> Result<(), JsValue>>,
    _mounted: Box<dyn Any>,
}

#[wasm_bindgen]
impl ViewHandle {
    #[wasm_bindgen(skip_typescript)]
    pub fn update(&self, props: JsValue) -> Result<(), JsValue> {
        (self.update)(props)
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn unmount(self) {}
}

/// Mounts the navigation bar into `element`.
#[wasm_bindgen(js_name = mountNavigationBar, unchecked_return_type = "ViewHandle<NavigationProps>")]
pub fn mount_navigation_bar(
    element: Host,
    props: Ts<NavigationProps>,
    events: NavigationListener,
) -> Result<ViewHandle, JsValue> {
    js::expect_functions("events", &events, &["logOut"])?;
    let events = SendWrapper::new(events);
    mount(element, props, move |props| {
        let log_out = Callback::new(move |()| events.log_out());
        navigation_bar(props, NavigationEvents { log_out })
    })
}

/// Mounts the footer into `element`.
#[wasm_bindgen(js_name = mountFooter, unchecked_return_type = "ViewHandle<FooterProps>")]
pub fn mount_footer(element: Host, props: Ts<FooterProps>, events: FooterListener) -> Result<ViewHandle, JsValue> {
    js::expect_functions("events", &events, &["chooseTheme"])?;
    let events = SendWrapper::new(events);
    mount(element, props, move |props| {
        let choose_theme = Callback::new(move |theme: Theme| events.choose_theme(theme.as_str()));
        footer(props, FooterEvents { choose_theme })
    })
}

/// Mounts the home page into `element`.
#[wasm_bindgen(js_name = mountHomePage, unchecked_return_type = "ViewHandle<HomeProps>")]
pub fn mount_home_page(element: Host, props: Ts<HomeProps>, events: HomeListener) -> Result<ViewHandle, JsValue> {
    js::expect_functions("events", &events, &["chooseDaypart", "changeLine", "takeHome"])?;
    let events = SendWrapper::new(std::rc::Rc::new(events));
    mount(element, props, move |props| {
        let (typed, taken) = (events.clone(), events.clone());
        let choose_daypart = Callback::new(move |daypart: Daypart| events.choose_daypart(daypart.as_str()));
        let change_line = Callback::new(move |line: String| typed.change_line(&line));
        let take_home = Callback::new(move |line: String| taken.take_home(&line));
        home_page(props, HeroEvents { choose_daypart, change_line, take_home })
    })
}

/// Mounts a text page into `element`.
#[wasm_bindgen(js_name = mountTextPage, unchecked_return_type = "ViewHandle<TextPageProps>")]
pub fn mount_text_page(element: Host, props: Ts<TextPageProps>) -> Result<ViewHandle, JsValue> {
    mount(element, props, text_page)
}

/// Mounts the product list into `element`.
#[wasm_bindgen(js_name = mountProductList, unchecked_return_type = "ViewHandle<ProductListProps>")]
pub fn mount_product_list(element: Host, props: Ts<ProductListProps>) -> Result<ViewHandle, JsValue> {
    mount(element, props, product_list)
}

/// Mounts a product page into `element`.
#[wasm_bindgen(js_name = mountProductPage, unchecked_return_type = "ViewHandle<ProductProps>")]
pub fn mount_product_page(
    element: Host,
    props: Ts<ProductProps>,
    events: ProductListener,
) -> Result<ViewHandle, JsValue> {
    js::expect_functions("events", &events, &["addToCart", "emailWhenBack"])?;
    let events = SendWrapper::new(Rc::new(events));
    mount(element, props, move |props| {
        let for_email = events.clone();
        let add_to_cart = Callback::new(move |quantity| events.add_to_cart(quantity));
        let email_when_back = Callback::new(move |email: String| for_email.email_when_back(&email));
        product_page(props, ProductEvents { add_to_cart, email_when_back })
    })
}

/// Mounts the page of a product that does not exist into `element`.
#[wasm_bindgen(js_name = mountProductNotFound, unchecked_return_type = "ViewHandle<object>")]
pub fn mount_product_not_found(element: Host) -> Result<ViewHandle, JsValue> {
    mount_static(element, product_not_found)
}

/// Mounts the picture of an empty state into `element`.
#[wasm_bindgen(js_name = mountUnlitLight, unchecked_return_type = "ViewHandle<object>")]
pub fn mount_unlit_light(element: Host) -> Result<ViewHandle, JsValue> {
    mount_static(element, unlit_light)
}

/// Mounts an order's receipt into `element`.
#[wasm_bindgen(js_name = mountOrderReceipt, unchecked_return_type = "ViewHandle<ReceiptProps>")]
pub fn mount_order_receipt(element: Host, props: Ts<ReceiptProps>) -> Result<ViewHandle, JsValue> {
    mount(element, props, order_receipt)
}

/// Mounts a view without props.
fn mount_static(element: Host, view: fn() -> AnyView) -> Result<ViewHandle, JsValue> {
    let mounted = mount_to(host(element)?, view);
    Ok(ViewHandle { update: Box::new(|_| Ok(())), _mounted: Box::new(mounted) })
}

fn mount<P>(
    element: Host,
    props: Ts<P>,
    view: impl FnOnce(Signal<P>) -> AnyView + 'static,
) -> Result<ViewHandle, JsValue>
where
    P: Tsify<JsType: JsCast> + DeserializeOwned + Send + Sync + 'static,
{
    let (element, given) = (host(element)?, js::read("props", &props.js_value())?);
    let owner = Owner::new();
    let props = owner.with(|| RwSignal::new(given));
    // Boxed, so that `mount_to` is compiled once and not for each view.
    let view: Box<dyn FnOnce() -> AnyView> = Box::new(move || view(props.into()));
    let mounted = owner.with(|| mount_to(element, view));
    let update = move |changed: JsValue| {
        props.set(js::read("props", &changed)?);
        Ok(())
    };
    Ok(ViewHandle { update: Box::new(update), _mounted: Box::new((mounted, owner)) })
}

fn host(element: Host) -> Result<HtmlElement, JsValue> {
    element.dyn_into().map_err(|_| js::type_error("element", "expected an element of the page"))
}
