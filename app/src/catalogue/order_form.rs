use std::time::Duration;

use leptos::ev::SubmitEvent;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use wasm_core::cart::{CartError, quantity_limit};

use super::product_props::{ProductEvents, ProductProps, name};
use crate::ui::{Icon, icon};

/// How long the confirmation stays visible.
const NOTICE_DURATION: Duration = Duration::from_secs(3);

/// State of the form.
#[derive(Clone, Copy)]
struct Form {
    props: Signal<ProductProps>,
    events: ProductEvents,
    quantity: RwSignal<String>,
    error: RwSignal<Option<String>>,
    /// Name of the product that was added.
    notice: RwSignal<Option<String>>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl Form {
    fn new(props: Signal<ProductProps>, events: ProductEvents) -> Self {
        let quantity = RwSignal::new("1".to_owned());
        let (error, notice) = (RwSignal::new(None), RwSignal::new(None));
        Self { props, events, quantity, error, notice, timer: StoredValue::new(None) }
    }

    fn available(self) -> i64 {
        self.props.with(|props| props.product.available)
    }

    fn is_sold_out(self) -> bool {
        self.available() == 0
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
        self.stop_timer();
        let error = self.events.add_to_cart.run(self.quantity.get_untracked());
        self.notice.set(error.is_none().then(|| untrack(move || name(self.props))));
        self.error.set(error);
        let timer = set_timeout_with_handle(move || self.notice.set(None), NOTICE_DURATION);
        self.timer.set_value(timer.ok());
    }

    fn stop_timer(self) {
        if let Some(timer) = self.timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    }
}

/// The quantity and the Add to Cart button. The cart's rules decide; the form shows their error.
pub(super) fn order_form(props: Signal<ProductProps>, events: ProductEvents) -> AnyView {
    let form = Form::new(props, events);
    on_cleanup(move || form.stop_timer());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        form.add_to_cart();
    };
    view! {
        <form on:submit=submit novalidate class="grid gap-4">
            <div class="flex flex-wrap items-end gap-4">
                <div class="grid gap-1.5">
                    <label for="quantity" class="text-sm font-medium">
                        "Quantity"
                    </label>
                    {quantity_field(form)}
                </div>
                <button type="submit" class="button-primary grow" disabled=move || form.is_sold_out()>
                    "Add to Cart"
                </button>
            </div>
            <div id="quantity-error">{move || form.error.get().map(error_message)}</div>
            <noscript>
                <p class="text-muted">"Your cart is saved in your browser. Turn on JavaScript to use it."</p>
            </noscript>
            // The live region exists from the start, so that screen readers announce its changes. It floats above the
            // page to avoid a layout shift.
            <div
                role="status"
                class="pointer-events-none fixed inset-x-0 z-40 flex justify-center px-4 max-sm:top-20 sm:bottom-6"
            >
                {move || form.notice.get().map(added_notice)}
            </div>
        </form>
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

fn added_notice(name: String) -> AnyView {
    view! {
        <p class="pointer-events-auto rounded-field border border-line bg-card px-5 py-3 shadow-float wrap-anywhere">
            {name} " was added to your cart. "
            <a href="/cart" class="text-link">
                "View Cart"
            </a>
        </p>
    }
    .into_any()
}
