use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use super::product_props::{BackInStock, BackInStockState, ProductEvents, ProductProps};
use crate::ui::{Icon, icon};

/// Asks for an email when a sold-out product is back. Without JavaScript it is hidden.
pub(super) fn back_in_stock_form(props: Signal<ProductProps>, events: ProductEvents) -> AnyView {
    // A memo: the form stays, with what was typed, while its request is sent and answered.
    let is_sold_out = Memo::new(move |_| props.with(|props| props.product.available == 0));
    view! { {move || is_sold_out.get().then(|| form(props, events))} }.into_any()
}

fn form(props: Signal<ProductProps>, events: ProductEvents) -> AnyView {
    let email = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        events.email_when_back.run(email.get_untracked());
    };
    let state = move || props.with(|props| props.back_in_stock.state);
    view! {
        <form on:submit=submit novalidate class="grid gap-2 rounded-card border border-line p-4 max-lg:mt-5 noscript:hidden">
            <label for="back-in-stock-email" class="font-medium">
                "Email me when it’s back"
            </label>
            <div class="flex flex-wrap gap-3">
                <input
                    id="back-in-stock-email"
                    type="email"
                    autocomplete="email"
                    placeholder="you@example.com"
                    class="min-h-11 min-w-0 grow basis-48 rounded-field border border-edge bg-card px-3 py-2"
                    aria-describedby="back-in-stock-status"
                    aria-invalid=move || (state() == BackInStockState::Failed).then_some("true")
                    on:input=move |event| email.set(event_target_value(&event))
                />
                <button type="submit" class="button-secondary" disabled=move || state() == BackInStockState::Sending>
                    "Email Me"
                </button>
            </div>
            <div id="back-in-stock-status" role="status" class="text-sm text-muted">
                {move || props.with(|props| status(&props.back_in_stock))}
            </div>
        </form>
    }
    .into_any()
}

fn status(request: &BackInStock) -> AnyView {
    let message = request.message.clone();
    match request.state {
        BackInStockState::Idle => "One email, then we delete your address.".into_any(),
        BackInStockState::Sending => "Sending...".into_any(),
        BackInStockState::Sent => message.into_any(),
        BackInStockState::Failed => view! {
            <span class="flex items-start gap-2 text-bad">
                {icon(Icon::Warning, "mt-0.5 size-5 shrink-0")} <span>{message}</span>
            </span>
        }
        .into_any(),
    }
}
