//! `/v1/disputes`: list, retrieve, update (with evidence), close. Disputes come into being with a charge.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::call::{Answer, Call};
use super::dispute::{Dispute, EVIDENCE};
use super::events::{self, Occurrence, Type};
use super::expand::{self, Expansion};
use super::fault::{Fault, Halt};
use super::form::Form;
use super::{lists, metadata, store};
use crate::infra::clock;

pub async fn list(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "dispute")?;
    let mut stretch = lists::take_stretch(&mut call.form)?;
    let intent_id = call.form.take_text("payment_intent")?;
    let charge_id = call.form.take_text("charge")?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    stretch.parent = lists::charge_of(&mut connection, intent_id, charge_id).await?;
    let found: Vec<Dispute> = store::list(&mut connection, &stretch.with_one_more()).await?;
    let mut page = lists::page("/v1/disputes", found.iter().map(Dispute::to_json).collect(), &stretch);
    expansion.apply(&mut connection, &mut page).await?;
    Ok(Answer::ok(&page))
}

pub async fn retrieve(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "dispute")?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let dispute: Dispute = expand::load(&mut connection, "dispute", &call.id, "dispute").await?;
    let mut shown = dispute.to_json();
    expansion.apply(&mut connection, &mut shown).await?;
    Ok(Answer::ok(&shown))
}

/// Evidence is handed to the bank at once, unless `submit=false` keeps it for later.
pub async fn update(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "dispute")?;
    let mut form = std::mem::take(&mut call.form);
    let change = metadata::take_metadata(&mut form)?;
    let asked_to_submit = form.take_flag("submit")?;
    let evidence = form.take_form("evidence")?.map(evidence_in).transpose()?;
    form.refuse_rest()?;
    let submits = asked_to_submit.unwrap_or(evidence.is_some());
    change_dispute(call, expansion, move |dispute, now| {
        let previous = dispute.to_json();
        dispute.stage(evidence.clone().unwrap_or_default());
        if let Some(change) = change.clone() {
            dispute.metadata = metadata::merged(&dispute.metadata, change)?;
        }
        if submits {
            dispute.submit();
        }
        let answer = dispute.to_json();
        let previous = changed_members(&previous, &answer);
        let updated = Occurrence { kind: Type::ChargeDisputeUpdated, object: answer.clone(), previous: Some(previous) };
        let mut happened = vec![updated];
        if submits {
            happened.extend(dispute.decide(now));
        }
        Ok((answer, happened))
    })
    .await
}

pub async fn close(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "dispute")?;
    std::mem::take(&mut call.form).refuse_rest()?;
    change_dispute(call, expansion, |dispute, _| {
        let closed = dispute.close();
        Ok((closed.object.clone(), vec![closed]))
    })
    .await
}

/// Takes the dispute in the path, changes it if it is still open, and tells of it. `change` gives the answer, which a
/// decision of the bank may already have overtaken.
async fn change_dispute<F>(call: Call, expansion: Expansion, change: F) -> Result<Answer, Halt>
where
    F: Fn(&mut Dispute, i64) -> Result<(Value, Vec<Occurrence>), Fault> + Clone + Send + Sync + 'static,
{
    let (id, origin) = (call.id.clone(), call.origin.clone());
    call.perform(move |tx| {
        let (id, origin, expansion, change) = (id.clone(), origin.clone(), expansion.clone(), change.clone());
        Box::pin(async move {
            let mut dispute: Dispute =
                store::take(tx, &id).await?.ok_or_else(|| Fault::not_found("dispute", &id, "dispute"))?;
            if !dispute.is_open() {
                return Err(Fault::invalid("This dispute is already closed").into());
            }
            let (mut answer, happened) = change(&mut dispute, origin.now_ms / clock::SECOND)?;
            store::save(tx, &dispute).await?;
            events::emit(tx, &origin, happened).await?;
            expansion.apply(tx, &mut answer).await?;
            Ok(answer)
        })
    })
    .await
}

fn evidence_in(mut form: Form) -> Result<BTreeMap<String, String>, Fault> {
    let mut evidence = BTreeMap::new();
    for name in EVIDENCE {
        if let Some(text) = form.take_change(name)? {
            evidence.insert(name.to_owned(), text.unwrap_or_default());
        }
    }
    // Taken as Stripe takes it; nothing is decided by it here.
    form.ignore("enhanced_evidence");
    form.refuse_rest()?;
    Ok(evidence)
}

/// What stood in `before` and stands otherwise in `after`.
fn changed_members(before: &Value, after: &Value) -> Value {
    let members = before.as_object().into_iter().flatten();
    let changed = members.filter(|(name, value)| after.get(*name) != Some(*value));
    json!(changed.collect::<BTreeMap<_, _>>())
}
