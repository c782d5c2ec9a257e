//! `/v1/balance_transactions`, `/v1/payouts`, and `/control/payouts`, which pays out the balance.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use sqlx::{AnyConnection, Error};

use crate::api_error::{ApiError, CallError};
use crate::api_response::ApiResponse;
use crate::balance_transaction::BalanceTransaction;
use crate::call::Call;
use crate::events::{self, Occurrence, Origin, Type};
use crate::expand::Expansion;
use crate::payout::Payout;
use crate::store::Resource as _;
use crate::{MockStripe, control, lists, resources, store};

/// All balance transactions, or those of a payout, which include the payout's own.
pub async fn list_balance_transactions(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "balance_transaction")?;
    let mut range = lists::take_range(&mut call.form)?;
    range.parent = call.form.take_text("payout")?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    resources::page::<BalanceTransaction>(&mut connection, &range, &expansion).await
}

pub async fn list(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "payout")?;
    let range = lists::take_range(&mut call.form)?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    resources::page::<Payout>(&mut connection, &range, &expansion).await
}

/// Pays out all transactions that no payout has. At Stripe this happens once a day.
pub async fn pay_out(State(stripe): State<MockStripe>, headers: HeaderMap) -> Result<Response, CallError> {
    control::authorize(&stripe, &headers).await?;
    let origin = Origin::of_page(&stripe);
    let paid = stripe.db.write(origin.clone(), |tx, origin| Box::pin(create(tx, origin))).await?;
    origin.wake_sender();
    let payout = paid.ok_or_else(|| ApiError::invalid("The balance is not positive."))?;
    Ok(ApiResponse::ok(&payout.to_json()).into_response())
}

/// None while the balance is not positive: it is carried over to a later payout.
async fn create(tx: &mut AnyConnection, origin: &Origin) -> Result<Option<Payout>, Error> {
    let id = Payout::new_id();
    let transactions: Vec<BalanceTransaction> = store::assign_parent(tx, &id).await?;
    let payout = Payout::new(id, &transactions, origin.now_ms);
    if payout.amount <= 0 {
        store::clear_parent(tx, &payout.id).await?;
        return Ok(None);
    }
    store::insert(tx, &payout, origin.now_ms).await?;
    payout.balance_transaction().insert(tx, origin.now_ms).await?;
    let kinds = [Type::PayoutCreated, Type::PayoutPaid, Type::PayoutReconciliationCompleted];
    let occurrences = kinds.map(|kind| Occurrence::new(kind, payout.to_json()));
    events::emit(tx, origin, occurrences.into()).await?;
    Ok(Some(payout))
}
