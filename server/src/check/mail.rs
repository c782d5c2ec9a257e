//! Mail: the way out, and what waits in front of it.

use sqlx::AnyConnection;

use super::Verdict;
use crate::config::Config;
use crate::infra::clock::{DAY, MINUTE};
use crate::mail::Delivery;
use crate::mail::outbox::{self, Backlog};

/// Mail that has waited longer than this waits for something.
const LATE: i64 = 5 * MINUTE;
const REMEMBERED: i64 = 7 * DAY;

/// Goes up to the log-in, and sends nothing.
pub async fn verdict(config: &Config) -> Verdict {
    match Delivery::new(config) {
        Ok(delivery) => delivery.probe().await.into(),
        Err(sentence) => Verdict::Fails(sentence),
    }
}

pub async fn outbox_verdict(connection: &mut AnyConnection, now: i64) -> Verdict {
    match outbox::load_backlog(connection, now - REMEMBERED).await {
        Ok(backlog) => judged(&backlog, now),
        Err(error) => Verdict::Fails(error.to_string()),
    }
}

fn judged(backlog: &Backlog, now: i64) -> Verdict {
    let given_up = match backlog.failed {
        0 => String::new(),
        count => format!("; {count} were given up in the last 7 days, and the log says why"),
    };
    let Some(oldest) = backlog.oldest else {
        return Verdict::Works(format!("no mail waits{given_up}"));
    };
    let minutes = (now - oldest) / MINUTE;
    if now - oldest <= LATE {
        return Verdict::Works(format!("{} mails are about to leave{given_up}", backlog.waiting));
    }
    let failure = backlog.failure.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    Verdict::Fails(format!(
        "{} mails wait, the oldest for {minutes} minutes{failure}{given_up}; is the shop running?",
        backlog.waiting
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(waiting: i64, oldest: Option<i64>, given_up: i64) -> String {
        let failure = Some("451 not now".to_owned());
        match judged(&Backlog { waiting, oldest, failed: given_up, failure }, 60 * MINUTE) {
            Verdict::Works(sentence) => format!("works: {sentence}"),
            Verdict::Fails(sentence) => format!("fails: {sentence}"),
        }
    }

    #[test]
    fn only_mail_that_waits_for_long_is_a_fault() {
        assert_eq!(sentence(0, None, 0), "works: no mail waits");
        assert_eq!(sentence(2, Some(59 * MINUTE), 0), "works: 2 mails are about to leave");
        assert_eq!(
            sentence(2, Some(50 * MINUTE), 0),
            "fails: 2 mails wait, the oldest for 10 minutes (451 not now); is the shop running?"
        );
        assert!(sentence(0, None, 3).starts_with("works: no mail waits; 3 were given up"));
    }
}
