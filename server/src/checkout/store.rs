//! Checkouts: quotes with reserved stock.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::OrderItem;
use wasm_core::pricing::TaxCalculation;
use wasm_core::validation::{Address, Country};

use super::checkout_state::{CheckoutState, CloseReason};
use crate::catalog::products::stock::store::{self as stock, Reserve};
use crate::db::json::{from_json, to_json};
use crate::db::rows::{Insert, Values};
use crate::error::Error;
use crate::infra::random;
use crate::orders::store as orders;

const LINES: Insert = Insert(
    "checkout_lines",
    &["checkout_id", "position", "product_id", "product_name", "quantity", "price", "warranty_months"],
);

#[derive(Clone, Debug)]
pub struct StoredCheckout {
    pub id: String,
    pub user_id: String,
    pub user_email: String,
    pub payment_intent_id: Option<String>,
    pub client_secret: Option<String>,
    pub state: CheckoutState,
    pub fingerprint: String,
    pub address: Address,
    pub subtotal: Cents,
    pub shipping: Cents,
    pub tax: Option<Cents>,
    pub total: Option<Cents>,
    pub tax_calculation: Option<TaxCalculation>,
    /// Of a closed checkout.
    pub closed_reason: Option<CloseReason>,
    pub created_at: i64,
    pub expires_at: i64,
    /// When the first checkout of the chain began. Each checkout of a chain replaces the one before.
    pub chain_began_at: i64,
    /// Since when the account has reserved some of these items without a pause, in any of its checkouts.
    pub held_since: i64,
    /// When the checkout was made again from its payment, because the database had lost it.
    pub recovered_at: Option<i64>,
}

impl StoredCheckout {
    /// Whether the address was deleted after the retention period: such a checkout can no longer be shipped.
    pub fn is_without_address(&self) -> bool {
        self.address == Address::default()
    }

    pub fn destination(&self) -> Result<Country, Error> {
        let country = self.address.address.destination();
        country.ok_or_else(|| Error::internal("a validated address has an unknown country"))
    }

    /// A new checkout, without prices and without a payment intent.
    pub fn begin(user_id: String, user_email: String, address: Address, now: i64, expires_at: i64) -> Self {
        Self {
            id: random::new_id(),
            user_id,
            user_email,
            payment_intent_id: None,
            client_secret: None,
            state: CheckoutState::Open,
            fingerprint: String::new(),
            address,
            subtotal: Cents::ZERO,
            shipping: Cents::ZERO,
            tax: None,
            total: None,
            tax_calculation: None,
            closed_reason: None,
            created_at: now,
            expires_at,
            chain_began_at: now,
            held_since: now,
            recovered_at: None,
        }
    }
}

