//! The HTML part of an email.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use super::shop_info::ShopInfo;
use super::styles;
use super::template::{Block, EmailTemplate};
use crate::orders::receipt_view;
use crate::ui::{Target, single_line};

pub(super) fn document(template: EmailTemplate, shop: &ShopInfo) -> AnyView {
    let title = single_line(&template.subject);
    let body = body(template, shop);
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <style inner_html=styles::DARK></style>
                <title>{title}</title>
            </head>
            <body style=styles::BODY>
                <table role="presentation" style=styles::PAPER>
                    <tr>
                        <td style=format!("{};{}", styles::FONT, styles::MARGIN)>
                            <table role="presentation" style={styles::SHEET} {..custom_attribute("width", "560")}>
                                {body}
                            </table>
                        </td>
                    </tr>
                </table>
            </body>
        </html>
    }
    .into_any()
}

fn body(template: EmailTemplate, shop: &ShopInfo) -> AnyView {
    view! {
        <tr>
            <td style=styles::BRAND>
                <span style=styles::LAMP></span>
                {single_line(&shop.name)}
            </td>
        </tr>
        <tr>
            <td style=styles::CARD>
                <h1 style=styles::HEADING>{single_line(&template.heading)}</h1>
                {template.blocks.into_iter().map(block).collect_view()}
            </td>
        </tr>
        <tr>
            <td style=styles::SIGNATURE>{signature(shop)}</td>
        </tr>
    }
    .into_any()
}

fn block(block: Block) -> AnyView {
    match block {
        Block::Paragraph(text) => view! { <p style=styles::PARAGRAPH>{text}</p> }.into_any(),
        Block::Code(code) => view! { <p style=styles::CODE>{code}</p> }.into_any(),
        Block::Button { label, url } => action(label, url, styles::BUTTON),
        Block::Link { label, url } => action(label, url, styles::SECONDARY_LINK),
        Block::Receipt(receipt) => {
            view! { <div style=styles::RECEIPT>{receipt_view(*receipt, Target::Email)}</div> }.into_any()
        }
        Block::Note(text) => view! { <p style=styles::NOTE>{text}</p> }.into_any(),
    }
}

fn action(label: &'static str, url: String, style: &'static str) -> AnyView {
    view! {
        <p style=styles::ACTION>
            <a href=url style=style>
                {label}
            </a>
        </p>
    }
    .into_any()
}

fn signature(shop: &ShopInfo) -> AnyView {
    let [name, url, email] = [&shop.name, &shop.public_url, &shop.support_email].map(|line| single_line(line));
    let (home, mailto) = (url.clone(), format!("mailto:{email}"));
    let seller = shop.seller.as_deref().map(single_line);
    view! {
        <span style=styles::SIGNATURE_LINE>{name}</span>
        {seller.map(|seller| view! { <span style=styles::SIGNATURE_LINE>{seller}</span> })}
        <a href=home style=styles::LINK>
            {url}
        </a>
        " · "
        <a href=mailto style=styles::LINK>
            {email}
        </a>
    }
    .into_any()
}
