//! The receipt as HTML: the same elements on the order page, in print and in emails.

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::orders::Order;

use super::receipt::{NO_ITEMS, Receipt, ReceiptLine, Sum, Tracking, picture_id};
use super::styles;
use crate::ui::{Target, single_line};

/// Props of [`order_receipt`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ReceiptProps {
    pub order: Order,
    pub shop_name: String,
    pub support_email: String,
    /// The shop's URL, for print.
    pub public_url: String,
}

/// The receipt on a page.
pub fn order_receipt(props: Signal<ReceiptProps>) -> AnyView {
    view! {
        <p {..Target::Page.apply(styles::PRINT_ONLY)}>{move || props.with(letterhead)}</p>
        {move || props.with(|props| receipt_view(Receipt::of(&props.order, &props.support_email), Target::Page))}
    }
    .into_any()
}

fn letterhead(props: &ReceiptProps) -> String {
    single_line(&format!("{} · {}", props.shop_name, props.public_url))
}

/// The receipt itself.
pub fn receipt_view(receipt: Receipt, target: Target) -> AnyView {
    let Receipt { title, placed, status, lines, sums, total, payment, tracking, ship_to, bill_to, support_email } =
        receipt;
    let heading = if target == Target::Page { "Receipt".to_owned() } else { title };
    view! {
        <section {..target.apply(styles::FRAME)}>
            <div {..target.apply(styles::HEADER)}>
                <h2 {..target.apply(styles::TITLE)}>{heading}</h2>
                <dl {..target.apply(styles::DETAILS)}>
                    {detail("Placed", placed, target)} {detail("Status", status.to_owned(), target)}
                </dl>
            </div>
            <table {..target.apply(styles::TABLE)}>
                <thead>{columns(target)}</thead>
                <tbody>{item_rows(lines, target)}</tbody>
                <tfoot>
                    {sums.into_iter().map(|sum| sum_row(sum, target)).collect_view()} {total_row(total, target)}
                </tfoot>
            </table>
            <p {..target.apply(styles::NOTE)}>{payment}</p>
            {tracking.map(|tracking| tracking_line(tracking, target))}
            <div {..target.apply(styles::ADDRESSES)}>
                {address("Ship to", ship_to, target)} {address("Bill to", bill_to, target)}
            </div>
            {support_line(support_email, target)}
        </section>
    }
    .into_any()
}

fn detail(label: &'static str, value: String, target: Target) -> AnyView {
    view! {
        <div {..target.apply(styles::DETAIL)}>
            <dt {..target.apply(styles::DETAIL_LABEL)}>{label}</dt>
            <dd {..target.apply(styles::DETAIL_VALUE)}>{value}</dd>
        </div>
    }
    .into_any()
}

fn columns(target: Target) -> AnyView {
    view! {
        <tr>
            <th scope="col" {..target.apply(styles::COLUMN_NAME)}>
                "Item"
            </th>
            <th scope="col" {..target.apply(styles::COLUMN_AMOUNT)}>
                "Amount"
            </th>
        </tr>
    }
    .into_any()
}

fn item_rows(lines: Vec<ReceiptLine>, target: Target) -> AnyView {
    if lines.is_empty() {
        return view! {
            <tr>
                <td colspan="2" {..target.apply(styles::ITEM)}>
                    {NO_ITEMS}
                </td>
            </tr>
        }
        .into_any();
    }
    lines.into_iter().map(|line| item_row(line, target)).collect_view().into_any()
}

/// Two columns, so that a row fits a phone: quantity and unit price are below the name.
fn item_row(line: ReceiptLine, target: Target) -> AnyView {
    let picture = (target == Target::Email).then(|| picture(&line));
    view! {
        <tr>
            <th scope="row" {..target.apply(styles::ITEM)}>
                {picture}
                <span {..target.apply(styles::ITEM_TEXT)}>
                    <span {..target.apply(styles::NAME)}>{line.name}</span>
                    <span {..target.apply(styles::EACH)}>{line.each}</span>
                    {line.warranty.map(|warranty| view! { <span {..target.apply(styles::EACH)}>{warranty}</span> })}
                </span>
            </th>
            <td {..target.apply(styles::AMOUNT)}>{line.total}</td>
        </tr>
    }
    .into_any()
}

/// Drawn at twice this size. Clients without support for styles use the attributes.
fn picture(line: &ReceiptLine) -> AnyView {
    let (src, alt) = (format!("cid:{}", picture_id(&line.product_id)), line.name.clone());
    view! { <img src=src alt=alt width="64" height="64" style=styles::PICTURE /> }.into_any()
}

fn sum_row(sum: Sum, target: Target) -> AnyView {
    view! {
        <tr>
            <th scope="row" {..target.apply(styles::SUM_LABEL)}>
                {sum.label}
            </th>
            <td {..target.apply(styles::SUM)}>{sum.amount}</td>
        </tr>
    }
    .into_any()
}

fn total_row(total: String, target: Target) -> AnyView {
    view! {
        <tr>
            <th scope="row" {..target.apply(styles::TOTAL_LABEL)}>
                "Total"
            </th>
            <td {..target.apply(styles::TOTAL)}>{total}</td>
        </tr>
    }
    .into_any()
}

fn tracking_line(tracking: Tracking, target: Target) -> AnyView {
    let link = tracking.link.map(|link| {
        view! {
            " · "
            <a href=link.url {..target.apply(styles::LINK)}>
                {format!("Track with {}", link.carrier)}
            </a>
        }
        .into_any()
    });
    view! { <p {..target.apply(styles::NOTE)}>{format!("Tracking number: {}", tracking.number)} {link}</p> }.into_any()
}

fn address(title: &'static str, lines: Vec<String>, target: Target) -> AnyView {
    let lines =
        lines.into_iter().map(|line| view! { <span {..target.apply(styles::ADDRESS_LINE)}>{line}</span> }.into_any());
    view! {
        <div {..target.apply(styles::ADDRESS)}>
            <h3 {..target.apply(styles::ADDRESS_TITLE)}>{title}</h3>
            <address {..target.apply(styles::ADDRESS_LINES)}>{lines.collect_view()}</address>
        </div>
    }
    .into_any()
}

fn support_line(email: String, target: Target) -> AnyView {
    let link = format!("mailto:{email}");
    view! {
        <p {..target.apply(styles::SUPPORT)}>
            "Questions? Email "
            <a href={link} {..target.apply(styles::LINK)}>
                {email}
            </a>
            "."
        </p>
    }
    .into_any()
}
