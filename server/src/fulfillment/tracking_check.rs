//! Check of a tracking number that an administrator enters for one order.

use sqlx::AnyConnection;
use wasm_core::orders::{TrackingCheck, check_tracking_number, compact_tracking_number};

use crate::error::Error;
use crate::orders::StoredOrder;
use crate::orders::search::store as search;

/// Checks the tracking number, if the edit changes it.
///
/// # Errors
/// 400 in `tracking_number` if its check digit is wrong, a spreadsheet has rounded it, or another order has it.
pub async fn check_new_number(tx: &mut AnyConnection, before: &StoredOrder, after: &StoredOrder) -> Result<(), Error> {
    let new = after.tracking_number.as_deref().filter(|_| before.tracking_number != after.tracking_number);
    let Some(number) = new else { return Ok(()) };
    match find_doubt(tx, number, before.number).await? {
        Some(doubt) => Err(Error::invalid_field("tracking_number", format!("{doubt} Compare it with the label."))),
        None => Ok(()),
    }
}

/// Why the number of this order may be wrong, as a sentence.
async fn find_doubt(tx: &mut AnyConnection, number: &str, order: i64) -> Result<Option<String>, Error> {
    let tracked = search::list_tracked(tx, &[number]).await?;
    let orders = tracked.get(&compact_tracking_number(number)).into_iter().flatten();
    if let Some(other) = orders.copied().filter(|other| *other != order).min() {
        return Ok(Some(format!("Order {other} has the same tracking number.")));
    }
    Ok(match check_tracking_number(number) {
        TrackingCheck::Valid | TrackingCheck::UnknownFormat => None,
        TrackingCheck::WrongCheckDigit => Some("This number has a mistyped or missing digit.".to_owned()),
        TrackingCheck::Rounded => Some("A spreadsheet seems to have rounded this number.".to_owned()),
    })
}
