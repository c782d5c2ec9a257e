//! SQL of the sample data. Customers, products, checkouts and orders are bound as values; the database derives all other
//! rows from them, batch by batch.

use std::collections::BTreeMap;

use sqlx::AnyConnection;
use wasm_core::catalog::slug;
use wasm_core::money::Cents;
use wasm_core::orders::{DisputeStatus, HoldReason, OrderStatus, PaymentStatus};
use wasm_core::pricing::{Parts, Refundable, TaxCalculation};

use super::people::Customer;
use super::products::SampleProduct;
use super::sales::Sale;
use crate::db::rows::{Insert, Values};
use crate::error::Error;
use crate::infra::clock::{DAY, HOUR};
use crate::infra::words::email_words;
use crate::orders::insert::store::insert_lines;
use crate::orders::search::store as search;

/// Tables whose indexes are created at the end.
pub const FILLED: &[&str] = &[
    "users",
    "checkouts",
    "checkout_lines",
    "orders",
    "order_lines",
    "order_history",
    "stock_ledger",
    "refunds",
    "refund_lines",
    "outbox",
];

const PRODUCTS: Insert = Insert(
    "products",
    &[
        "id",
        "name",
        "name_key",
        "slug",
        "description",
        "price",
        "weight",
        "stock",
        "active",
        "created_at",
        "updated_at",
        "form",
        "lamp_color",
        "length_mm",
        "width_mm",
        "height_mm",
        "sku",
    ],
);
const SLUGS: Insert = Insert("product_slugs", &["slug", "product_id"]);
const USERS: Insert = Insert("users", &["id", "email", "email_key", "password_hash", "created_at", "confirmed_at"]);
const USER_WORDS: Insert = Insert("user_words", &["word", "user_id"]);
const CHECKOUTS: Insert = Insert(
    "checkouts",
    &[
        "id",
        "user_id",
        "user_email",
        "payment_intent_id",
        "client_secret",
        "state",
        "fingerprint",
        "address",
        "subtotal",
        "shipping",
        "tax",
        "total",
        "currency",
        "tax_calculation",
        "created_at",
        "expires_at",
    ],
);
const LINES: Insert =
    Insert("checkout_lines", &["checkout_id", "position", "product_id", "product_name", "quantity", "price"]);
const ORDERS: Insert = Insert(
    "orders",
    &[
        "id",
        "number",
        "user_id",
        "user_email",
        "checkout_id",
        "payment_intent_id",
        "status",
        "name",
        "address",
        "country",
        "billing_address",
        "tracking_number",
        "subtotal",
        "shipping",
        "tax",
        "total",
        "tax_breakdown",
        "tax_region",
        "tax_calculation_id",
        "payment_status",
        "refunded",
        "dispute",
        "hold",
        "created_at",
    ],
);

const REFUNDS: Insert = Insert(
    "refunds",
    &[
        "id",
        "order_id",
        "amount",
        "subtotal",
        "shipping",
        "tax",
        "tax_breakdown",
        "restock",
        "actor",
        "state",
        "provider_id",
        "created_at",
    ],
);

/// Rows derived from the orders with numbers $1 to $2. Related IDs differ in their last two digits.
const FOLLOWING: [&str; 8] = [
    "INSERT INTO disputes (id, order_id, status, amount, created_at, updated_at) \
     SELECT REPLACE(payment_intent_id, 'pi_', 'du_'), id, 'open', total, created_at, created_at FROM orders \
     WHERE number BETWEEN $1 AND $2 AND dispute = 'open' ORDER BY number",
    "INSERT INTO stock_ledger (id, product_id, change, reason, order_id, actor, created_at) \
     SELECT substr(o.id, 1, 34) || '1' || l.position, l.product_id, -l.quantity, 'sold', o.id, 'shop', o.created_at \
     FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE o.number BETWEEN $1 AND $2 \
     ORDER BY o.number, l.position",
    "INSERT INTO stock_ledger (id, product_id, change, reason, order_id, actor, created_at) \
     SELECT substr(o.id, 1, 34) || '2' || l.position, l.product_id, l.quantity, 'restocked', o.id, 'shop', \
     o.created_at + 86400000 FROM orders o JOIN order_lines l ON l.order_id = o.id \
     WHERE o.number BETWEEN $1 AND $2 AND o.status = 'refunded' ORDER BY o.number, l.position",
    "INSERT INTO order_history (id, order_id, created_at, actor, kind, data) \
     SELECT substr(id, 1, 34) || '30', id, created_at, user_email, 'placed', 'null' FROM orders \
     WHERE number BETWEEN $1 AND $2 ORDER BY number",
    "INSERT INTO order_history (id, order_id, created_at, actor, kind, data) \
     SELECT substr(id, 1, 34) || '31', id, created_at + 86400000, 'shop', 'status_changed', \
     '{\"from\":\"pending\",\"to\":\"' || status || '\"}' FROM orders \
     WHERE number BETWEEN $1 AND $2 AND status <> 'pending' ORDER BY number",
    "INSERT INTO refund_lines (refund_id, product_id, quantity) \
     SELECT r.id, l.product_id, l.quantity FROM orders o JOIN refunds r ON r.order_id = o.id \
     JOIN order_lines l ON l.order_id = o.id WHERE o.number BETWEEN $1 AND $2 AND o.status = 'refunded' \
     ORDER BY o.number, l.position",
    "INSERT INTO alerts (id, kind, data, dedupe_key, order_id, created_at) \
     SELECT substr(id, 1, 34) || '60', 'dispute_opened', '{\"dispute_id\":\"' || REPLACE(payment_intent_id, 'pi_', 'du_') \
     || '\"}', 'dispute_opened:' || REPLACE(payment_intent_id, 'pi_', 'du_'), id, created_at FROM orders \
     WHERE number BETWEEN $1 AND $2 AND dispute = 'open' ORDER BY number",
    "INSERT INTO outbox (id, kind, order_id, dedupe_key, recipient, message, created_at, next_attempt_at, attempts, \
     sent_at) SELECT substr(id, 1, 34) || '50', 'receipt', id, 'receipt:' || id, user_email, '', created_at, created_at + 120000, 1, \
     created_at + 2000 FROM orders WHERE number BETWEEN $1 AND $2 ORDER BY number",
];

