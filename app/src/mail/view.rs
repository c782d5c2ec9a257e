//! A letter as HTML.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use super::MailShop;
use super::dress;
use super::letter::{Letter, Part, signature};
use crate::orders::receipt_view;
use crate::ui::{Medium, html, one_line};

pub(super) fn letter_html(letter: Letter, shop: &MailShop) -> String {
    html(document(letter, shop))
}

fn document(letter: Letter, shop: &MailShop) -> impl IntoView + use<> {
    let title = one_line(&letter.subject);
    let body = view! {
        <tr>
            <td style=dress::BRAND>
                <span style=dress::LAMP></span>
                {one_line(&shop.name)}
            </td>
        </tr>
        <tr>
            <td style=dress::CARD>
                <h1 style=dress::HEADING>{one_line(&letter.heading)}</h1>
                {letter.parts.into_iter().map(part).collect_view()}
            </td>
        </tr>
        <tr>
            <td style=dress::SIGNATURE>{signature_lines(shop)}</td>
        </tr>
    };
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light only" />
                <title>{title}</title>
            </head>
            <body style=dress::BODY>
                <table role="presentation" style=dress::PAPER>
                    <tr>
                        <td style=format!("{};{}", dress::FONT, dress::MARGIN)>
                            <table role="presentation" style={dress::SHEET} {..custom_attribute("width", "560")}>
                                {body}
                            </table>
                        </td>
                    </tr>
                </table>
            </body>
        </html>
    }
}

fn part(part: Part) -> AnyView {
    match part {
        Part::Say(text) => view! { <p style=dress::SAY>{text}</p> }.into_any(),
        Part::Code(code) => view! { <p style=dress::CODE>{code}</p> }.into_any(),
        Part::Go { label, url } => way_on(label, url, dress::BUTTON).into_any(),
        Part::Or { label, url } => way_on(label, url, dress::WAY_ASIDE).into_any(),
        Part::Receipt(receipt) => {
            view! { <div style=dress::RECEIPT>{receipt_view(*receipt, Medium::Mail)}</div> }.into_any()
        }
        Part::Aside(text) => view! { <p style=dress::ASIDE>{text}</p> }.into_any(),
    }
}

fn way_on(label: &'static str, url: String, style: &'static str) -> impl IntoView {
    view! {
        <p style=dress::GO>
            <a href=url style=style>
                {label}
            </a>
        </p>
    }
}

fn signature_lines(shop: &MailShop) -> impl IntoView + use<> {
    let [name, url, email] = signature(shop);
    let (home, mailto) = (url.clone(), format!("mailto:{email}"));
    view! {
        <span style=dress::SIGNATURE_LINE>{name}</span>
        <a href=home style=dress::LINK>
            {url}
        </a>
        " · "
        <a href=mailto style=dress::LINK>
            {email}
        </a>
    }
}
