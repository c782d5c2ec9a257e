//! Evidence for a dispute: everything that the shop stored about an order, as one document.

mod corrections;
mod store;

use std::sync::Arc;

use app::evidence::{DatedText, Evidence, Facts, PolicyText, PreviousOrder, SentEmail, evidence_document};
use app::orders::Receipt;
use axum::extract::State;
use sqlx::AnyConnection;
use wasm_core::orders::{AdminOrder, Card, Order, OrderStatus, display_date, display_time, tracking_link};

use self::corrections::without_corrections;
use self::store::Account;
use crate::accounts::Admin;
use crate::checkout::disputes::store::{self as disputes, StoredDispute};
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::attachment::{self, Attachment};
use crate::http::extract::Path;
use crate::money::Money;
use crate::orders::history::{self, HistoryEvent};
use crate::orders::store as orders;
use crate::settings::policies::{self, Policy};
use crate::time_zone::{self, ShopZone};

/// Listed previous orders; further ones are counted.
const MAX_PREVIOUS: i64 = 10;
/// The policies that matter to a bank.
const POLICIES: [(Policy, &str); 2] =
    [(Policy::ShippingAndReturns, "Shipping and returns policy"), (Policy::Terms, "Terms")];

error_responses!(EvidenceErrors: [ADMIN] NotFound);

/// Download the evidence for a dispute
///
/// Returns one self-contained HTML document for print: receipt, payment, addresses, shipment, history, sent emails, the
/// customer's account with its last ten orders, and the policies when the order was placed. Internal notes and
/// corrections of the status (set and set back) are left out. An unknown id is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/order/{id}/evidence",
    tag = "Administration",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    security(("accessToken" = [])),
    responses((status = 200, description = "The document.", body = String, content_type = "text/html"), EvidenceErrors),
)]
pub async fn get_evidence(
    State(state): State<Arc<Money>>,
    Path(id): Path,
    Admin(_): Admin,
) -> Result<Attachment, Error> {
    let mut connection = state.db.read().acquire().await?;
    let order = orders::load_admin_order(&mut connection, &id).await?;
    let evidence = collect(&state, &mut connection, &order).await?;
    drop(connection);
    let name = format!("evidence-{}.html", order.order.number);
    Ok(Attachment::new(attachment::HTML, name, evidence_document(evidence)))
}

async fn collect(state: &Money, connection: &mut AnyConnection, admin_order: &AdminOrder) -> Result<Evidence, Error> {
    let order = &admin_order.order;
    let settings = state.settings.get();
    let account = store::load_account(connection, &order.id).await?;
    let disputes = disputes::list_of_order(connection, &order.id).await?;
    let mut history = history::store::list(connection, &order.id).await?;
    history.retain(|entry| !entry.event.is_internal());
    let history = without_corrections(history);
    let zone = time_zone::store::load(&mut *connection).await?;
    let (customer, previous_orders) = customer(connection, admin_order, &account, zone).await?;
    Ok(Evidence {
        shop_name: settings.shop_name.clone(),
        created: timestamp(&zone.local(state.clock.now_ms())),
        disputes: disputes.iter().map(|dispute| dispute_facts(dispute, zone)).collect(),
        receipt: Receipt::of(order, &settings.support_email),
        payment: payment(order),
        shipping: shipping(order, &history, zone),
        emails: emails(connection, admin_order, &account, &history, zone).await?,
        history: history.iter().map(|entry| dated(entry, zone)).collect(),
        customer,
        previous_orders,
        policies: list_policies(state, connection, account.ordered_at).await?,
    })
}

fn dispute_facts(dispute: &StoredDispute, zone: ShopZone) -> Facts {
    let optional = [
        ("Reason", dispute.reason.as_deref().map(words)),
        ("Amount", dispute.amount.map(|amount| amount.to_string())),
        ("Evidence due by", dispute.due_at.map(|due_at| timestamp(&zone.local(due_at)))),
    ];
    let facts = optional.into_iter().filter_map(|(label, value)| Some((label, value?)));
    [("Dispute", dispute.id.clone())].into_iter().chain(facts).collect()
}