/// Existing rows.
pub struct Before {
    pub orders: i64,
    pub users: i64,
    pub products: i64,
    /// The last order number.
    pub number: i64,
}

pub async fn count(tx: &mut AnyConnection) -> Result<Before, Error> {
    let (orders, users, products, number) = sqlx::query_as(
        "SELECT (SELECT COUNT(*) FROM orders), (SELECT COUNT(*) FROM users), (SELECT COUNT(*) FROM products), \
         (SELECT COALESCE(MAX(number), 1000) FROM orders)",
    )
    .fetch_one(tx)
    .await?;
    Ok(Before { orders, users, products, number })
}

pub async fn insert_products(tx: &mut AnyConnection, products: &[SampleProduct]) -> Result<(), Error> {
    let product = |values: &mut Values, product: &SampleProduct| {
        values.text(&product.id)?.text(&product.name)?.text(product.name.to_lowercase())?.text(slug(&product.name))?;
        values.text(&product.description)?.whole(product.price)?.whole(product.weight)?.whole(product.stock)?;
        values.whole(1)?.whole(product.created_at)?.whole(product.created_at)?;
        values.text(product.form.as_str())?.text(product.lamp_color.as_str())?.whole(product.dimensions.length_mm)?;
        values.whole(product.dimensions.width_mm)?.whole(product.dimensions.height_mm)?.text(&product.sku).map(drop)
    };
    PRODUCTS.run(tx, products, product).await?;
    SLUGS.run(tx, products, |values, product| values.text(slug(&product.name))?.text(&product.id).map(drop)).await
}

pub async fn insert_customers(tx: &mut AnyConnection, customers: &[Customer], hash: &str) -> Result<(), Error> {
    let user = |values: &mut Values, customer: &Customer| {
        values.text(&customer.id)?.text(&customer.email)?.text(&customer.email)?.text(hash)?;
        values.whole(customer.created_at)?.whole(customer.created_at).map(drop)
    };
    USERS.run(tx, customers, user).await?;
    let words: Vec<_> = customers
        .iter()
        .flat_map(|customer| email_words(&customer.email).into_iter().map(|word| (word, &customer.id)))
        .collect();
    USER_WORDS.run(tx, &words, |values, (word, id)| values.text(word)?.text(*id).map(drop)).await
}

