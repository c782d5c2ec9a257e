use leptos::prelude::*;

use super::product_props::{ProductProps, name};
use crate::ui::sample_file;

const SPECIFICATIONS: [(&str, &str); 5] = [
    ("Power", "USB, 5 V"),
    ("Time sync", "2.4 GHz Wi-Fi"),
    ("Brightness", "1% to 100%"),
    ("Schedule", "Up to 64 rules in one text file"),
    ("Works with", "Any text editor"),
];

/// What is in the box, the specifications and a sample schedule.
pub(super) fn specs(props: Signal<ProductProps>) -> AnyView {
    let weight = move || props.with(|props| props.product.weight_pounds.to_string());
    view! {
        <div class="mt-14 grid gap-x-12 gap-y-10 border-t border-line pt-10 md:grid-cols-2 lg:grid-cols-[1fr_1fr_1.4fr]">
            <section>
                <h2 class="mb-3 text-xl">"In the box"</h2>
                <ul class="grid list-disc gap-1.5 pl-5 marker:text-glow">
                    <li class="wrap-anywhere">{move || name(props)}</li>
                    <li>"Quick-start card"</li>
                </ul>
                <p class="mt-4 text-muted">"No charger, no batteries, nothing to install."</p>
            </section>
            <section>
                <h2 class="mb-3 text-xl">"Specifications"</h2>
                <dl class="grid gap-1.5">
                    {SPECIFICATIONS.into_iter().map(|(term, value)| spec(term, value.to_owned())).collect_view()}
                    {move || spec("Shipping weight", weight())}
                </dl>
            </section>
            <section class="grid content-start gap-3 md:max-lg:col-span-2">
                <h2 class="text-xl">"Sample schedule"</h2>
                {sample_file()}
                <p class="text-muted">
                    "Three settings, three rules. "
                    <a href="/tutorial" class="text-link">
                        "Write your own"
                    </a>
                    " · "
                    <a href="/tutorial#lab" class="text-link">
                        "Try it in the Schedule Lab"
                    </a>
                </p>
            </section>
        </div>
    }
    .into_any()
}

fn spec(term: &'static str, value: String) -> AnyView {
    view! {
        <div class="flex justify-between gap-4 border-b border-line pb-1.5">
            <dt class="text-muted">{term}</dt>
            <dd class="text-right font-medium">{value}</dd>
        </div>
    }
    .into_any()
}
