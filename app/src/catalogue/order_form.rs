use leptos::ev::SubmitEvent;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use std::time::Duration;
use wasm_core::cart::{CartError, quantity_limit};

use super::product::{ProductEvents, ProductProps, name};
use crate::ui::{Icon, Part, Props, State, changing, icon, part, row, word};

/// How long the notice stays.
const NOTICE: Duration = Duration::from_secs(3);

/// How many, and into the cart. The rules decide in the cart; here is what they said.
pub(super) fn order_form(props: Props<ProductProps>, events: ProductEvents) -> impl Part {
    let quantity = State::new(|| "1".to_owned());
    let refusal = State::new(|| None::<String>);
    let notice = State::new(|| None::<String>);
    let timer = State::new(|| None::<TimeoutHandle>);
    let available = move || props.with(|props| props.product.available);
    // The attribute is there or not; what it says is nothing.
    let sold_out = move || word(move || (available() == 0).then_some(""));
    let stop = move || {
        if let Some(timer) = timer.get_untracked() {
            timer.clear();
        }
    };
    on_cleanup(stop);

    let type_quantity = move |typed: String| {
        refusal.set(too_many(&typed, untrack(available)));
        quantity.set(typed);
    };
    let step = move |by: i64| {
        let typed = quantity.get_untracked().parse::<i64>().unwrap_or(1);
        type_quantity(typed.saturating_add(by).clamp(1, quantity_limit(untrack(available)).max(1)).to_string());
    };
    let add = move |event: SubmitEvent| {
        event.prevent_default();
        stop();
        let refused = events.add_to_cart.run(quantity.get_untracked());
        notice.set(refused.is_none().then(|| untrack(move || name(props))));
        refusal.set(refused);
        let end = set_timeout_with_handle(move || notice.set(None), NOTICE);
        timer.set(end.ok());
    };
    part(view! {
        <form on:submit=add novalidate class="grid gap-4">
            <div class="flex flex-wrap items-end gap-4">
                <div class="grid gap-1.5">
                    <label for="quantity" class="text-sm font-medium">
                        "Quantity"
                    </label>
                    <div class="quantity">
                        <button type="button" aria-label="One less" class="quantity-step" disabled=sold_out() on:click=move |_| step(-1)>
                            "−"
                        </button>
                        <input
                            id="quantity"
                            type="number"
                            inputmode="numeric"
                            min="1"
                            max=word(move || Some(quantity_limit(available()).max(1).to_string()))
                            value="1"
                            prop:value=move || quantity.get()
                            disabled=sold_out()
                            aria-invalid=word(move || refusal.get().is_some().then_some("true"))
                            aria-describedby="quantity-refused"
                            class="quantity-field"
                            on:input=move |event| type_quantity(event_target_value(&event))
                        />
                        <button type="button" aria-label="One more" class="quantity-step" disabled=sold_out() on:click=move |_| step(1)>
                            "+"
                        </button>
                    </div>
                </div>
                <button type="submit" class="button-primary grow" disabled=sold_out()>
                    "Add to Cart"
                </button>
            </div>
            <div id="quantity-refused">{changing(move || row(refusal.get().map(refused)))}</div>
            <noscript>
                <p class="text-muted">"Your cart is kept in your browser, which needs JavaScript to do so."</p>
            </noscript>
            // Over the page, which does not move. The region is there from the start: a reader hears what changes in it.
            <div
                role="status"
                class="pointer-events-none fixed inset-x-0 z-40 flex justify-center px-4 max-sm:top-20 sm:bottom-6"
            >
                {changing(move || row(notice.get().map(added)))}
            </div>
        </form>
    })
}

/// What is wrong with a quantity while it is typed. Too few may be half a number, so that waits for Add to Cart.
fn too_many(typed: &str, available: i64) -> Option<String> {
    let quantity: i64 = typed.trim().parse().ok()?;
    let error = match quantity {
        _ if quantity > available => CartError::NotEnoughStock,
        _ if quantity > quantity_limit(available) => CartError::TooManyOfOne,
        _ => return None,
    };
    Some(error.to_string())
}

fn refused(sentence: String) -> impl Part {
    part(view! {
        <p role="alert" class="flex items-start gap-3 rounded-field border border-bad bg-card px-4 py-3">
            {icon(Icon::Warning, "mt-0.5 size-5 shrink-0 text-bad")} <span>{sentence}</span>
        </p>
    })
}

fn added(name: String) -> impl Part {
    part(view! {
        <p class="pointer-events-auto rounded-field border border-line bg-card px-5 py-3 shadow-float wrap-anywhere">
            {name} " was added to your cart. "
            <a href="/cart" class="text-link">
                "View Cart"
            </a>
        </p>
    })
}
