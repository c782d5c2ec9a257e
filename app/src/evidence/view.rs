//! The document as HTML: one file with its styles, without scripts and pictures, so that it can be saved, printed and
//! uploaded as a PDF.

use leptos::prelude::*;

use super::{DatedText, Evidence, Facts, PolicyText, PreviousOrder, SentEmail};
use crate::orders::{Receipt, ReceiptLine, Sum};
use crate::ui::{render_to_string, single_line};

const STYLES: &str = include_str!("evidence.css");

/// The whole document, from its doctype on.
#[must_use]
pub fn evidence_document(evidence: Evidence) -> String {
    let title = single_line(&format!("Evidence: {} {}", evidence.shop_name, evidence.receipt.title));
    let head = render_to_string(|| view! { <title>{title}</title> });
    let body = render_to_string(|| body(evidence));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">{head}<style>{STYLES}</style></head>\
         <body>{body}</body></html>\n"
    )
}

fn body(evidence: Evidence) -> AnyView {
    let Evidence { shop_name, created, disputes, receipt, payment, shipping, history, emails, customer, .. } = evidence;
    let intro = format!("{}. Made on {created}.", single_line(&shop_name));
    view! {
        <main>
            <h1>{format!("Evidence for {}", receipt.title.to_lowercase())}</h1>
            <p>{intro}</p>
            {disputes.into_iter().map(|facts| section("Dispute", facts_list(facts))).collect_view()}
            {receipt_section(receipt)}
            {section("Payment", facts_list(payment))}
            {section("Shipping", facts_list(shipping))}
            {section("History", history_table(history))}
            {section("Emails to the customer", emails_table(emails))}
            {section("Customer", customer_section(customer, evidence.previous_orders))}
            {evidence.policies.into_iter().map(policy_section).collect_view()}
        </main>
    }
    .into_any()
}

fn section(title: &'static str, content: AnyView) -> AnyView {
    view! {
        <section>
            <h2>{title}</h2>
            {content}
        </section>
    }
    .into_any()
}

fn facts_list(facts: Facts) -> AnyView {
    let fact = |(label, value): (&'static str, String)| {
        view! {
            <dt>{label}</dt>
            <dd>{single_line(&value)}</dd>
        }
    };
    view! { <dl>{facts.into_iter().map(fact).collect_view()}</dl> }.into_any()
}

fn receipt_section(receipt: Receipt) -> AnyView {
    let Receipt { title, placed, status, lines, sums, total, ship_to, bill_to, .. } = receipt;
    let facts = vec![("Order", title), ("Placed", placed), ("Status", status.to_owned())];
    let content = view! {
        {facts_list(facts)}
        <table class="amounts">
            <thead>{header(&["Item", "Quantity and price", "Total"])}</thead>
            <tbody>{lines.into_iter().map(item_row).collect_view()}</tbody>
            <tfoot>
                {sums.into_iter().map(sum_row).collect_view()}
                {sum_row(Sum { label: "Total".to_owned(), amount: total })}
            </tfoot>
        </table>
        <div class="addresses">{address("Ship to", ship_to)} {address("Bill to", bill_to)}</div>
    };
    section("Receipt", content.into_any())
}

fn header(titles: &[&'static str]) -> AnyView {
    let cells = titles.iter().map(|title| view! { <th scope="col">{*title}</th> }).collect_view();
    view! { <tr>{cells}</tr> }.into_any()
}

fn item_row(ReceiptLine { name, each, total, .. }: ReceiptLine) -> AnyView {
    view! {
        <tr>
            <td>{name}</td>
            <td>{each}</td>
            <td>{total}</td>
        </tr>
    }
    .into_any()
}

fn sum_row(Sum { label, amount }: Sum) -> AnyView {
    view! {
        <tr>
            <th scope="row" colspan="2">
                {label}
            </th>
            <td>{amount}</td>
        </tr>
    }
    .into_any()
}

fn address(title: &'static str, lines: Vec<String>) -> AnyView {
    view! {
        <div>
            <h3>{title}</h3>
            <address>{lines.into_iter().map(|line| view! { <span>{line}</span> }).collect_view()}</address>
        </div>
    }
    .into_any()
}

fn history_table(entries: Vec<DatedText>) -> AnyView {
    let row = |DatedText { time, text }: DatedText| {
        view! {
            <tr>
                <td class="time">{time}</td>
                <td>{single_line(&text)}</td>
            </tr>
        }
    };
    table(&["Time", "Event"], entries.into_iter().map(row).collect_view().into_any())
}

fn emails_table(emails: Vec<SentEmail>) -> AnyView {
    if emails.is_empty() {
        return view! { <p>"None."</p> }.into_any();
    }
    let row = |SentEmail { time, to, subject }: SentEmail| {
        view! {
            <tr>
                <td class="time">{time}</td>
                <td>{single_line(&to)}</td>
                <td>{single_line(&subject)}</td>
            </tr>
        }
    };
    table(&["Sent", "To", "Subject"], emails.into_iter().map(row).collect_view().into_any())
}

fn customer_section(facts: Facts, orders: Vec<PreviousOrder>) -> AnyView {
    if orders.is_empty() {
        return facts_list(facts);
    }
    let row = |PreviousOrder { number, date, status, payment, total }: PreviousOrder| {
        view! {
            <tr>
                <td>{number}</td>
                <td>{date}</td>
                <td>{status}</td>
                <td>{payment}</td>
                <td>{total}</td>
            </tr>
        }
    };
    let rows = orders.into_iter().map(row).collect_view().into_any();
    view! {
        {facts_list(facts)}
        <h3>"Previous orders"</h3>
        {table(&["Order", "Date", "Status", "Payment", "Total"], rows)}
    }
    .into_any()
}

fn table(titles: &[&'static str], rows: AnyView) -> AnyView {
    view! {
        <table>
            <thead>{header(titles)}</thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn policy_section(PolicyText { title, html }: PolicyText) -> AnyView {
    view! {
        <section class="policy">
            <h2>{title}</h2>
            <p>"As in force when the order was placed."</p>
            <div inner_html=html></div>
        </section>
    }
    .into_any()
}