pub async fn insert_checkout(
    tx: &mut AnyConnection,
    checkout: &StoredCheckout,
    lines: &[OrderItem],
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO checkouts (id, user_id, user_email, state, fingerprint, address, subtotal, shipping, currency, created_at, expires_at, \
         chain_began_at, held_since) \
         VALUES ($1, $2, $3, 'open', $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(&checkout.id)
    .bind(&checkout.user_id)
    .bind(&checkout.user_email)
    .bind(&checkout.fingerprint)
    .bind(to_json(&checkout.address)?)
    .bind(checkout.subtotal.cents())
    .bind(checkout.shipping.cents())
    .bind(super::provider::CURRENCY)
    .bind(checkout.created_at)
    .bind(checkout.expires_at)
    .bind(checkout.chain_began_at)
    .bind(checkout.held_since)
    .execute(&mut *tx)
    .await?;
    let lines: Vec<_> = (0_i64..).zip(lines).collect();
    let line = |values: &mut Values, (position, line): &(i64, &OrderItem)| {
        values.text(&checkout.id)?.whole(*position)?.text(&line.product_id)?.text(&line.product_name)?;
        values.whole(line.quantity)?.whole(line.price.cents())?.maybe_whole(line.warranty_months).map(drop)
    };
    LINES.run(tx, &lines, line).await
}

/// Stores the payment intent and the tax calculation of an open checkout. False when it is no longer open.
pub async fn set_intent(
    tx: &mut AnyConnection,
    checkout_id: &str,
    intent_id: &str,
    client_secret: &str,
    tax: &TaxCalculation,
    total: Cents,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "UPDATE checkouts SET payment_intent_id = $2, client_secret = $3, tax_calculation = $4, tax = $5, total = $6 \
         WHERE id = $1 AND state = 'open'",
    )
    .bind(checkout_id)
    .bind(intent_id)
    .bind(client_secret)
    .bind(to_json(tax)?)
    .bind(tax.tax_amount_exclusive)
    .bind(total.cents())
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Changes the state of a checkout. False when its state is not `from`.
pub async fn change_state(
    tx: &mut AnyConnection,
    checkout_id: &str,
    from: CheckoutState,
    to: CheckoutState,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "UPDATE checkouts SET state = $3, closed_reason = NULL, closed_at = NULL WHERE id = $1 AND state = $2",
    )
    .bind(checkout_id)
    .bind(from.as_str())
    .bind(to.as_str())
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Changes the state of an open checkout and releases its stock. False when it is not open.
pub async fn release(tx: &mut AnyConnection, checkout_id: &str, to: CheckoutState) -> Result<bool, Error> {
    let is_changed = change_state(tx, checkout_id, CheckoutState::Open, to).await?;
    if is_changed {
        release_stock(tx, checkout_id).await?;
    }
    Ok(is_changed)
}

/// Closes an open checkout and releases its stock. False when it is not open.
pub async fn close(tx: &mut AnyConnection, checkout_id: &str, reason: CloseReason, now: i64) -> Result<bool, Error> {
    let is_closed = mark_closed(tx, checkout_id, reason, now).await?;
    if is_closed {
        release_stock(tx, checkout_id).await?;
    }
    Ok(is_closed)
}

/// Closes an open checkout, whose stock the caller releases in the same transaction. False when it is not open.
pub async fn mark_closed(
    tx: &mut AnyConnection,
    checkout_id: &str,
    reason: CloseReason,
    now: i64,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "UPDATE checkouts SET state = 'closed', closed_reason = $2, closed_at = $3 WHERE id = $1 AND state = 'open'",
    )
    .bind(checkout_id)
    .bind(reason.as_str())
    .bind(now)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

async fn release_stock(tx: &mut AnyConnection, checkout_id: &str) -> Result<(), Error> {
    let lines = list_lines(tx, checkout_id).await?.into_iter();
    let released =
        lines.map(|line| Reserve { product_id: line.product_id, released: line.quantity, quantity: 0, needed: 0 });
    stock::reserve(tx, &released.collect::<Vec<_>>()).await.map(drop)
}

/// Deletes the addresses of checkouts without an order whose reservation ended before this time, at most `limit`, and
/// returns how many.
pub async fn delete_addresses(tx: &mut AnyConnection, ended_before: i64, limit: i64) -> Result<u64, Error> {
    // An address could be guessed from the fingerprint, its hash.
    let done = sqlx::query(
        "UPDATE checkouts SET address = '{}', fingerprint = '', client_secret = NULL \
         WHERE id IN (SELECT id FROM checkouts WHERE state IN ('closed', 'refunded', 'charged_back') \
                      AND address <> '{}' AND expires_at < $1 ORDER BY expires_at LIMIT $2) \
         AND state IN ('closed', 'refunded', 'charged_back')",
    )
    .bind(ended_before)
    .bind(limit)
    .execute(tx)
    .await?;
    Ok(done.rows_affected())
}

/// Ordered by product id: two checkouts lock the rows of products in the same order, so they never deadlock.
pub async fn list_lines(tx: &mut AnyConnection, checkout_id: &str) -> Result<Vec<OrderItem>, Error> {
    let rows = sqlx::query(
        "SELECT product_id, product_name, quantity, price, warranty_months FROM checkout_lines \
         WHERE checkout_id = $1 ORDER BY product_id",
    )
    .bind(checkout_id)
    .fetch_all(tx)
    .await?;
    rows.iter().map(orders::item_of_line).collect()
}

pub async fn find_by_intent(pool: &AnyPool, intent_id: &str) -> Result<Option<StoredCheckout>, Error> {
    let row = sqlx::query("SELECT * FROM checkouts WHERE payment_intent_id = $1")
        .bind(intent_id)
        .fetch_optional(pool)
        .await?;
    row.as_ref().map(checkout_of).transpose()
}

/// Finds a checkout by its own id or that of its payment intent.
pub async fn find_by_any_id(pool: &AnyPool, id: &str) -> Result<Option<StoredCheckout>, Error> {
    let row = sqlx::query("SELECT * FROM checkouts WHERE id = $1 OR payment_intent_id = $1")
        .bind(id)
        .fetch_optional(pool)
        .await?;
    row.as_ref().map(checkout_of).transpose()
}

/// Oldest first.
pub async fn list_open(pool: &AnyPool) -> Result<Vec<StoredCheckout>, Error> {
    let rows =
        sqlx::query("SELECT * FROM checkouts WHERE state = 'open' ORDER BY created_at, id").fetch_all(pool).await?;
    rows.iter().map(checkout_of).collect()
}

/// Locks the checkout until the transaction ends and returns its state.
pub async fn lock_checkout(tx: &mut AnyConnection, checkout_id: &str) -> Result<CheckoutState, Error> {
    let text: String = sqlx::query_scalar("UPDATE checkouts SET state = state WHERE id = $1 RETURNING state")
        .bind(checkout_id)
        .fetch_one(tx)
        .await?;
    CheckoutState::parse(&text)
}

/// Marks an open or closed checkout as ordered and returns its previous state.
pub async fn mark_ordered(tx: &mut AnyConnection, checkout_id: &str) -> Result<CheckoutState, Error> {
    // A single statement in the common case.
    if change_state(tx, checkout_id, CheckoutState::Open, CheckoutState::Ordered).await? {
        return Ok(CheckoutState::Open);
    }
    let state = lock_checkout(tx, checkout_id).await?;
    if state == CheckoutState::Closed {
        change_state(tx, checkout_id, CheckoutState::Closed, CheckoutState::Ordered).await?;
    }
    Ok(state)
}

/// Open checkouts that have expired.
pub async fn list_expired(pool: &AnyPool, now: i64) -> Result<Vec<StoredCheckout>, Error> {
    let rows = sqlx::query("SELECT * FROM checkouts WHERE state = 'open' AND expires_at <= $1")
        .bind(now)
        .fetch_all(pool)
        .await?;
    rows.iter().map(checkout_of).collect()
}

/// Payment intents of open checkouts that were created before this time.
pub async fn list_open_intents(pool: &AnyPool, before: i64) -> Result<Vec<String>, Error> {
    Ok(sqlx::query_scalar(
        "SELECT payment_intent_id FROM checkouts \
         WHERE state = 'open' AND created_at <= $1 AND payment_intent_id IS NOT NULL ORDER BY created_at",
    )
    .bind(before)
    .fetch_all(pool)
    .await?)
}

fn checkout_of(row: &AnyRow) -> Result<StoredCheckout, Error> {
    let tax_calculation: Option<String> = row.try_get("tax_calculation")?;
    let closed_reason: Option<String> = row.try_get("closed_reason")?;
    Ok(StoredCheckout {
        id: row.try_get("id")?,
        user_id: row.try_get("user_id")?,
        user_email: row.try_get("user_email")?,
        payment_intent_id: row.try_get("payment_intent_id")?,
        client_secret: row.try_get("client_secret")?,
        state: CheckoutState::parse(row.try_get("state")?)?,
        fingerprint: row.try_get("fingerprint")?,
        address: from_json(row.try_get("address")?)?,
        subtotal: Cents::from_cents(row.try_get("subtotal")?),
        shipping: Cents::from_cents(row.try_get("shipping")?),
        tax: row.try_get::<Option<i64>, _>("tax")?.map(Cents::from_cents),
        total: row.try_get::<Option<i64>, _>("total")?.map(Cents::from_cents),
        tax_calculation: tax_calculation.as_deref().map(from_json).transpose()?,
        closed_reason: closed_reason.as_deref().map(CloseReason::parse).transpose()?,
        created_at: row.try_get("created_at")?,
        expires_at: row.try_get("expires_at")?,
        chain_began_at: row.try_get("chain_began_at")?,
        held_since: row.try_get("held_since")?,
        recovered_at: row.try_get("recovered_at")?,
    })
}
