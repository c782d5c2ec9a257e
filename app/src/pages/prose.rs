use leptos::prelude::*;
use serde::Serialize;
use wasm_core::catalogue::LampColor;

use super::text::{Block, Line, Text, Word};
use crate::ui::classes::CODE;
use crate::ui::{Lamp, Part, Props, changing, drawn_light, part, row, still};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct TextPageProps {
    pub text: Text,
    pub shop_name: String,
    pub support_email: String,
    /// The service that keeps robots out, if another one than our own.
    pub checked_by: Option<String>,
    /// The host of the service that counts page views, if another one than our own.
    pub counted_by: Option<String>,
    /// The light's program, if the shop offers it.
    pub firmware: Option<FirmwareFile>,
}

/// A file to copy onto a light.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct FirmwareFile {
    pub url: String,
    pub bytes: u32,
}

/// A page of text.
pub fn text_page(props: Props<TextPageProps>) -> impl Part {
    changing(move || {
        props.with(|props| {
            let (start, end) = props.text.heading();
            let end = row(end.map(|end| word(&end, props)));
            let blocks = row(props.text.blocks().iter().map(|part| block(part, props)));
            part(view! {
                <article class="mx-auto grid w-full max-w-2xl gap-4">
                    <h1 tabindex="-1" class="mb-2 text-4xl wrap-anywhere">
                        {start}
                        {end}
                    </h1>
                    {blocks}
                </article>
                {row((props.text == Text::Tutorial).then(place_of_the_lab))}
            })
        })
    })
}

/// Where the shell puts the Schedule Lab, which is a package of its own. The view leaves the inside of the place alone.
fn place_of_the_lab() -> impl Part {
    part(view! {
        <section id="lab" aria-labelledby="lab-title" class="wide mt-16 scroll-mt-6 border-t border-line pt-10">
            <h2 id="lab-title" tabindex="-1" class="text-3xl">
                "Schedule Lab"
            </h2>
            <p class="mt-2 mb-8 max-w-2xl text-lg/8 text-muted">
                "Write your schedule here, see at once what is wrong with it, and watch the light follow it through the week. Then save it on the drive."
            </p>
            <div id="lab-place" class="min-h-96 noscript:hidden"></div>
            <noscript>
                <p>"The Lab needs JavaScript. Any text editor does as well."</p>
            </noscript>
        </section>
    })
}

fn block(block: &Block, props: &TextPageProps) -> AnyView {
    match block {
        Block::Heading(text) => still(format!(r#"<h2 class="pt-5 text-2xl">{text}</h2>"#)).erased(),
        Block::Say(line) => view! { <p class="text-lg/8">{words(line, props)}</p> }.into_any(),
        Block::List(lines) => {
            view! { <ul class="grid list-disc gap-2 pl-6 text-lg/8 marker:text-glow">{items(lines, props)}</ul> }
                .into_any()
        }
        Block::Steps(lines) => {
            view! { <ol class="grid list-decimal gap-2 pl-6 text-lg/8 marker:text-muted">{items(lines, props)}</ol> }
                .into_any()
        }
        Block::File(text) => still(format!(
            r#"<pre tabindex="0" role="region" aria-label="A sample schedule" class="{CODE}">{text}</pre>"#
        ))
        .erased(),
        Block::Services => row(services(props)).erased(),
        Block::Firmware => row(props.firmware.as_ref().map(firmware)).erased(),
        Block::Picture(scene) => view! {
            <div class="my-2 aspect-16/9 overflow-hidden rounded-card border border-line shadow-card">
                {drawn_light(*scene, LampColor::Amber, Lamp::On.still(), None)}
            </div>
        }
        .into_any(),
    }
}

fn services(props: &TextPageProps) -> impl Iterator<Item = impl Part + use<>> {
    let checked = props.checked_by.as_ref().map(|service| {
        format!("When you register or log in, {service} checks that you are no robot. It sees your browser and your address on the network.")
    });
    let counted = props
        .counted_by
        .as_ref()
        .map(|host| format!("Views of public pages are counted by the server at {host}, which sees the same."));
    [checked, counted].into_iter().flatten().map(|sentence| part(view! { <p class="text-lg/8">{sentence}</p> }))
}

fn firmware(file: &FirmwareFile) -> impl Part + use<> {
    part(view! {
        <h2 class="pt-5 text-2xl">"Bring a light up to date"</h2>
        <p class="text-lg/8">
            <a href=file.url.clone() download="" class="text-link">
                "Download the light’s program"
            </a>
            {format!(" (UF2, {} KB)", file.bytes.div_ceil(1024))}
            ". Hold the button BOOTSEL on its board while you plug it in, and copy the file onto the drive RPI-RP2 that appears. Your schedule stays on the light."
        </p>
    })
}

fn items(lines: &[Line], props: &TextPageProps) -> impl Part + use<> {
    row(lines.iter().map(|line| part(view! { <li>{words(line, props)}</li> })))
}

fn words(line: Line, props: &TextPageProps) -> impl Part + use<> {
    row(line.iter().map(|part| word(part, props)))
}

fn word(word: &Word, props: &TextPageProps) -> AnyView {
    match word {
        Word::Say(text) => text.into_any(),
        Word::Shop => props.shop_name.clone().into_any(),
        Word::Code(text) => {
            still(format!(r#"<code class="rounded bg-line/60 px-1.5 py-0.5 font-mono text-[0.85em]">{text}</code>"#))
                .erased()
        }
        Word::Link(href, text) => link((*href).to_owned(), (*text).to_owned()),
        Word::SupportEmail => link(format!("mailto:{}", props.support_email), props.support_email.clone()),
    }
}

fn link(href: String, text: String) -> AnyView {
    view! {
        <a href=href class="text-link wrap-anywhere">
            {text}
        </a>
    }
    .into_any()
}
