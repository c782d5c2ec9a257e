//! `GET /v1/charges`. A charge is created with a payment attempt.

use crate::api_error::CallError;
use crate::api_response::ApiResponse;
use crate::call::Call;
use crate::charge::Charge;
use crate::expand::Expansion;
use crate::{lists, resources};

pub async fn list(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "charge")?;
    let mut range = lists::take_range(&mut call.form)?;
    range.parent = call.form.take_text("payment_intent")?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    resources::page::<Charge>(&mut connection, &range, &expansion).await
}