fn payment(order: &Order) -> Facts {
    let card = order.payment.card.as_ref().map(Card::label);
    let mut facts = vec![("Paid on", timestamp(&order.order_date_local)), ("Amount", order.total.to_string())];
    facts.extend(card.map(|card| ("Card", card)));
    facts.push(("Refunded", order.payment.refunded.to_string()));
    facts.push(("Cardholder", order.billing_address.name.clone()));
    facts
}

fn shipping(order: &Order, history: &[history::Entry], zone: ShopZone) -> Facts {
    let mut facts = vec![("Status", order.status.label().to_owned())];
    for (label, status) in [("Shipped on", OrderStatus::Shipped), ("Delivered on", OrderStatus::Delivered)] {
        let is_change =
            |entry: &&history::Entry| matches!(entry.event, HistoryEvent::StatusChanged { to, .. } if to == status);
        let change = history.iter().rfind(is_change);
        facts.extend(change.map(|entry| (label, timestamp(&zone.local(entry.created_at)))));
    }
    if let Some(number) = &order.tracking_number {
        facts.push(("Tracking number", number.clone()));
        if let Some(link) = tracking_link(number) {
            facts.extend([("Carrier", link.carrier), ("Tracking page", link.url)]);
        }
    }
    facts
}

fn dated(entry: &history::Entry, zone: ShopZone) -> DatedText {
    DatedText { time: timestamp(&zone.local(entry.created_at)), text: entry.event.message() }
}

/// Sent emails about the order. Their texts are deleted once they are sent; the history has their subjects.
async fn emails(
    connection: &mut AnyConnection,
    AdminOrder { order, user_email, .. }: &AdminOrder,
    account: &Account,
    history: &[history::Entry],
    zone: ShopZone,
) -> Result<Vec<SentEmail>, Error> {
    let addresses = [user_email.as_str(), &account.email];
    let sent = store::list_sent(connection, &order.id, addresses, account.ordered_at).await?;
    let email = |sent: store::Sent| SentEmail {
        time: timestamp(&zone.local(sent.sent_at)),
        subject: subject(history, &sent).unwrap_or(sent.kind.label()).to_owned(),
        to: sent.to,
    };
    Ok(sent.into_iter().map(email).collect())
}

/// The subject in the history entry that was written with the email.
fn subject<'a>(history: &'a [history::Entry], sent: &store::Sent) -> Option<&'a str> {
    history.iter().filter(|entry| entry.created_at == sent.created_at).find_map(|entry| match &entry.event {
        HistoryEvent::EmailSent { email, subject } | HistoryEvent::EmailResent { email, subject }
            if *email == sent.kind =>
        {
            Some(subject.as_str())
        }
        _ => None,
    })
}

async fn customer(
    connection: &mut AnyConnection,
    AdminOrder { order, user_email, .. }: &AdminOrder,
    account: &Account,
    zone: ShopZone,
) -> Result<(Facts, Vec<PreviousOrder>), Error> {
    let (previous, total) = store::list_previous(connection, account, MAX_PREVIOUS).await?;
    let mut facts = vec![("Name", order.name.clone()), ("Email", user_email.clone())];
    facts.push(("Registered on", timestamp(&zone.local(account.registered_at))));
    facts.extend(account.confirmed_at.map(|at| ("Account confirmed on", timestamp(&zone.local(at)))));
    facts.push(("Previous orders", total.to_string()));
    let orders = previous.into_iter().map(|previous| PreviousOrder {
        number: previous.number,
        date: display_date(&zone.day_text_of(previous.created_at)),
        status: previous.status.label(),
        payment: previous.payment.label(),
        total: previous.total.to_string(),
    });
    Ok((facts, orders.collect()))
}

/// The policies under the settings of that time.
async fn list_policies(state: &Money, connection: &mut AnyConnection, time: i64) -> Result<Vec<PolicyText>, Error> {
    let settings = state.settings.at(connection, time).await?;
    let text = |(policy, title)| PolicyText { title, html: policies::html_with(&state.policies, policy, &settings) };
    Ok(POLICIES.into_iter().map(text).collect())
}

/// `12/24/2026, 1:00 PM (UTC-05:00)`, from RFC 3339 with the offset of the shop's time zone.
fn timestamp(local: &str) -> String {
    let offset = local.get(23..).unwrap_or_default().trim_end_matches('Z');
    format!("{} (UTC{offset})", display_time(local))
}

/// A provider's code as words.
fn words(code: &str) -> String {
    code.replace('_', " ")
}
