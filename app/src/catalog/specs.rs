use leptos::prelude::*;
use wasm_core::catalog::{
    Plug, Product, country_name, dimensions_text, length_text, power_text, warranty_text, weight_text,
};

use crate::ui::sample_file;

const EVERY_LIGHT: [(&str, &str); 5] = [
    ("Supply", "USB, 5 V"),
    ("Dimming", "1% to 100%"),
    ("Time sync", "2.4 GHz Wi-Fi"),
    ("Schedule", "Up to 64 rules in one text file"),
    ("Works with", "Any text editor"),
];

/// What is in the box, the specifications, a sample schedule and what people ask before they buy.
pub(super) fn specs(product: &Product) -> AnyView {
    view! {
        <div class="mt-12 grid gap-x-12 gap-y-10 border-t border-line pt-10 lg:grid-cols-[1.2fr_1fr]">
            <section>
                <h2 class="mb-3 text-xl">"Specifications"</h2>
                <dl class="grid gap-1.5">{specifications(product)}</dl>
            </section>
            <div class="grid content-start gap-10">
                {in_the_box(&product.in_the_box)}
                <section class="grid content-start gap-3">
                    <h2 class="text-xl">"Sample schedule"</h2>
                    {sample_file()}
                    <p class="text-muted">
                        "That’s the whole setup. "
                        <a href="/schedule-lab" class="text-link">
                            "Try it in the Schedule Lab"
                        </a>
                    </p>
                </section>
            </div>
            <section class="lg:col-span-full">
                <h2 class="mb-3 text-xl">"Good to know"</h2>
                <dl class="grid gap-x-12 gap-y-5 lg:grid-cols-2">
                    {answers(product).into_iter().map(answer).collect_view()}
                </dl>
            </section>
        </div>
    }
    .into_any()
}

/// Questions and answers. The firmware sends nothing but time requests and follows no schedule before it knows the time.
fn answers(product: &Product) -> Vec<(&'static str, String)> {
    let timekeeping = product.timekeeping_days.map(|days| format!(" It stays right to the minute for {days} days."));
    let plug = product.plug.map(|plug| match plug {
        Plug::UsbA => "Its plug is USB-A. In a USB-C port, use any adapter from USB-C to USB-A.",
        Plug::UsbC => "Yes, its plug is USB-C.",
    });
    let answers = [
        (
            "Does it work while my laptop sleeps?",
            Some(
                "As long as the port has power. Many laptops turn their ports off; a charger keeps the light on."
                    .into(),
            ),
        ),
        (
            "Does it work without Wi-Fi?",
            Some(
                [
                    "Each time you plug it in, it needs Wi-Fi once to get the time. Then it keeps time by itself.",
                    &timekeeping.unwrap_or_default(),
                ]
                .concat(),
            ),
        ),
        ("What does it send?", Some("Nothing about you. It asks time servers for the time, and that’s all.".into())),
        ("Does it fit USB-C?", plug.map(str::to_owned)),
        ("How bright is it?", product.brightness_lm.map(brightness)),
    ];
    answers.into_iter().filter_map(|(question, answer)| Some((question, answer?))).collect()
}

fn brightness(lumens: i64) -> String {
    let unit = if lumens == 1 { "lumen" } else { "lumens" };
    format!("{lumens} {unit} at 100%. You set the brightness of each rule, from 1% to 100%.")
}

fn answer((question, answer): (&'static str, String)) -> AnyView {
    view! {
        <div>
            <dt class="font-medium">{question}</dt>
            <dd class="text-muted">{answer}</dd>
        </div>
    }
    .into_any()
}

/// What every light has, and the product's own facts as far as they are given.
fn specifications(product: &Product) -> Vec<AnyView> {
    let mut rows = Vec::new();
    let mut row = |term, value: Option<String>| rows.extend(value.map(|value| specification(term, value)));
    row("Dimensions", product.dimensions.map(dimensions_text));
    row("Plug", product.plug.map(|plug| plug.label().to_owned()));
    row("Cable", product.cable_length_mm.map(length_text));
    row("Power", product.power_mw.map(power_text));
    row("Brightness", product.brightness_lm.map(|lumens| format!("{lumens} lm")));
    row("LED color", product.led_color.clone());
    for (term, value) in EVERY_LIGHT {
        row(term, Some(value.to_owned()));
    }
    row("Warranty", product.warranty_months.map(warranty_text));
    row("Shipping weight", Some(weight_text(product.weight_pounds)));
    row("Made in", product.origin_country.as_deref().map(|code| country_name(code).to_owned()));
    row("SKU", product.sku.clone());
    row("GTIN", product.gtin.clone());
    rows
}

fn specification(term: &'static str, value: String) -> AnyView {
    view! {
        <div class="flex justify-between gap-4 border-b border-line pb-1.5">
            <dt class="text-muted">{term}</dt>
            <dd class="text-right font-medium text-balance wrap-anywhere">{value}</dd>
        </div>
    }
    .into_any()
}

fn in_the_box(items: &[String]) -> Option<AnyView> {
    let item = |item: &String| view! { <li class="wrap-anywhere">{item.clone()}</li> };
    let section = view! {
        <section>
            <h2 class="mb-3 text-xl">"In the box"</h2>
            <ul class="grid list-disc gap-1.5 pl-5 marker:text-glow">{items.iter().map(item).collect_view()}</ul>
            <p class="mt-4 text-muted">"No charger, no batteries, nothing to install. No app, no account, no sound."</p>
        </section>
    };
    (!items.is_empty()).then(|| section.into_any())
}
