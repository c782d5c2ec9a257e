use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalog::LampColor;

use super::text::{Block, Inline, Line, Text};
use crate::ui::classes::CODE;
use crate::ui::{Lamp, illustration};

/// Props of [`text_page`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct TextPageProps {
    pub text: Text,
    pub shop_name: String,
    /// The text of a policy's page, as sanitized HTML of the server.
    pub policy: Option<String>,
    /// The firmware download, if the shop offers it.
    pub firmware: Option<FirmwareFile>,
}

/// A firmware file to copy onto a light.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct FirmwareFile {
    pub url: String,
    pub bytes: u32,
}

/// One of the text pages.
pub fn text_page(props: Signal<TextPageProps>) -> AnyView {
    view! { {move || props.with(article)} }.into_any()
}

fn article(props: &TextPageProps) -> AnyView {
    if props.text == Text::ScheduleLab {
        return lab_page();
    }
    let (start, end) = props.text.heading();
    view! {
        <article class="mx-auto grid w-full max-w-2xl gap-4">
            <h1 tabindex="-1" class="mb-2 text-4xl wrap-anywhere">
                {start}
                {end.map(|end| inline(&end, props))}
            </h1>
            {props.text.blocks().iter().map(|content| block(content, props)).collect_view()}
            {props.policy.clone().map(|html| view! { <div class="policy" inner_html=html></div> })}
        </article>
        {(props.text == Text::Tutorial).then(lab_section)}
    }
    .into_any()
}

fn lab_page() -> AnyView {
    view! {
        <div class="wide">
            <h1 tabindex="-1" class="text-4xl">
                "Schedule Lab"
            </h1>
            // The headings of the Lab follow one of the second level, as in the tutorial.
            <h2 class="sr-only">"Write and try a schedule"</h2>
            {lab(placeholder())}
        </div>
    }
    .into_any()
}

/// The Lab as the last section of the tutorial.
fn lab_section() -> AnyView {
    view! {
        <section id="lab" aria-labelledby="lab-title" class="wide mt-16 scroll-mt-6 border-t border-line pt-10">
            <h2 id="lab-title" tabindex="-1" class="text-3xl">
                "Schedule Lab"
            </h2>
            {lab(None)}
        </section>
    }
    .into_any()
}

/// What the server shows until the Lab starts. The Lab replaces the time zone with the visitor's.
#[cfg(feature = "ssr")]
fn placeholder() -> Option<AnyView> {
    Some(crate::schedule::lab_placeholder("America/New_York"))
}

/// The shell keeps what the server has rendered.
#[cfg(not(feature = "ssr"))]
const fn placeholder() -> Option<AnyView> {
    None
}

/// The host of the Schedule Lab, which the shell mounts into it from a package of its own.
fn lab(placeholder: Option<AnyView>) -> AnyView {
    view! {
        <p class="mt-2 mb-8 max-w-2xl text-lg/8 text-muted">
            "Write your schedule, fix mistakes as you type, and preview your light through the week. Then save the file to the drive."
        </p>
        // As tall as the window, so that the footer below it does not move while the Lab appears.
        <div id="lab-place" class="min-h-screen noscript:hidden">
            {placeholder}
        </div>
        <noscript>
            <p>"The Lab needs JavaScript. Any text editor works."</p>
        </noscript>
    }
    .into_any()
}

fn block(block: &Block, props: &TextPageProps) -> AnyView {
    match block {
        Block::Heading(text) => view! { <h2 class="pt-5 text-2xl">{*text}</h2> }.into_any(),
        Block::Paragraph(line) => view! { <p class="text-lg/8">{inlines(line, props)}</p> }.into_any(),
        Block::List(lines) => {
            view! { <ul class="grid list-disc gap-2 pl-6 text-lg/8 marker:text-glow">{items(lines, props)}</ul> }
                .into_any()
        }
        Block::Steps(lines) => {
            view! { <ol class="grid list-decimal gap-2 pl-6 text-lg/8 marker:text-muted">{items(lines, props)}</ol> }
                .into_any()
        }
        Block::File(text) => sample(text),
        Block::Firmware => props.firmware.as_ref().map(firmware).into_any(),
        Block::Picture(picture) => view! {
            <div class="my-2 aspect-16/9 overflow-hidden rounded-card border border-line shadow-card">
                {illustration(*picture, LampColor::Amber, Lamp::On, None)}
            </div>
        }
        .into_any(),
    }
}

fn sample(text: &'static str) -> AnyView {
    view! {
        <pre tabindex="0" role="region" aria-label="Sample schedule" class=CODE>
            {text}
        </pre>
    }
    .into_any()
}

fn firmware(file: &FirmwareFile) -> AnyView {
    view! {
        <h2 class="pt-5 text-2xl">"Update your light"</h2>
        <p class="text-lg/8">
            <a href=file.url.clone() download="" class="text-link">
                "Download firmware"
            </a>
            {format!(" (UF2, {} KB)", file.bytes.div_ceil(1024))}
            ". Hold down the BOOTSEL button on the board while you plug it in, then copy the file to the RPI-RP2 drive that appears. Your schedule stays on the light."
        </p>
    }
    .into_any()
}

fn items(lines: &[Line], props: &TextPageProps) -> Vec<AnyView> {
    lines.iter().map(|line| view! { <li>{inlines(line, props)}</li> }.into_any()).collect()
}

fn inlines(line: Line, props: &TextPageProps) -> Vec<AnyView> {
    line.iter().map(|content| inline(content, props)).collect()
}

fn inline(content: &Inline, props: &TextPageProps) -> AnyView {
    match content {
        Inline::Text(text) => text.into_any(),
        Inline::ShopName => props.shop_name.clone().into_any(),
        Inline::Code(text) => {
            view! { <code class="rounded bg-line/60 px-1.5 py-0.5 font-mono text-[0.85em]">{*text}</code> }.into_any()
        }
        Inline::Link(href, text) => link(href, text),
    }
}

fn link(href: &'static str, text: &'static str) -> AnyView {
    view! {
        <a href=href class="text-link wrap-anywhere">
            {text}
        </a>
    }
    .into_any()
}
