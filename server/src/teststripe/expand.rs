//! `expand[]`: ids in an answer that are replaced by the objects they name.

use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::charge::Charge;
use super::dispute::Dispute;
use super::fault::Fault;
use super::form::Form;
use super::intent::Intent;
use super::lists;
use super::payment_method::PaymentMethod;
use super::refund::Refund;
use super::store::{self, Document};
use crate::error::Error;

/// The expansions of one call, known to be possible.
#[derive(Clone, Debug, Default)]
pub struct Expansion(Vec<String>);

impl Expansion {
    /// Takes `expand` out of the form; `possible` are the paths this answer can expand.
    pub fn take(form: &mut Form, possible: &[&str]) -> Result<Self, Fault> {
        let paths = form.take_texts("expand")?;
        match paths.iter().find(|path| !possible.contains(&path.as_str())) {
            None => Ok(Self(paths)),
            Some(path) => Err(Fault::invalid(format!("This property cannot be expanded ({path}).")).param("expand")),
        }
    }

    pub fn has(&self, path: &str) -> bool {
        self.0.iter().any(|wanted| wanted == path)
    }

    pub async fn apply(&self, connection: &mut AnyConnection, answer: &mut Value) -> Result<(), Error> {
        for path in &self.0 {
            match path.strip_prefix("data.") {
                None => expand(connection, answer, path).await?,
                Some(path) => {
                    let elements = answer.get_mut("data").and_then(Value::as_array_mut);
                    for element in elements.into_iter().flatten() {
                        expand(connection, element, path).await?;
                    }
                }
            }
        }
        Ok(())
    }
}

async fn expand(connection: &mut AnyConnection, object: &mut Value, path: &str) -> Result<(), Error> {
    let mut place = object;
    for member in path.split('.') {
        if member == "refunds" && place.get("object") == Some(&json!("charge")) {
            place["refunds"] = refunds_of(connection, place).await?;
        }
        let Some(next) = place.get_mut(member) else {
            return Ok(());
        };
        if let Some(id) = next.as_str()
            && let Some(found) = object_of(connection, id).await?
        {
            *next = found;
        }
        place = next;
    }
    Ok(())
}

async fn object_of(connection: &mut AnyConnection, id: &str) -> Result<Option<Value>, Error> {
    let found = match id.split('_').next() {
        Some("ch") => store::find::<Charge>(connection, id).await?.map(|charge| charge.to_json()),
        Some("pi") => store::find::<Intent>(connection, id).await?.map(|intent| intent.to_json()),
        Some("pm") => store::find::<PaymentMethod>(connection, id).await?.map(|method| method.to_json()),
        Some("re") => store::find::<Refund>(connection, id).await?.map(|refund| refund.to_json()),
        Some("du") => store::find::<Dispute>(connection, id).await?.map(|dispute| dispute.to_json()),
        _ => None,
    };
    Ok(found)
}

async fn refunds_of(connection: &mut AnyConnection, charge: &Value) -> Result<Value, Error> {
    let id = charge.get("id").and_then(Value::as_str).unwrap_or_default();
    let refunds: Vec<Refund> = store::list_children(connection, id).await?;
    let data = refunds.iter().map(Refund::to_json).collect();
    Ok(lists::whole(&format!("/v1/charges/{id}/refunds"), data))
}

/// Finds an object named in the path.
pub async fn load<D: Document>(
    connection: &mut AnyConnection,
    noun: &str,
    id: &str,
    param: &str,
) -> Result<D, super::fault::Halt> {
    match store::find::<D>(connection, id).await? {
        Some(document) => Ok(document),
        None => Err(Fault::not_found(noun, id, param).into()),
    }
}
