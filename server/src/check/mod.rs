//! `nudgelight check`: tries everything the shop leans on, and says in plain sentences what works.
//!
//! Nothing is sent, bought or changed. A subject is one file with one function that gives a [`Verdict`].

mod analytics;
mod bot_check;
mod database;
mod dns;
mod mail;
mod payments;
mod sender;
mod signing_key;
mod tax;

use crate::config::Config;
use crate::infra::clock::Clock;

/// What is to be said of one subject: a sentence without its full stop.
pub enum Verdict {
    Works(String),
    Fails(String),
}

impl Verdict {
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Works(_))
    }
}

impl From<Result<String, String>> for Verdict {
    fn from(outcome: Result<String, String>) -> Self {
        match outcome {
            Ok(sentence) => Self::Works(sentence),
            Err(sentence) => Self::Fails(sentence),
        }
    }
}

pub struct Finding {
    pub subject: &'static str,
    pub verdict: Verdict,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (word, sentence) = match &self.verdict {
            Verdict::Works(sentence) => ("works", sentence),
            Verdict::Fails(sentence) => ("FAILS", sentence),
        };
        write!(f, "{word}  {}: {sentence}.", self.subject)
    }
}

/// Tries one subject after the other.
pub async fn check(config: &Config, clock: &Clock) -> Vec<Finding> {
    let (database, mut connection) = database::verdict(config).await;
    let mut findings = vec![("database", database)];
    findings.push(("signing key", signing_key::verdict(config, connection.as_mut()).await));
    findings.push(("mail", mail::verdict(config).await));
    if let Some(connection) = connection.as_mut() {
        findings.push(("outbox", mail::outbox_verdict(connection, clock.now_ms()).await));
    }
    findings.extend(sender::verdicts(config).await);
    let payments = payments::verdict(config).await;
    // A provider that takes no payments would fail at the tax for the same reason.
    let tax = if payments.is_good() { Some(tax::verdict(config, clock).await) } else { None };
    findings.push(("payments", payments));
    findings.extend(tax.map(|tax| ("tax", tax)));
    findings.push(("bot check", bot_check::verdict(config, clock.now_ms()).await));
    findings.push(("analytics", analytics::verdict(config)));
    findings.into_iter().map(|(subject, verdict)| Finding { subject, verdict }).collect()
}
