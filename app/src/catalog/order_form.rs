use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use wasm_core::cart::{CartError, quantity_limit};

use super::added_notice::{AddedNotice, added_notice};
use super::back_in_stock_form::back_in_stock_form;
use super::product_props::{ProductEvents, ProductProps, name};
use crate::ui::{Icon, icon};

/// State of the form.
#[derive(Clone, Copy)]
struct Form {
    props: Signal<ProductProps>,
    events: ProductEvents,
    quantity: RwSignal<String>,
    error: RwSignal<Option<String>>,
    notice: AddedNotice,
}

impl Form {
    fn new(props: Signal<ProductProps>, events: ProductEvents) -> Self {
        let quantity = RwSignal::new("1".to_owned());
        let error = RwSignal::new(None);
        Self { props, events, quantity, error, notice: AddedNotice::new() }
    }

    fn available(self) -> i64 {
        self.props.read().product.available
    }

    fn is_sold_out(self) -> bool {
        self.available() == 0
    }

    /// Only a product that is available has a bar at the bottom of a small screen.
    fn class(self) -> &'static str {
        if self.is_sold_out() { "grid gap-2 max-lg:mt-5" } else { "order-bar grid gap-2" }
    }

    fn price(self) -> String {
        self.props.read().product.price.to_string()
    }

    /// Why the button is disabled, or what is in the cart already.
    fn note(self) -> Option<String> {
        match self.props.read().in_cart {
            _ if self.is_sold_out() => Some("Sold out right now.".to_owned()),
            0 => None,
            in_cart => Some(format!("{in_cart} in your cart")),
        }
    }

    /// The largest quantity, and 1 when there is no stock.
    fn max(self) -> i64 {
        quantity_limit(self.available()).max(1)
    }

    fn type_quantity(self, typed: String) {
        self.error.set(over_limit(&typed, untrack(move || self.available())));
        self.quantity.set(typed);
    }

    fn step(self, by: i64) {
        let typed = self.quantity.get_untracked().parse::<i64>().unwrap_or(1);
        let max = untrack(move || self.max());
        self.type_quantity(typed.saturating_add(by).clamp(1, max).to_string());
    }

    fn add_to_cart(self) {
        let error = self.events.add_to_cart.run(self.quantity.get_untracked());
        if error.is_none() {
            self.notice.show(untrack(move || name(self.props)));
        } else {
            self.notice.hide();
        }
        self.error.set(error);
    }
}

/// The quantity and the Add to Cart button. The cart's rules decide; the form shows their error.
pub(super) fn order_form(props: Signal<ProductProps>, events: ProductEvents) -> AnyView {
    let form = Form::new(props, events);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        form.add_to_cart();
    };
    view! {
        <form on:submit=submit novalidate class=move || form.class()>
            <div class="flex items-end gap-3 lg:gap-4">
                // In the bar at the bottom of a small screen. The stylesheet shows it, because the page has the price
                // as text already.
                <span aria-hidden="true" data-price=move || form.price() class="order-price"></span>
                <div class="grid gap-1.5">
                    <label for="quantity" class="text-sm font-medium max-lg:sr-only">
                        "Quantity"
                    </label>
                    {quantity_field(form)}
                </div>
                <button
                    type="submit"
                    class="button-primary grow max-sm:px-3"
                    disabled=move || form.is_sold_out()
                    aria-describedby="order-note"
                >
                    "Add to Cart"
                </button>
            </div>
            <p id="order-note" class="text-sm font-medium empty:hidden">
                {move || form.note()}
            </p>
            <div id="quantity-error" class="empty:hidden">
                {move || form.error.get().map(error_message)}
            </div>
            <noscript>
                <p class="text-muted">"Your cart is saved in your browser. Turn on JavaScript to use it."</p>
            </noscript>
        </form>
        {added_notice(form.notice)}
        {back_in_stock_form(props, events)}
    }
    .into_any()
}

fn quantity_field(form: Form) -> AnyView {
    view! {
        <div class="quantity">
            {step_button(form, -1, "Decrease quantity", "−")}
            <input
                id="quantity"
                type="number"
                inputmode="numeric"
                min="1"
                max=move || form.max().to_string()
                value="1"
                prop:value=move || form.quantity.get()
                disabled=move || form.is_sold_out()
                aria-invalid=move || form.error.with(Option::is_some).then_some("true")
                aria-describedby="quantity-error"
                class="quantity-field"
                on:input=move |event| form.type_quantity(event_target_value(&event))
            />
            {step_button(form, 1, "Increase quantity", "+")}
        </div>
    }
    .into_any()
}

fn step_button(form: Form, by: i64, label: &'static str, sign: &'static str) -> AnyView {
    view! {
        <button
            type="button"
            aria-label=label
            class="quantity-step"
            disabled=move || form.is_sold_out()
            on:click=move |_| form.step(by)
        >
            {sign}
        </button>
    }
    .into_any()
}

/// Validates the upper limit while the customer types. The lower one waits for Add to Cart, because the number may be
/// incomplete.
fn over_limit(typed: &str, available: i64) -> Option<String> {
    let quantity: i64 = typed.trim().parse().ok()?;
    let error = match quantity {
        _ if quantity > available => CartError::NotEnoughStock,
        _ if quantity > quantity_limit(available) => CartError::TooManyOfOne,
        _ => return None,
    };
    Some(error.to_string())
}

fn error_message(message: String) -> AnyView {
    view! {
        <p role="alert" class="flex items-start gap-3 rounded-field border border-bad bg-card px-4 py-3">
            {icon(Icon::Warning, "mt-0.5 size-5 shrink-0 text-bad")} <span>{message}</span>
        </p>
    }
    .into_any()
}
