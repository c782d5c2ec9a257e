//! The receipt as HTML: the same elements on the order's page, on paper and in mail.

use leptos::prelude::*;
use serde::Serialize;
use wasm_core::orders::Order;

use super::dress;
use super::facts::{NO_ITEMS, Receipt, ReceiptLine, Sum, Tracking};
use crate::ui::{Medium, Part, Props, changing, one_line, row, text};

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct ReceiptProps {
    pub order: Order,
    pub shop_name: String,
    pub support_email: String,
    /// Where the shop is: printed on paper, where nothing else says it.
    pub public_url: String,
}

/// The receipt on a page, following its props.
pub fn order_receipt(props: Props<ReceiptProps>) -> AnyView {
    let receipt = move || props.with(|props| Receipt::of(&props.order, &props.support_email));
    let letterhead = text(move || props.with(|props| one_line(&format!("{} · {}", props.shop_name, props.public_url))));
    // One closure is enough: when it runs again, Leptos keeps the elements and writes only what is different.
    view! {
        <p {..Medium::Page.wear(dress::PAPER_ONLY)}>{letterhead}</p>
        {changing(move || receipt_view(receipt(), Medium::Page))}
    }
    .into_any()
}

/// The receipt itself.
pub fn receipt_view(receipt: Receipt, medium: Medium) -> AnyView {
    let Receipt { title, placed, status, lines, sums, total, payment, tracking, ship_to, bill_to, support_email } =
        receipt;
    view! {
        <section {..medium.wear(dress::FRAME)}>
            <div {..medium.wear(dress::HEAD)}>
                <h2 {..medium.wear(dress::TITLE)}>{title}</h2>
                <dl {..medium.wear(dress::FACTS)}>{fact("Placed", placed, medium)} {fact("Status", status.to_owned(), medium)}</dl>
            </div>
            <table {..medium.wear(dress::TABLE)}>
                <thead>{columns(medium)}</thead>
                <tbody>{item_rows(lines, medium)}</tbody>
                <tfoot>
                    {row(sums.into_iter().map(|sum| sum_row(sum, medium)))} {total_row(total, medium)}
                </tfoot>
            </table>
            <p {..medium.wear(dress::NOTE)}>{payment}</p>
            {row(tracking.map(|tracking| tracking_line(tracking, medium)))}
            <div {..medium.wear(dress::ADDRESSES)}>{address("Ship to", ship_to, medium)} {address("Bill to", bill_to, medium)}</div>
            {support_line(support_email, medium)}
        </section>
    }
    .into_any()
}

fn fact(label: &'static str, value: String, medium: Medium) -> AnyView {
    view! {
        <div {..medium.wear(dress::FACT)}>
            <dt {..medium.wear(dress::FACT_LABEL)}>{label}</dt>
            <dd {..medium.wear(dress::FACT_VALUE)}>{value}</dd>
        </div>
    }
    .into_any()
}

fn columns(medium: Medium) -> AnyView {
    view! {
        <tr>
            <th scope="col" {..medium.wear(dress::COLUMN_NAME)}>
                "Item"
            </th>
            <th scope="col" {..medium.wear(dress::COLUMN_AMOUNT)}>
                "Amount"
            </th>
        </tr>
    }
    .into_any()
}

fn item_rows(lines: Vec<ReceiptLine>, medium: Medium) -> AnyView {
    if lines.is_empty() {
        return view! {
            <tr>
                <td colspan="2" {..medium.wear(dress::ITEM)}>
                    {NO_ITEMS}
                </td>
            </tr>
        }
        .into_any();
    }
    row(lines.into_iter().map(|line| item_row(line, medium))).erased()
}

/// Two columns, so that a row fits a phone: how many at which price stands under the name.
fn item_row(line: ReceiptLine, medium: Medium) -> AnyView {
    view! {
        <tr>
            <th scope="row" {..medium.wear(dress::ITEM)}>
                <span {..medium.wear(dress::NAME)}>{line.name}</span>
                <span {..medium.wear(dress::EACH)}>{line.each}</span>
            </th>
            <td {..medium.wear(dress::AMOUNT)}>{line.total}</td>
        </tr>
    }
    .into_any()
}

fn sum_row(sum: Sum, medium: Medium) -> AnyView {
    view! {
        <tr>
            <th scope="row" {..medium.wear(dress::SUM_LABEL)}>
                {sum.label}
            </th>
            <td {..medium.wear(dress::SUM)}>{sum.amount}</td>
        </tr>
    }
    .into_any()
}

fn total_row(total: String, medium: Medium) -> AnyView {
    view! {
        <tr>
            <th scope="row" {..medium.wear(dress::TOTAL_LABEL)}>
                "Total"
            </th>
            <td {..medium.wear(dress::TOTAL)}>{total}</td>
        </tr>
    }
    .into_any()
}

fn tracking_line(tracking: Tracking, medium: Medium) -> AnyView {
    let link = tracking.link.map(|link| {
        view! {
            " · "
            <a href=link.url {..medium.wear(dress::LINK)}>
                {format!("Track with {}", link.carrier)}
            </a>
        }
        .into_any()
    });
    view! { <p {..medium.wear(dress::NOTE)}>{format!("Tracking number: {}", tracking.number)} {row(link)}</p> }
        .into_any()
}

fn address(title: &'static str, lines: Vec<String>, medium: Medium) -> AnyView {
    let lines =
        lines.into_iter().map(|line| view! { <span {..medium.wear(dress::ADDRESS_LINE)}>{line}</span> }.into_any());
    view! {
        <div {..medium.wear(dress::ADDRESS)}>
            <h3 {..medium.wear(dress::ADDRESS_TITLE)}>{title}</h3>
            <address {..medium.wear(dress::ADDRESS_LINES)}>{row(lines)}</address>
        </div>
    }
    .into_any()
}

fn support_line(email: String, medium: Medium) -> AnyView {
    let link = format!("mailto:{email}");
    view! {
        <p {..medium.wear(dress::SUPPORT)}>
            "Questions? Write to "
            <a href={link} {..medium.wear(dress::LINK)}>
                {email}
            </a>
            "."
        </p>
    }
    .into_any()
}
