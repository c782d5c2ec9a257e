//! The shopkeeper's alert about a limit of all clients together.

use app::mail::Mail;
use sqlx::AnyConnection;

use super::{Usage, window_start};
use crate::db::Db;
use crate::error::Error;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};

pub struct LimitAlert {
    pub usage: Usage<'static>,
    pub kind: EmailKind,
    pub to: String,
    pub mail: Mail,
    pub now_ms: i64,
}

impl LimitAlert {
    /// Puts the email into the outbox, once per window of the limit.
    ///
    /// # Errors
    /// The database's error.
    pub async fn enqueue(self, db: &Db) -> Result<(), Error> {
        db.write(self, |tx, alert| Box::pin(alert.insert(tx))).await
    }

    async fn insert(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let started_at = window_start(tx, self.usage).await?.unwrap_or(self.now_ms);
        let outgoing = OutgoingMail {
            kind: self.kind,
            order_id: None,
            dedupe_key: format!("{}:{started_at}", self.usage.0.name),
            to: self.to.clone(),
            mail: self.mail.clone(),
        };
        outbox::enqueue(tx, self.now_ms, outgoing).await
    }
}
