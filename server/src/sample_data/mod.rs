//! A past for a shop that has none: `nudgelight seed --orders N` fills a test-mode database with customers, products
//! and orders as years of business would have left them, so that a shop can be looked at and measured at its size.
//!
//! The books balance afterwards. The same seed on the same day gives the same past. The test-mode Stripe knows nothing
//! of these payments, so they cannot be refunded there.

mod people;
mod products;
mod sales;
mod sample;
mod store;

use sqlx::AnyConnection;

use crate::auth::Passwords;
use crate::config::Config;
use crate::db::Db;
use crate::http::error::{Code, Error};
use crate::infra::clock::{DAY, start_of_day, utc_day};
use crate::shop_metadata;

use sales::Sales;
use sample::Draw;

/// How far back the first order was made.
const LENGTH: i64 = 3 * 365 * DAY;
/// How many orders are written before somebody is told how far it is.
const STEP: i64 = 20_000;
const MOST_PRODUCTS: i64 = 10_000;
const MOST: i64 = 100_000_000;

/// What the command line says.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Arguments {
    /// Fill the database with a past of so many orders, the last of them at the last midnight (UTC)
    #[arg(long, value_parser = clap::value_parser!(i64).range(1..=MOST))]
    orders: Option<i64>,
    /// Made by so many new customers; without it one for ten orders
    #[arg(long, requires = "orders", value_parser = clap::value_parser!(i64).range(1..=MOST))]
    customers: Option<i64>,
    /// For so many new products
    #[arg(long, requires = "orders", default_value_t = 200, value_parser = clap::value_parser!(i64).range(1..=MOST_PRODUCTS))]
    products: i64,
    /// Another number, another past; the same number on the same day, the same one
    #[arg(long, requires = "orders", default_value_t = 1)]
    seed: u64,
    /// Even if the database has orders already
    #[arg(long, requires = "orders")]
    add: bool,
}

impl Arguments {
    pub fn wanted(self) -> Option<Wanted> {
        let orders = self.orders?;
        Some(Wanted {
            orders,
            customers: self.customers.unwrap_or_else(|| (orders / 10).max(1)),
            products: self.products,
            seed: self.seed,
            into: if self.add { Into::Any } else { Into::OneWithoutOrders },
        })
    }
}

/// A past of this size.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub orders: i64,
    customers: i64,
    products: i64,
    seed: u64,
    into: Into,
}

/// Into which databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Into {
    OneWithoutOrders,
    Any,
}

/// Writes all of it in one transaction, or nothing.
///
/// # Errors
/// A sentence for the operator: this shop is not for play, or has orders already.
pub async fn fill(db: &Db, config: &Config, now: i64, wanted: Wanted, progress: fn(&str)) -> Result<(), Error> {
    if !config.test_mode() || shop_metadata::find(db.read(), shop_metadata::LIVE_PAYMENT).await?.is_some() {
        return Err(refusal(
            "Invented orders are only put into a shop in test mode, and this one takes live payments.",
        ));
    }
    let password_hash = Passwords::default().hash(&crate::infra::random::new_id()).await?;
    let filling = Filling {
        db: db.clone(),
        shop_name: config.shop_name.clone(),
        password_hash,
        end: start_of_day(&utc_day(now)).unwrap_or_default(),
        wanted,
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
    wanted: Wanted,
    progress: fn(&str),
}

impl Filling {
    async fn write(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let (wanted, start) = (self.wanted, self.end - LENGTH);
        let before = store::count(tx).await?;
        refuse_orders(&before, wanted)?;
        let dropped = self.db.drop_indexes(tx, store::FILLED).await?;
        let mut draw = Draw::new(wanted.seed, before.number);
        let products = products::products(&mut draw, start, before.products, wanted.products);
        store::insert_products(tx, &products).await?;
        let customers = people::customers(&mut draw, start, before.users, wanted.customers);
        store::insert_customers(tx, &customers, &self.password_hash).await?;
        (self.progress)(&format!("{} products and {} customers inserted", wanted.products, wanted.customers));

        let mut sales = Sales::new(draw, &products, &customers, (start, self.end), wanted.orders);
        sell(tx, &mut sales, before.number, wanted.orders, &self.shop_name, self.progress).await?;
        store::stock_up(tx, &products, sales.sold()).await?;
        store::count_daily_product_totals(tx).await?;
        (self.progress)("creating indexes");
        dropped.put_back(tx).await
    }
}

/// Writes the orders, a step at a time, and the number given out last.
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
    store::set_number(tx, before + many).await
}

fn refuse_orders(before: &store::Before, wanted: Wanted) -> Result<(), Error> {
    if before.orders == 0 || wanted.into == Into::Any {
        return Ok(());
    }
    Err(refusal(format!("The database has {} orders already. Say --add to put others beside them.", before.orders)))
}

fn refusal(sentence: impl std::convert::Into<String>) -> Error {
    Error::new(Code::InvalidRequest, sentence)
}
