//! Email: the SMTP connection and the outbox.

use sqlx::AnyConnection;

use super::Status;
use crate::config::Config;
use crate::infra::clock::{DAY, MINUTE};
use crate::mail::Delivery;
use crate::mail::outbox::{self, Backlog};

/// Emails that are older than this indicate a problem.
const LATE: i64 = 5 * MINUTE;
const FAILURE_WINDOW: i64 = 7 * DAY;

/// Connects, logs in and names the sender as sender and recipient; sends nothing.
pub async fn status(config: &Config, sender: &str) -> Status {
    match Delivery::new(config) {
        Ok(delivery) => delivery.probe(sender).await.into(),
        Err(message) => Status::Fails(message),
    }
}

pub async fn outbox_status(connection: &mut AnyConnection, now: i64) -> Status {
    match outbox::load_backlog(connection, now - FAILURE_WINDOW).await {
        Ok(backlog) => status_of(&backlog, now),
        Err(error) => Status::Fails(error.to_string()),
    }
}

fn status_of(backlog: &Backlog, now: i64) -> Status {
    let failed = match backlog.failed {
        0 => String::new(),
        count => format!("; {count} failed in the last 7 days, see the log"),
    };
    let Some(oldest) = backlog.oldest else {
        return Status::Works(format!("no pending emails{failed}"));
    };
    let minutes = (now - oldest) / MINUTE;
    if now - oldest <= LATE {
        return Status::Works(format!("{} emails pending{failed}", backlog.waiting));
    }
    let failure = backlog.failure.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    Status::Fails(format!(
        "{} emails pending, the oldest for {minutes} minutes{failure}{failed}; is the shop running?",
        backlog.waiting
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(waiting: i64, oldest: Option<i64>, failed: i64) -> String {
        let failure = Some("451 not now".to_owned());
        match status_of(&Backlog { waiting, oldest, failed, failure }, 60 * MINUTE) {
            Status::Works(message) => format!("works: {message}"),
            Status::Fails(message) => format!("fails: {message}"),
        }
    }

    #[test]
    fn only_mail_that_waits_for_long_is_a_fault() {
        assert_eq!(message(0, None, 0), "works: no pending emails");
        assert_eq!(message(2, Some(59 * MINUTE), 0), "works: 2 emails pending");
        assert_eq!(
            message(2, Some(50 * MINUTE), 0),
            "fails: 2 emails pending, the oldest for 10 minutes (451 not now); is the shop running?"
        );
        assert!(message(0, None, 3).starts_with("works: no pending emails; 3 failed"));
    }
}
