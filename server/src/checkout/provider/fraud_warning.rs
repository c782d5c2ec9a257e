//! Early fraud warnings: find one, list them.

use stripe_fraud::radar_early_fraud_warning::{ListRadarEarlyFraudWarning, RetrieveRadarEarlyFraudWarning};

use super::client::{Deadline, Lookup, Provider, lookup};
use super::pages::{Filter, PAGE_SIZE, created_since, is_since};
use super::responses;
use crate::error::Error;

/// An early fraud warning, reduced to the members that the shop uses.
#[derive(Clone, Debug)]
pub struct FraudWarning {
    pub id: String,
    /// None if the provider has no such member.
    pub intent_id: Option<String>,
    /// The provider's code, such as `made_with_stolen_card`.
    pub fraud_type: String,
    /// Whether the payment is neither disputed nor refunded in full.
    pub is_actionable: bool,
}

impl From<responses::FraudWarning> for FraudWarning {
    fn from(warning: responses::FraudWarning) -> Self {
        Self {
            intent_id: warning.intent_id().map(str::to_owned),
            fraud_type: warning.fraud_type.unwrap_or_else(|| "misc".to_owned()),
            is_actionable: warning.actionable.unwrap_or(true),
            id: warning.id,
        }
    }
}

impl FraudWarning {
    /// The warning of an event. None if it lacks a required member.
    pub fn of_event(object: serde_json::Value) -> Option<Self> {
        serde_json::from_value::<responses::FraudWarning>(object).ok().map(Self::from)
    }
}

impl Provider {
    pub async fn find_fraud_warning(&self, deadline: Deadline, id: &str) -> Result<Lookup<FraudWarning>, Error> {
        let found = self.send(deadline, RetrieveRadarEarlyFraudWarning::new(id), None).await;
        lookup(found.map(|warning: responses::FraudWarning| warning.into()))
    }

    /// Warnings that were created at this time or later; empty for a provider without warnings.
    pub async fn list_fraud_warnings_since(&self, since_ms: i64) -> Result<Vec<FraudWarning>, Error> {
        let request = |filter, after: Option<&str>| {
            let request = match filter {
                Filter::On => ListRadarEarlyFraudWarning::new().created(created_since(since_ms)),
                Filter::Off => ListRadarEarlyFraudWarning::new(),
            };
            match after {
                Some(id) => request.limit(PAGE_SIZE).starting_after(id),
                None => request.limit(PAGE_SIZE),
            }
        };
        let is_wanted = |warning: &responses::FraudWarning| is_since(warning.created, since_ms);
        let list: Option<Vec<responses::FraudWarning>> = self.list(None, request, is_wanted).await?;
        Ok(list.into_iter().flatten().map(FraudWarning::from).collect())
    }
}
