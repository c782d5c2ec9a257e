//! `/v1/tax/calculations` and `/v1/tax/transactions`.

use super::call::{Answer, Call};
use super::expand::{self, Expansion};
use super::fault::{Fault, Halt};
use super::metadata::{self, Metadata};
use super::tax_calculation::{self, Calculation};
use super::tax_transaction::{Extent, Transaction, unique_reference};
use super::{lists, store, tax_input};
use crate::infra::clock;

pub async fn calculate(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "tax_calculation")?;
    let request = tax_input::request(std::mem::take(&mut call.form))?;
    let now_ms = call.origin.now_ms;
    let calculation = tax_calculation::calculate(request, now_ms)?;
    call.perform(move |tx| {
        let (calculation, expansion) = (calculation.clone(), expansion.clone());
        Box::pin(async move {
            store::insert(tx, &calculation, now_ms).await?;
            Ok(show_calculation(&calculation, &expansion))
        })
    })
    .await
}

pub async fn retrieve_calculation(mut call: Call) -> Result<Answer, Halt> {
    let expansion = Expansion::of(&mut call.form, "tax_calculation")?;
    let calculation: Calculation = load(&mut call, "tax calculation", "calculation").await?;
    Ok(Answer::ok(&show_calculation(&calculation, &expansion)))
}

pub async fn list_calculation_lines(mut call: Call) -> Result<Answer, Halt> {
    let stretch = lists::take_stretch(&mut call.form)?;
    let calculation: Calculation = load(&mut call, "tax calculation", "calculation").await?;
    Ok(Answer::ok(&lists::part(&lines_url(&calculation.id), calculation.lines_json(), &stretch)))
}

/// Makes a transaction of a calculation that has not expired, under a reference nobody used before.
pub async fn record(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "tax_transaction")?;
    let mut form = std::mem::take(&mut call.form);
    let id = form.take_text("calculation")?.ok_or_else(|| Fault::missing("calculation"))?;
    let reference = form.take_text("reference")?.ok_or_else(|| Fault::missing("reference"))?;
    let change = metadata::take_metadata(&mut form)?.unwrap_or_default();
    let metadata = metadata::merged(&Metadata::new(), change)?;
    form.ignore("posted_at");
    form.refuse_rest()?;
    let now_ms = call.origin.now_ms;
    call.perform(move |tx| {
        let (id, reference) = (id.clone(), reference.clone());
        let (metadata, expansion) = (metadata.clone(), expansion.clone());
        Box::pin(async move {
            let calculation: Calculation =
                store::take(tx, &id).await?.ok_or_else(|| Fault::no_such("tax calculation", &id, "calculation"))?;
            if calculation.expires_at <= now_ms / clock::SECOND {
                let message = format!("Tax calculation {id} has expired.");
                return Err(Fault::invalid(message).param("calculation").into());
            }
            let transaction = Transaction::of(calculation, &reference, metadata, now_ms);
            insert_once(tx, &transaction, now_ms).await?;
            Ok(show_transaction(&transaction, &expansion))
        })
    })
    .await
}

pub async fn reverse(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "tax_transaction")?;
    let mut form = std::mem::take(&mut call.form);
    let mode = form.take_choice("mode", &["full", "partial"])?.ok_or_else(|| Fault::missing("mode"))?;
    let id = form.take_text("original_transaction")?.ok_or_else(|| Fault::missing("original_transaction"))?;
    let reference = form.take_text("reference")?.ok_or_else(|| Fault::missing("reference"))?;
    let flat_amount = form.take_integer("flat_amount")?;
    let change = metadata::take_metadata(&mut form)?.unwrap_or_default();
    let metadata = metadata::merged(&Metadata::new(), change)?;
    form.refuse_rest()?;
    let extent = match (mode.as_str(), flat_amount) {
        ("full", None) => Extent::Full,
        ("partial", Some(amount)) => Extent::Flat(amount),
        ("partial", None) => return Err(Fault::missing("flat_amount").into()),
        _ => {
            let message = "flat_amount goes with the mode partial.";
            return Err(Fault::invalid(message).param("flat_amount").into());
        }
    };
    let now_ms = call.origin.now_ms;
    call.perform(move |tx| {
        let (id, reference) = (id.clone(), reference.clone());
        let (metadata, expansion) = (metadata.clone(), expansion.clone());
        Box::pin(async move {
            let original: Transaction = store::take(tx, &id)
                .await?
                .ok_or_else(|| Fault::no_such("tax transaction", &id, "original_transaction"))?;
            let earlier: Vec<Transaction> = store::list_children(tx, &id).await?;
            let mut reversal = original.reversal(&earlier, extent, &reference, now_ms)?;
            reversal.metadata = metadata;
            insert_once(tx, &reversal, now_ms).await?;
            Ok(show_transaction(&reversal, &expansion))
        })
    })
    .await
}

pub async fn retrieve_transaction(mut call: Call) -> Result<Answer, Halt> {
    let expansion = Expansion::of(&mut call.form, "tax_transaction")?;
    let transaction: Transaction = load(&mut call, "tax transaction", "transaction").await?;
    Ok(Answer::ok(&show_transaction(&transaction, &expansion)))
}

pub async fn list_transaction_lines(mut call: Call) -> Result<Answer, Halt> {
    let stretch = lists::take_stretch(&mut call.form)?;
    let transaction: Transaction = load(&mut call, "tax transaction", "transaction").await?;
    Ok(Answer::ok(&lists::part(&transaction_lines_url(&transaction.id), transaction.lines_json(), &stretch)))
}

async fn load<D: store::Document>(call: &mut Call, noun: &str, param: &str) -> Result<D, Halt> {
    call.require_secret_key()?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    expand::load(&mut connection, noun, &call.id, param).await
}

async fn insert_once(tx: &mut sqlx::AnyConnection, transaction: &Transaction, now_ms: i64) -> Result<(), Halt> {
    if store::has_reference(tx, &unique_reference(&transaction.reference)).await? {
        let message = format!("A tax transaction with the reference '{}' exists.", transaction.reference);
        return Err(Fault::invalid(message).param("reference").into());
    }
    Ok(store::insert(tx, transaction, now_ms).await?)
}

fn show_calculation(calculation: &Calculation, expansion: &Expansion) -> serde_json::Value {
    let mut shown = calculation.to_json();
    if expansion.has("line_items") {
        shown["line_items"] = lists::whole(&lines_url(&calculation.id), calculation.lines_json());
    }
    shown
}

fn show_transaction(transaction: &Transaction, expansion: &Expansion) -> serde_json::Value {
    let mut shown = transaction.to_json();
    if expansion.has("line_items") {
        shown["line_items"] = lists::whole(&transaction_lines_url(&transaction.id), transaction.lines_json());
    }
    shown
}

fn lines_url(id: &str) -> String {
    format!("/v1/tax/calculations/{id}/line_items")
}

fn transaction_lines_url(id: &str) -> String {
    format!("/v1/tax/transactions/{id}/line_items")
}
