//! `/v1/tax/calculations` and `/v1/tax/transactions`.

use crate::api_error::{ApiError, CallError};
use crate::api_response::ApiResponse;
use crate::call::Call;
use crate::clock;
use crate::expand::{self, Expansion};
use crate::metadata::{self, Metadata};
use crate::tax_calculation::{self, Calculation};
use crate::tax_transaction::{Extent, Transaction, unique_reference};
use crate::{lists, store, tax_input};

pub async fn calculate(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "tax_calculation")?;
    let request = tax_input::request(std::mem::take(&mut call.form))?;
    let now_ms = call.origin.now_ms;
    let calculation = tax_calculation::calculate(request, now_ms)?;
    call.perform((calculation, expansion, now_ms), |tx, (calculation, expansion, now_ms)| {
        Box::pin(async move {
            store::insert(tx, calculation, *now_ms).await?;
            Ok(show_calculation(calculation, expansion))
        })
    })
    .await
}

pub async fn retrieve_calculation(mut call: Call) -> Result<ApiResponse, CallError> {
    let expansion = Expansion::of(&mut call.form, "tax_calculation")?;
    let calculation: Calculation = load(&mut call, "tax calculation", "calculation").await?;
    Ok(ApiResponse::ok(&show_calculation(&calculation, &expansion)))
}

pub async fn list_calculation_lines(mut call: Call) -> Result<ApiResponse, CallError> {
    let range = lists::take_range(&mut call.form)?;
    let calculation: Calculation = load(&mut call, "tax calculation", "calculation").await?;
    Ok(ApiResponse::ok(&lists::part(&lines_url(&calculation.id), calculation.lines_json(), &range)))
}

/// Records a transaction of an unexpired calculation, under a unique reference.
pub async fn record(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "tax_transaction")?;
    let mut form = std::mem::take(&mut call.form);
    let id = form.take_text("calculation")?.ok_or_else(|| ApiError::missing("calculation"))?;
    let reference = form.take_text("reference")?.ok_or_else(|| ApiError::missing("reference"))?;
    let change = metadata::take_metadata(&mut form)?.unwrap_or_default();
    let metadata = metadata::merged(&Metadata::new(), change)?;
    form.ignore("posted_at");
    form.reject_unknown()?;
    let now_ms = call.origin.now_ms;
    let args = (id, reference, metadata, expansion, now_ms);
    call.perform(args, |tx, (id, reference, metadata, expansion, now_ms)| {
        Box::pin(async move {
            let calculation: Calculation =
                store::lock(tx, id).await?.ok_or_else(|| ApiError::no_such("tax calculation", id, "calculation"))?;
            if calculation.expires_at <= now_ms / clock::SECOND {
                let message = format!("Tax calculation {id} has expired.");
                return Err(ApiError::invalid(message).param("calculation").into());
            }
            let transaction = Transaction::of(calculation, reference, metadata.clone(), *now_ms);
            insert_once(tx, &transaction, *now_ms).await?;
            Ok(show_transaction(&transaction, expansion))
        })
    })
    .await
}

pub async fn reverse(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "tax_transaction")?;
    let mut form = std::mem::take(&mut call.form);
    let mode = form.take_choice("mode", &["full", "partial"])?.ok_or_else(|| ApiError::missing("mode"))?;
    let id = form.take_text("original_transaction")?.ok_or_else(|| ApiError::missing("original_transaction"))?;
    let reference = form.take_text("reference")?.ok_or_else(|| ApiError::missing("reference"))?;
    let flat_amount = form.take_integer("flat_amount")?;
    let change = metadata::take_metadata(&mut form)?.unwrap_or_default();
    let metadata = metadata::merged(&Metadata::new(), change)?;
    form.reject_unknown()?;
    let extent = match (mode.as_str(), flat_amount) {
        ("full", None) => Extent::Full,
        ("partial", Some(amount)) => Extent::Flat(amount),
        ("partial", None) => return Err(ApiError::missing("flat_amount").into()),
        _ => {
            let message = "flat_amount goes with the mode partial.";
            return Err(ApiError::invalid(message).param("flat_amount").into());
        }
    };
    let now_ms = call.origin.now_ms;
    let args = (id, extent, reference, metadata, expansion, now_ms);
    call.perform(args, |tx, (id, extent, reference, metadata, expansion, now_ms)| {
        Box::pin(async move {
            let original: Transaction = store::lock(tx, id)
                .await?
                .ok_or_else(|| ApiError::no_such("tax transaction", id, "original_transaction"))?;
            let earlier = list_in_force(tx, id).await?;
            let mut reversal = original.reversal(&earlier, *extent, reference, *now_ms)?;
            reversal.metadata.clone_from(metadata);
            insert_once(tx, &reversal, *now_ms).await?;
            Ok(show_transaction(&reversal, expansion))
        })
    })
    .await
}

/// The reversals of a transaction that were not undone.
async fn list_in_force(tx: &mut sqlx::AnyConnection, id: &str) -> Result<Vec<Transaction>, sqlx::Error> {
    let mut in_force = Vec::new();
    for reversal in store::list_children::<Transaction>(tx, id).await? {
        if store::list_children::<Transaction>(tx, &reversal.id).await?.is_empty() {
            in_force.push(reversal);
        }
    }
    Ok(in_force)
}

pub async fn retrieve_transaction(mut call: Call) -> Result<ApiResponse, CallError> {
    let expansion = Expansion::of(&mut call.form, "tax_transaction")?;
    let transaction: Transaction = load(&mut call, "tax transaction", "transaction").await?;
    Ok(ApiResponse::ok(&show_transaction(&transaction, &expansion)))
}

pub async fn list_transaction_lines(mut call: Call) -> Result<ApiResponse, CallError> {
    let range = lists::take_range(&mut call.form)?;
    let transaction: Transaction = load(&mut call, "tax transaction", "transaction").await?;
    Ok(ApiResponse::ok(&lists::part(&transaction_lines_url(&transaction.id), transaction.lines_json(), &range)))
}

async fn load<D: store::Document>(call: &mut Call, noun: &str, param: &str) -> Result<D, CallError> {
    call.require_secret_key()?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    expand::load(&mut connection, noun, &call.id, param).await
}

async fn insert_once(tx: &mut sqlx::AnyConnection, transaction: &Transaction, now_ms: i64) -> Result<(), CallError> {
    if store::has_reference(tx, &unique_reference(&transaction.reference)).await? {
        let message = format!("A tax transaction with the reference '{}' exists.", transaction.reference);
        return Err(ApiError::invalid(message).param("reference").into());
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
