//! Sample data: `nudgelight seed --orders N` fills a test-mode database with customers, products and three years of
//! orders, for load tests and demonstrations.
//!
//! All invariants hold afterward. The same seed on the same day generates the same data. The mock Stripe does not know
//! these payments, so they cannot be refunded.

mod people;
mod products;
mod sales;
mod sample;
mod store;

use sqlx::AnyConnection;

use crate::accounts::Passwords;
use crate::config::Config;
use crate::db::{Db, shop_metadata};
use crate::error::{Code, Error};
use crate::infra::clock::{DAY, start_of_day, utc_day};
use crate::orders::daily_totals;
use crate::orders::insert::store::continue_numbers;

use sales::Sales;
use sample::Sampler;

/// Age of the oldest order.
const LENGTH: i64 = 3 * 365 * DAY;
/// Orders per progress message.
const STEP: i64 = 20_000;
const MOST_PRODUCTS: i64 = 10_000;
const MOST: i64 = 100_000_000;

/// Command line options.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Arguments {
    /// Insert this many sample orders, dated up to the last midnight (UTC)
    #[arg(long, value_parser = clap::value_parser!(i64).range(1..=MOST))]
    orders: Option<i64>,
    /// Number of sample customers; default: one per ten orders
    #[arg(long, requires = "orders", value_parser = clap::value_parser!(i64).range(1..=MOST))]
    customers: Option<i64>,
    /// Number of sample products
    #[arg(long, requires = "orders", default_value_t = 200, value_parser = clap::value_parser!(i64).range(1..=MOST_PRODUCTS))]
    products: i64,
    /// Random seed: the same seed on the same day generates the same data
    #[arg(long, requires = "orders", default_value_t = 1)]
    seed: u64,
    /// Insert even if the database already has orders
    #[arg(long, requires = "orders")]
    add: bool,
}

impl Arguments {
    pub fn options(self) -> Option<SeedOptions> {
        let orders = self.orders?;
        Some(SeedOptions {
            orders,
            customers: self.customers.unwrap_or_else(|| (orders / 10).max(1)),
            products: self.products,
            seed: self.seed,
            into: if self.add { Into::Any } else { Into::OneWithoutOrders },
        })
    }
}

/// Amount of sample data.
#[derive(Clone, Copy, Debug)]
pub struct SeedOptions {
    pub orders: i64,
    customers: i64,
    products: i64,
    seed: u64,
    into: Into,
}

/// Whether the database may have orders already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Into {
    OneWithoutOrders,
    Any,
}

/// Inserts all sample data in one transaction.
///
/// # Errors
/// A message for the operator: the shop is not in test mode, or has orders already.
pub async fn fill(
    db: &Db,
    config: &Config,
    shop_name: String,
    now: i64,
    options: SeedOptions,
    progress: fn(&str),
) -> Result<(), Error> {
    if !config.test_mode() || shop_metadata::find(db.read(), shop_metadata::LIVE_PAYMENT).await?.is_some() {
        return Err(operator_error("Sample orders require test mode, and this shop takes live payments."));
    }
    let password_hash = Passwords::new(config.password_cost.clone()).hash(&crate::infra::random::new_id()).await?;
    let filling = Filling {
        db: db.clone(),
        shop_name,
        password_hash,
        end: start_of_day(&utc_day(now)).unwrap_or_default(),
        options,
        progress,
    };
    db.write_long(filling, |tx, filling| Box::pin(filling.write(tx))).await?;
    progress("analyzing the database");
    db.analyze().await
}

/// Sample data on its way into the database.
struct Filling {
    db: Db,
    shop_name: String,
    password_hash: String,
    /// The midnight (UTC) before which the orders are placed.
    end: i64,
    options: SeedOptions,
    progress: fn(&str),
}

impl Filling {
    async fn write(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let (options, start) = (self.options, self.end - LENGTH);
        let before = store::count(tx).await?;
        require_no_orders(&before, options)?;
        let dropped = self.db.drop_indexes(tx, store::FILLED).await?;
        let mut sampler = Sampler::new(options.seed, before.number);
        let products = products::products(&mut sampler, start, before.products, options.products);
        store::insert_products(tx, &products).await?;
        let customers = people::customers(&mut sampler, start, before.users, options.customers);
        store::insert_customers(tx, &customers, &self.password_hash).await?;
        (self.progress)(&format!("{} products and {} customers inserted", options.products, options.customers));

        let mut sales = Sales::new(sampler, &products, &customers, (start, self.end), options.orders);
        sell(tx, &mut sales, before.number, options.orders, &self.shop_name, self.progress).await?;
        store::insert_initial_stock(tx, &products, sales.sold()).await?;
        (self.progress)("creating indexes");
        dropped.recreate(tx).await?;
        daily_totals::recount(tx).await
    }
}

/// Inserts the orders in batches. Later orders continue their numbers.
async fn sell(
    tx: &mut AnyConnection,
    sales: &mut Sales<'_>,
    before: i64,
    many: i64,
    shop_name: &str,
    progress: fn(&str),
) -> Result<(), Error> {
    let mut written = 0;
    while written < many {
        let (first, last) = (before + written + 1, before + (written + STEP).min(many));
        let orders = (first..=last).map(|number| sales.next(number)).collect::<Result<Vec<_>, _>>()?;
        store::insert_orders(tx, &orders, (first, last), shop_name).await?;
        written = last - before;
        progress(&format!("{written} of {many} orders"));
    }
    continue_numbers(tx).await
}

fn require_no_orders(before: &store::Before, options: SeedOptions) -> Result<(), Error> {
    if before.orders == 0 || options.into == Into::Any {
        return Ok(());
    }
    Err(operator_error(format!("The database already has {} orders. Use --add to insert more.", before.orders)))
}

fn operator_error(message: impl std::convert::Into<String>) -> Error {
    Error::new(Code::InvalidRequest, message)
}
