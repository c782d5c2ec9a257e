//! The printed document: the pick list, then a page for each order. Its styles, and the size of the paper, are in the
//! shell's `packing-slips.css` and `paper-size.ts`.

use leptos::prelude::*;
use qrcode::QrCode;
use qrcode::render::svg;

use super::{PackedItem, PackingSlip, PickedProduct, pick_list};
use crate::ui::single_line;

/// The pick list and the packing slips, in the given order.
pub fn packing_document(shop_name: &str, slips: Vec<PackingSlip>) -> AnyView {
    let picked = pick_list(&slips);
    let orders = slips.len();
    let shop_name = single_line(shop_name);
    view! {
        {pick_list_page(picked, orders)}
        {slips.into_iter().map(|slip| slip_page(slip, shop_name.clone())).collect_view()}
    }
    .into_any()
}

fn pick_list_page(picked: Vec<PickedProduct>, orders: usize) -> AnyView {
    let summary =
        format!("{} for {}", count(units(picked.iter().map(|row| &row.item)), "item"), count(orders, "order"));
    let rows = picked.into_iter().map(|PickedProduct { item, orders }| item_row(item, Some(count(orders, "order"))));
    view! {
        <section class="sheet pick-list">
            <header>
                <div>
                    <h2>"Pick list"</h2>
                    <p>{summary}</p>
                </div>
            </header>
            {items_table(rows.collect_view().into_any())}
        </section>
    }
    .into_any()
}

fn slip_page(slip: PackingSlip, shop_name: String) -> AnyView {
    let PackingSlip { code, date, ship_to, items } = slip;
    let total = count(units(items.iter()), "item");
    let rows = items.into_iter().map(|item| item_row(item, None)).collect_view().into_any();
    view! {
        <section class="sheet packing-slip">
            <header>
                <div>
                    <p class="shop">{shop_name}</p>
                    <h2>{format!("Packing slip {code}")}</h2>
                    <p>{format!("{date} · {total}")}</p>
                </div>
                {qr_code(&code)}
            </header>
            <h3>"Ship to"</h3>
            <address>{ship_to.into_iter().map(|line| view! { <span>{line}</span> }).collect_view()}</address>
            {items_table(rows)}
        </section>
    }
    .into_any()
}

fn items_table(rows: AnyView) -> AnyView {
    view! {
        <table>
            <thead>
                <tr>
                    <th scope="col" colspan="2">
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
fn item_row(item: PackedItem, note: Option<String>) -> AnyView {
    let PackedItem { name, sku, image, quantity, .. } = item;
    let details = [sku, note].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    view! {
        <tr>
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

/// The code as SVG. A text too long for a code has none.
fn qr_code(text: &str) -> Option<AnyView> {
    let code = QrCode::new(text).ok()?;
    // The white paper around the code is its quiet zone.
    let svg = code.render::<svg::Color>().quiet_zone(false).min_dimensions(96, 96).build();
    // The XML declaration belongs to a file, not into HTML.
    let inline = svg.find("<svg").and_then(|start| svg.get(start..)).unwrap_or_default().to_owned();
    Some(
        view! { <div class="code" role="img" aria-label=format!("QR code {text}") inner_html=inline></div> }.into_any(),
    )
}

fn units<'a>(items: impl Iterator<Item = &'a PackedItem>) -> usize {
    items.map(|item| usize::try_from(item.quantity).unwrap_or_default()).sum()
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
