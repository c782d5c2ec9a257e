//! The printed document: the pick list, then a page for each order. Its styles, and the size of the paper, are in the
//! shell's `packing-slips.css` and `paper-size.ts`.

use leptos::prelude::*;

use super::{PackedItem, PackingSlip, PickedProduct, pick_list};
use crate::ui::{qr_code, single_line};

/// Numbers of orders without a slip, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub refunded: i64,
    pub on_hold: i64,
}

/// The pick list and the packing slips, in the given order, after what is left out.
pub fn packing_document(shop_name: &str, slips: Vec<PackingSlip>, left_out: LeftOut) -> AnyView {
    let picked = pick_list(&slips);
    let orders = slips.len();
    let shop_name = single_line(shop_name);
    view! {
        {left_out_notice(left_out)}
        {if orders == 0 {
            view! { <p>"No orders to pack."</p> }.into_any()
        } else {
            pick_list_pages(&picked, orders)
        }}
        {slips.into_iter().map(|slip| slip_page(slip, shop_name.clone())).collect_view()}
    }
    .into_any()
}

fn left_out_notice(LeftOut { refunded, on_hold }: LeftOut) -> Option<AnyView> {
    let reasons = [(refunded, "refunded in full"), (on_hold, "on hold")];
    let lines: Vec<_> = reasons
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, reason)| {
            let orders = count(usize::try_from(number).unwrap_or_default(), "order");
            view! { <p>{format!("{orders} left out: {reason}")}</p> }
        })
        .collect();
    (!lines.is_empty()).then(|| view! { <div class="left-out">{lines}</div> }.into_any())
}

/// Products on a page of the pick list: as many as fit on the smallest paper.
const PICK_LIST_ROWS: usize = 10;

fn pick_list_pages(picked: &[PickedProduct], orders: usize) -> AnyView {
    let summary =
        format!("{} for {}", count(units(picked.iter().map(|row| &row.item)), "item"), count(orders, "order"));
    let pages = picked.len().div_ceil(PICK_LIST_ROWS).max(1);
    let page = |number: usize| {
        let rows = picked.iter().skip((number - 1) * PICK_LIST_ROWS).take(PICK_LIST_ROWS);
        let place = (pages > 1).then(|| view! { <p class="place">{format!("{number} of {pages}")}</p> });
        view! {
            <section class="sheet pick-list">
                <header>
                    <div>
                        <h2>"Pick list"</h2>
                        <p>{summary.clone()}</p>
                    </div>
                    {place}
                </header>
                {items_table(rows.map(picked_row).collect_view().into_any(), "3")}
            </section>
        }
    };
    (1..=pages).map(page).collect_view().into_any()
}

/// A row with a box to tick.
fn picked_row(PickedProduct { item, orders }: &PickedProduct) -> AnyView {
    let tick = view! { <td class="tick"></td> }.into_any();
    item_row(item.clone(), Some(tick), Some(count(*orders, "order")))
}

fn slip_page(slip: PackingSlip, shop_name: String) -> AnyView {
    let PackingSlip { number, code, date, ship_to, items } = slip;
    let total = count(units(items.iter()), "item");
    let rows = items.into_iter().map(|item| item_row(item, None, None)).collect_view().into_any();
    view! {
        <section class="sheet packing-slip" data-order=number>
            <header>
                <div>
                    <p class="shop">{shop_name}</p>
                    <h2>{format!("Order {number}")}</h2>
                    <p>{format!("Packing slip · {date} · {total}")}</p>
                </div>
                {qr_code_view(&code)}
            </header>
            <h3>"Ship to"</h3>
            <address>{ship_to.into_iter().map(|line| view! { <span>{line}</span> }).collect_view()}</address>
            {items_table(rows, "2")}
        </section>
    }
    .into_any()
}

/// `columns` of a row before its quantity.
fn items_table(rows: AnyView, columns: &'static str) -> AnyView {
    view! {
        <table>
            <thead>
                <tr>
                    <th scope="col" colspan=columns>
                        "Item"
                    </th>
                    <th scope="col">"Quantity"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

/// The quantity stands out when it is not one: a second unit is easily overlooked.
fn item_row(item: PackedItem, tick: Option<AnyView>, note: Option<String>) -> AnyView {
    let PackedItem { name, sku, image, quantity, .. } = item;
    let details = [sku, note].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    view! {
        <tr>
            {tick}
            <td class="picture">{image.map(|src| view! { <img src=src alt="" width="64" height="64" /> })}</td>
            <td>
                <span class="name">{name}</span>
                <span class="details">{details}</span>
            </td>
            <td class="units" class:several=quantity != 1>
                {quantity}
            </td>
        </tr>
    }
    .into_any()
}

/// The white paper around the code is its quiet zone.
fn qr_code_view(text: &str) -> Option<AnyView> {
    let svg = qr_code(text)?;
    Some(view! { <div class="code" role="img" aria-label=format!("QR code {text}") inner_html=svg></div> }.into_any())
}

fn units<'a>(items: impl Iterator<Item = &'a PackedItem>) -> usize {
    items.map(|item| usize::try_from(item.quantity).unwrap_or_default()).sum()
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
