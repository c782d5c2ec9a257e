//! `expand[]`: replaces ids in a response with their objects.

use std::future::Future;
use std::pin::Pin;

use serde_json::{Value, json};
use sqlx::{AnyConnection, Error};

use crate::api_error::{ApiError, CallError};
use crate::balance_transaction::BalanceTransaction;
use crate::charge::Charge;
use crate::dispute::Dispute;
use crate::form::Form;
use crate::intent::Intent;
use crate::lists;
use crate::payment_method::PaymentMethod;
use crate::payout::Payout;
use crate::refund::Refund;
use crate::store::{self, Document, Resource as _};

/// Stripe's maximum depth.
const DEEPEST: usize = 4;

/// The validated expansions of a request.
#[derive(Clone, Debug, Default)]
pub struct Expansion(Vec<String>);

impl Expansion {
    /// Takes `expand` out of the form, for a response that is an object of this type.
    pub fn of(form: &mut Form, object: &str) -> Result<Self, ApiError> {
        Self::take(form, |path| is_expandable(object, path))
    }

    /// The same for a list of such objects.
    pub fn of_list(form: &mut Form, object: &str) -> Result<Self, ApiError> {
        Self::take(form, |path| {
            path.split_first().is_some_and(|(first, rest)| *first == "data" && is_expandable(object, rest))
        })
    }

    fn take(form: &mut Form, is_possible: impl Fn(&[&str]) -> bool) -> Result<Self, ApiError> {
        let paths = form.take_texts("expand")?;
        for path in &paths {
            let members: Vec<&str> = path.split('.').collect();
            if members.iter().filter(|member| **member != "data").count() > DEEPEST {
                let message = format!("You cannot expand more than {DEEPEST} levels of a property ({path}).");
                return Err(ApiError::invalid(message).param("expand"));
            }
            if !is_possible(&members) {
                return Err(ApiError::invalid(format!("This property cannot be expanded ({path}).")).param("expand"));
            }
        }
        Ok(Self(paths))
    }

    pub fn has(&self, path: &str) -> bool {
        self.0.iter().any(|wanted| wanted == path)
    }

    pub async fn apply(&self, connection: &mut AnyConnection, response: &mut Value) -> Result<(), Error> {
        for path in &self.0 {
            let members: Vec<&str> = path.split('.').collect();
            expand(connection, response, &members).await?;
        }
        Ok(())
    }
}

/// Whether Stripe expands this path of an object of this type.
fn is_expandable(object: &str, path: &[&str]) -> bool {
    let Some((member, rest)) = path.split_first() else {
        return false;
    };
    let Some(target) = target(object, member) else {
        return false;
    };
    match rest {
        [] => true,
        ["data", rest @ ..] if *member == "refunds" => !rest.is_empty() && is_expandable(target, rest),
        // Members of missing features are null at any depth.
        _ => target.is_empty() || is_expandable(target, rest),
    }
}

/// The object type of a member; empty where it is always null, None where Stripe does not expand it.
fn target(object: &str, member: &str) -> Option<&'static str> {
    Some(match (object, member) {
        ("payment_intent", "latest_charge") | ("refund" | "dispute" | "early_fraud_warning", "charge") => "charge",
        ("payment_intent", "payment_method") => "payment_method",
        ("charge" | "refund" | "dispute" | "early_fraud_warning", "payment_intent") => "payment_intent",
        ("charge", "refunds") => "refund",
        ("charge" | "refund" | "payout", "balance_transaction") => "balance_transaction",
        ("balance_transaction", "source") => "charge",
        ("tax_calculation" | "tax_transaction", "line_items") => "",
        ("payment_intent", "application" | "customer" | "on_behalf_of" | "review" | "source")
        | ("payment_method", "customer")
        | (
            "charge",
            "application"
            | "application_fee"
            | "customer"
            | "failure_balance_transaction"
            | "on_behalf_of"
            | "review"
            | "source"
            | "source_transfer"
            | "transfer",
        )
        | ("payout", "destination" | "failure_balance_transaction" | "original_payout" | "reversed_by")
        | ("refund", "failure_balance_transaction" | "source_transfer_reversal" | "transfer_reversal") => "",
        _ => return None,
    })
}

/// Applies one step of a path at a time; list elements are all expanded.
fn expand<'a>(
    connection: &'a mut AnyConnection,
    place: &'a mut Value,
    path: &'a [&'a str],
) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>> {
    Box::pin(async move {
        let Some((member, rest)) = path.split_first() else {
            return Ok(());
        };
        if *member == "refunds" && place.get("object") == Some(&json!("charge")) && place.get("refunds").is_none() {
            place["refunds"] = refunds_of(connection, place).await?;
        }
        let Some(next) = place.get_mut(*member) else {
            return Ok(());
        };
        if let Some(id) = next.as_str()
            && let Some(found) = object_of(connection, id).await?
        {
            *next = found;
        }
        match next {
            Value::Array(elements) => {
                for element in elements {
                    expand(connection, element, rest).await?;
                }
                Ok(())
            }
            next => expand(connection, next, rest).await,
        }
    })
}

async fn object_of(connection: &mut AnyConnection, id: &str) -> Result<Option<Value>, Error> {
    let found = match id.split('_').next() {
        Some("ch") => store::find::<Charge>(connection, id).await?.map(|charge| charge.to_json()),
        Some("pi") => store::find::<Intent>(connection, id).await?.map(|intent| intent.to_json()),
        Some("pm") => store::find::<PaymentMethod>(connection, id).await?.map(|method| method.to_json()),
        Some("re") => store::find::<Refund>(connection, id).await?.map(|refund| refund.to_json()),
        Some("du") => store::find::<Dispute>(connection, id).await?.map(|dispute| dispute.to_json()),
        Some("po") => store::find::<Payout>(connection, id).await?.map(|payout| payout.to_json()),
        Some("txn") => {
            store::find::<BalanceTransaction>(connection, id).await?.map(|transaction| transaction.to_json())
        }
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

/// Finds an object of the path.
pub async fn load<D: Document>(
    connection: &mut AnyConnection,
    noun: &str,
    id: &str,
    param: &str,
) -> Result<D, CallError> {
    match store::find::<D>(connection, id).await? {
        Some(document) => Ok(document),
        None => Err(ApiError::not_found(noun, id, param).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(expansion: impl Fn(&mut Form) -> Result<Expansion, ApiError>, path: &str) -> bool {
        expansion(&mut Form::parse(&format!("expand[]={path}")).unwrap()).is_ok()
    }

    #[test]
    fn what_stripe_expands_is_expanded_and_nothing_else() {
        for path in [
            "latest_charge",
            "latest_charge.balance_transaction",
            "latest_charge.refunds.data.balance_transaction",
            "customer",
            "latest_charge.payment_intent.payment_method",
        ] {
            assert!(takes(|form| Expansion::of(form, "payment_intent"), path), "{path}");
            assert!(takes(|form| Expansion::of_list(form, "payment_intent"), &format!("data.{path}")), "{path}");
            assert!(!takes(|form| Expansion::of_list(form, "payment_intent"), path), "{path}");
        }
        for path in ["", "amount", "latest_charge.amount", "data.latest_charge", "latest_charge.", "refunds"] {
            assert!(!takes(|form| Expansion::of(form, "payment_intent"), path), "{path:?}");
        }
        let deep = "latest_charge.payment_intent.latest_charge.payment_intent.latest_charge";
        assert!(!takes(|form| Expansion::of(form, "payment_intent"), deep));
    }
}
