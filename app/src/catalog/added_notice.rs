//! The confirmation of Add to Cart.

use std::time::Duration;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

/// How long the confirmation stays visible.
const DURATION: Duration = Duration::from_secs(3);

/// The confirmation's state.
#[derive(Clone, Copy)]
pub(super) struct AddedNotice {
    /// Name of the product that was added.
    product: RwSignal<Option<String>>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl AddedNotice {
    pub fn new() -> Self {
        Self { product: RwSignal::new(None), timer: StoredValue::new(None) }
    }

    pub fn show(self, product: String) {
        self.product.set(Some(product));
    }

    pub fn hide(self) {
        self.product.set(None);
    }

    fn start_timer(self) {
        self.stop_timer();
        self.timer.set_value(set_timeout_with_handle(move || self.hide(), DURATION).ok());
    }

    fn stop_timer(self) {
        if let Some(timer) = self.timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    }
}

/// The live region exists from the start, so that screen readers announce its changes. It floats above the page to avoid a
/// layout shift, and away from the bar at the bottom of a small screen.
pub(super) fn added_notice(notice: AddedNotice) -> AnyView {
    on_cleanup(move || notice.stop_timer());
    view! {
        <div
            role="status"
            class="pointer-events-none fixed inset-x-0 z-40 flex justify-center px-4 max-lg:top-20 lg:bottom-6"
        >
            {move || notice.product.get().map(|product| message(notice, product))}
        </div>
    }
    .into_any()
}

/// The timer stops while the pointer or the focus is inside (WCAG 2.2.1), and starts again afterward.
fn message(notice: AddedNotice, product: String) -> AnyView {
    let (has_pointer, has_focus) = (RwSignal::new(false), RwSignal::new(false));
    Effect::new(move |_| if has_pointer.get() || has_focus.get() { notice.stop_timer() } else { notice.start_timer() });
    view! {
        <p
            class="pointer-events-auto rounded-field border border-line bg-card px-5 py-3 shadow-float wrap-anywhere"
            on:pointerenter=move |_| has_pointer.set(true)
            on:pointerleave=move |_| has_pointer.set(false)
            on:focusin=move |_| has_focus.set(true)
            on:focusout=move |_| has_focus.set(false)
        >
            {product} " was added to your cart. "
            <a href="/cart" class="text-link">
                "View Cart"
            </a>
        </p>
    }
    .into_any()
}
