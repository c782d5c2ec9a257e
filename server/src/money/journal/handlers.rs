//! Journal export for bookkeeping.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use futures_util::stream;
use serde::Deserialize;
use utoipa::IntoParams;
use wasm_core::validation::FieldErrors;

use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::attachment::{self, Attachment};
use crate::http::extract::Params;
use crate::infra::clock::{day_text, parse_day};
use crate::money::Money;
use crate::money::journal::{HEADER, Journal};
use crate::time_zone;

/// Longest period of a file.
const MAX_DAYS: i64 = 366;

/// The period. Parameters are deserialized as text, so that every invalid value gets its own message.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct PeriodQuery {
    /// First day, in the shop's time zone.
    #[param(value_type = String, required = true, format = Date, example = "2026-12-01")]
    from: Option<String>,
    /// Last day, in the shop's time zone, inclusive. At most 366 days after the first.
    #[param(value_type = String, required = true, format = Date, example = "2026-12-31")]
    to: Option<String>,
}

impl PeriodQuery {
    /// The first day, and the day after the last, in days since 1970-01-01.
    fn validated(&self) -> Result<(i64, i64), Error> {
        let mut fields = FieldErrors::default();
        let mut day = |name: &str, text: Option<&str>| {
            let day = parse_day(text.unwrap_or_default().trim());
            if day.is_none() {
                fields.insert(name, "This must be a date like 2026-12-24.");
            }
            day
        };
        let (from, last) = (day("from", self.from.as_deref()), day("to", self.to.as_deref()));
        let (Some(from), Some(last)) = (from, last) else {
            return Err(Error::invalid(fields));
        };
        if from > last {
            fields.insert("from", "The start date must not be after the end date.");
        } else if last - from >= MAX_DAYS {
            fields.insert("to", format!("Export at most {MAX_DAYS} days at once."));
        }
        if fields.is_empty() { Ok((from, last + 1)) } else { Err(Error::invalid(fields)) }
    }
}

error_responses!(JournalErrors: [QUERY, ADMIN]);

/// Export the journal
///
/// Returns the orders, refunds, disputes, fees and payouts of a period as double-entry bookkeeping in the format of
/// hledger and Ledger, one balanced entry each, oldest first. A refund returns its parts of sales, shipping and each
/// tax, and a payout has the day of its arrival. A missing or invalid day and more than 366 days are a 400.
#[utoipa::path(
    get,
    path = "/api/admin/journal",
    tag = "Administration",
    params(PeriodQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "The journal.", body = String, content_type = "text/plain"), JournalErrors),
)]
pub async fn export_journal(
    State(state): State<Arc<Money>>,
    Admin(_): Admin,
    Params(period): Params<PeriodQuery>,
) -> Result<Attachment, Error> {
    let (from, end) = period.validated()?;
    let mut journal = Journal::of(time_zone::store::load(state.db.read()).await?);
    // An error on the first day becomes an error response instead of a truncated file.
    let first = HEADER.to_owned() + &journal.write_day(state.db.read(), from).await?;
    let name = format!("nudgelight-{}-{}.journal", day_text(from), day_text(end - 1));
    let content = Body::from_stream(days(state, journal, first, from + 1, end));
    Ok(Attachment::new(attachment::TEXT, name, content))
}

/// Streams the first day, then the others. An error aborts the response, so that a truncated file is never taken for a
/// complete one.
fn days(
    state: Arc<Money>,
    journal: Journal,
    first: String,
    next: i64,
    end: i64,
) -> impl futures_util::Stream<Item = Result<String, io::Error>> + Send + 'static {
    let start = (state, journal, Some(first), next);
    stream::try_unfold(start, move |(state, mut journal, first, day)| async move {
        if let Some(first) = first {
            return Ok(Some((first, (state, journal, None, day))));
        }
        if day >= end {
            return Ok(None);
        }
        let text = journal.write_day(state.db.read(), day).await.map_err(|error| aborted(&error))?;
        Ok(Some((text, (state, journal, None, day + 1))))
    })
}

fn aborted(error: &Error) -> io::Error {
    tracing::error!(?error, "the export of the journal was aborted");
    io::Error::other("the export of the journal was aborted")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_has_two_days_in_order_and_at_most_a_year() {
        let parse = |from: &str, to: &str| {
            let query = PeriodQuery { from: Some(from.to_owned()), to: Some(to.to_owned()) };
            query.validated()
        };
        assert_eq!(parse("1970-01-01", "1970-01-01").unwrap(), (0, 1));
        assert!(parse("2028-01-01", "2028-12-31").is_ok());
        for (from, to) in [("2027-01-01", "2028-01-02"), ("2027-01-02", "2027-01-01"), ("", "2027-01-01"), ("x", "y")] {
            assert!(parse(from, to).is_err(), "{from} {to}");
        }
        assert!(PeriodQuery::default().validated().is_err());
    }
}
