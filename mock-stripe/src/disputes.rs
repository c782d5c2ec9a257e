//! `/v1/disputes/{id}`: update (with evidence) and close. A dispute is created with its charge.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::api_error::{ApiError, CallError};
use crate::api_response::ApiResponse;
use crate::call::Call;
use crate::clock;
use crate::dispute::{Dispute, EVIDENCE};
use crate::events::{self, Occurrence, Type};
use crate::expand::Expansion;
use crate::form::Form;
use crate::store::Resource as _;
use crate::{metadata, store};

/// Submits evidence to the bank immediately, unless `submit=false`.
pub async fn update(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "dispute")?;
    let mut form = std::mem::take(&mut call.form);
    let change = metadata::take_metadata(&mut form)?;
    let submit_flag = form.take_flag("submit")?;
    let evidence = form.take_form("evidence")?.map(evidence_in).transpose()?;
    form.reject_unknown()?;
    let submits = submit_flag.unwrap_or(evidence.is_some());
    change_dispute(call, expansion, move |dispute, now| {
        let previous = dispute.to_json();
        dispute.stage(evidence.clone().unwrap_or_default());
        if let Some(change) = change.clone() {
            dispute.metadata = metadata::merged(&dispute.metadata, change)?;
        }
        if submits {
            dispute.submit();
        }
        let response = dispute.to_json();
        let previous = changed_members(&previous, &response);
        let updated =
            Occurrence { kind: Type::ChargeDisputeUpdated, object: response.clone(), previous: Some(previous) };
        let mut occurrences = vec![updated];
        if submits {
            occurrences.extend(dispute.decide(now));
        }
        Ok((response, occurrences))
    })
    .await
}

pub async fn close(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "dispute")?;
    std::mem::take(&mut call.form).reject_unknown()?;
    change_dispute(call, expansion, |dispute, _| {
        let closed = dispute.close();
        Ok((closed.object.clone(), vec![closed]))
    })
    .await
}

/// Locks the dispute in the path, changes it if it is still open, and emits its events. `change` returns the response,
/// which may be older than the bank's decision.
async fn change_dispute<F>(call: Call, expansion: Expansion, change: F) -> Result<ApiResponse, CallError>
where
    F: Fn(&mut Dispute, i64) -> Result<(Value, Vec<Occurrence>), ApiError> + Send + Sync + 'static,
{
    let (id, origin) = (call.id.clone(), call.origin.clone());
    call.perform((id, origin, expansion, change), |tx, (id, origin, expansion, change)| {
        Box::pin(async move {
            let mut dispute: Dispute =
                store::lock(tx, id).await?.ok_or_else(|| ApiError::not_found("dispute", id, "dispute"))?;
            if !dispute.is_open() {
                return Err(ApiError::invalid("This dispute is already closed").into());
            }
            let before = [dispute.withdrawal(), dispute.reinstatement()];
            let (mut response, occurrences) = change(&mut dispute, origin.now_ms / clock::SECOND)?;
            store::save(tx, &dispute).await?;
            for (before, now) in before.iter().zip([dispute.withdrawal(), dispute.reinstatement()]) {
                if let (None, Some(transaction)) = (before, now) {
                    transaction.insert(tx, origin.now_ms).await?;
                }
            }
            events::emit(tx, origin, occurrences).await?;
            expansion.apply(tx, &mut response).await?;
            Ok(response)
        })
    })
    .await
}

fn evidence_in(mut form: Form) -> Result<BTreeMap<String, String>, ApiError> {
    let mut evidence = BTreeMap::new();
    for name in EVIDENCE {
        if let Some(text) = form.take_change(name)? {
            evidence.insert(name.to_owned(), text.unwrap_or_default());
        }
    }
    // Accepted as by Stripe, without effect.
    form.ignore("enhanced_evidence");
    form.reject_unknown()?;
    Ok(evidence)
}

/// Members of `before` that differ in `after`.
fn changed_members(before: &Value, after: &Value) -> Value {
    let members = before.as_object().into_iter().flatten();
    let changed = members.filter(|(name, value)| after.get(*name) != Some(*value));
    json!(changed.collect::<BTreeMap<_, _>>())
}