/// Inserts these orders with all derived rows.
pub async fn insert_orders(
    tx: &mut AnyConnection,
    sales: &[Sale<'_>],
    (first, last): (i64, i64),
    shop_name: &str,
) -> Result<(), Error> {
    CHECKOUTS.run(tx, sales, checkout).await?;
    let lines: Vec<_> = sales
        .iter()
        .flat_map(|sale| (0_i64..).zip(&sale.lines).map(move |(position, line)| (sale, position, line)))
        .collect();
    let line = |values: &mut Values, (sale, position, line): &(&Sale<'_>, i64, &super::sales::Line<'_>)| {
        values.text(&sale.id)?.whole(*position)?.text(&line.product.id)?.text(&line.product.name)?;
        values.whole(line.quantity)?.whole(line.product.price).map(drop)
    };
    LINES.run(tx, &lines, line).await?;
    ORDERS.run(tx, sales, order).await?;
    let ids: Vec<String> = sales.iter().map(order_id).collect();
    search::insert_all(tx, &ids.iter().map(String::as_str).collect::<Vec<_>>()).await?;
    let refunded: Vec<_> = sales.iter().filter(|sale| sale.payment.refunded > Cents::ZERO).collect();
    REFUNDS.run(tx, &refunded, |values, sale| refund(values, sale)).await?;
    insert_lines(tx, first..=last).await?;
    for statement in FOLLOWING {
        sqlx::query(statement).bind(first).bind(last).execute(&mut *tx).await?;
    }
    sqlx::query(
        "INSERT INTO order_history (id, order_id, created_at, actor, kind, data) \
         SELECT substr(id, 1, 34) || '32', id, created_at, 'shop', 'email_sent', $3 || number || '\"}' \
         FROM orders WHERE number BETWEEN $1 AND $2 ORDER BY number",
    )
    .bind(first)
    .bind(last)
    .bind(receipt_data(shop_name)?)
    .execute(tx)
    .await?;
    Ok(())
}

/// The data of the history's entry about a receipt, up to the order's number.
fn receipt_data(shop_name: &str) -> Result<String, Error> {
    let subject = serde_json::to_string(&format!("Your {shop_name} order ")).map_err(Error::internal)?;
    Ok(format!("{{\"email\":\"receipt\",\"subject\":{}", subject.trim_end_matches('"')))
}

fn checkout(values: &mut Values, sale: &Sale<'_>) -> Result<(), Error> {
    let tax = TaxCalculation {
        id: calculation_id(sale),
        tax_amount_exclusive: sale.quote.tax.cents(),
        tax_breakdown: sale.taxes.clone(),
    };
    values.text(&sale.id)?.text(&sale.customer.id)?.text(&sale.customer.email)?.text(intent_id(sale))?;
    values.text(format!("{}_secret", intent_id(sale)))?.text("ordered")?.text(&sale.id)?.json(&sale.address)?;
    values.whole(sale.quote.subtotal.cents())?.whole(sale.quote.shipping.cents())?.whole(sale.quote.tax.cents())?;
    values.whole(sale.quote.total.cents())?.text("usd")?.json(&tax)?.whole(sale.at)?.whole(sale.at + HOUR).map(drop)
}

fn order(values: &mut Values, sale: &Sale<'_>) -> Result<(), Error> {
    let (customer, address) = (sale.customer, &sale.address);
    values.text(order_id(sale))?.whole(sale.number)?.text(&customer.id)?;
    values.text(&customer.email)?.text(&sale.id)?.text(intent_id(sale))?;
    values.text(OrderStatus::as_str(sale.status))?.text(&address.name)?;
    values
        .json(address)?
        .text(&address.address.country)?
        .json(&customer.address)?
        .maybe_text(sale.tracking_number.clone())?;
    values.whole(sale.quote.subtotal.cents())?.whole(sale.quote.shipping.cents())?.whole(sale.quote.tax.cents())?;
    values.whole(sale.quote.total.cents())?.json(&sale.taxes)?;
    values.text(address.address.region_code())?.text(calculation_id(sale))?;
    values.text(PaymentStatus::as_str(sale.payment.status))?.whole(sale.payment.refunded.cents())?;
    values.text(DisputeStatus::as_str(sale.payment.dispute))?;
    let is_disputed = sale.payment.dispute == DisputeStatus::Open;
    values.maybe_text(is_disputed.then(|| HoldReason::Dispute.as_str().to_owned()))?;
    values.whole(sale.at).map(drop)
}

fn order_id(sale: &Sale<'_>) -> String {
    format!("{}01", sale.id.get(..34).unwrap_or_default())
}

/// A refund of the whole order, or of an amount.
fn refund(values: &mut Values, sale: &Sale<'_>) -> Result<(), Error> {
    let Sale { quote, taxes, payment, .. } = sale;
    let order = Refundable::new(quote.subtotal, quote.shipping, taxes.clone())?;
    let parts = order.of_amount(payment.refunded, &Parts::default())?;
    let prefix = sale.id.get(..34).unwrap_or_default();
    values.text(format!("{prefix}40"))?.text(format!("{prefix}01"))?.whole(payment.refunded.cents())?;
    values.whole(parts.subtotal.cents())?.whole(parts.shipping.cents())?.whole(parts.tax.cents())?;
    values
        .json(&parts.tax_breakdown)?
        .whole(i64::from(sale.status == OrderStatus::Refunded))?
        .text("shop")?
        .text("done")?;
    values.text(intent_id(sale).replacen("pi_", "re_", 1))?.whole(sale.at + DAY).map(drop)
}

/// In the format of the provider's IDs, ordered by time like them.
fn intent_id(sale: &Sale<'_>) -> String {
    format!("pi_{}", sale.id.replace('-', ""))
}

fn calculation_id(sale: &Sale<'_>) -> String {
    format!("table-{}", sale.id)
}

/// Inserts the initial stock: what is left plus what was sold.
pub async fn insert_initial_stock(
    tx: &mut AnyConnection,
    products: &[SampleProduct],
    sold: &BTreeMap<&str, i64>,
) -> Result<(), Error> {
    for product in products {
        sqlx::query(
            "INSERT INTO stock_ledger (id, product_id, change, reason, order_id, actor, created_at) \
             VALUES ($1, $1, $2, 'created', NULL, 'shop', $3)",
        )
        .bind(&product.id)
        .bind(product.stock + sold.get(product.id.as_str()).copied().unwrap_or_default())
        .bind(product.created_at)
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
