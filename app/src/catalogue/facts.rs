use leptos::prelude::*;

use super::product::{ProductProps, name};
use crate::ui::{Part, Props, changing, part, row, sample_file, still, text};

const MEASURES: [(&str, &str); 5] = [
    ("Plug", "USB, 5 V"),
    ("Clock", "Over 2.4 GHz wifi"),
    ("Brightness", "1% to 100%"),
    ("Schedule", "Up to 64 rules, one text file"),
    ("Works with", "Anything that can edit a text file"),
];

/// What is in the box, measures, and a sample schedule.
pub(super) fn product_facts(props: Props<ProductProps>) -> impl Part {
    let weight = move || props.with(|props| measure("Weight, packed", &props.product.weight_pounds.to_string()));
    let measures = MEASURES.map(|(what, value)| measure(what, value));
    part(view! {
        <div class="mt-14 grid gap-x-12 gap-y-10 border-t border-line pt-10 md:grid-cols-2 lg:grid-cols-[1fr_1fr_1.4fr]">
            <section>
                <h2 class="mb-3 text-xl">"In the box"</h2>
                <ul class="grid list-disc gap-1.5 pl-5 marker:text-glow">
                    <li class="wrap-anywhere">{text(move || name(props))}</li>
                    <li>"A card with the three steps of the setup"</li>
                </ul>
                <p class="mt-4 text-muted">"No charger, no battery, nothing to install."</p>
            </section>
            <section>
                <h2 class="mb-3 text-xl">"Measures"</h2>
                <dl class="grid gap-1.5">{row(measures)} {changing(weight)}</dl>
            </section>
            <section class="grid content-start gap-3 md:max-lg:col-span-2">
                <h2 class="text-xl">"A sample schedule"</h2>
                {sample_file()}
                <p class="text-muted">
                    "Three settings, three rules. "
                    <a href="/tutorial" class="text-link">
                        "How to write your own"
                    </a>
                    " · "
                    <a href="/tutorial#lab" class="text-link">
                        "Try its schedule"
                    </a>
                </p>
            </section>
        </div>
    })
}

fn measure(what: &str, value: &str) -> impl Part + use<> {
    still(format!(
        r#"<div class="flex justify-between gap-4 border-b border-line pb-1.5"><dt class="text-muted">{what}</dt><dd class="text-right font-medium">{value}</dd></div>"#
    ))
}
