//! Demo data: products and two accounts, inserted only into an empty database.

use sqlx::AnyConnection;
use wasm_core::catalogue::ProductInput;
use wasm_core::money::Cents;
use wasm_core::weight::Weight;

use crate::auth;
use crate::catalogue::store::{InsertError, count_products, insert_product};
use crate::config::Config;
use crate::db::Db;
use crate::http::error::Error;
use crate::infra::clock::Clock;
use crate::infra::random;
use crate::shop_metadata;

pub const ADMIN: &str = "admin@nudgelight.example";
pub const CUSTOMER: &str = "customer@nudgelight.example";

/// Password of both demo accounts.
pub struct Seeded {
    pub password: String,
}

/// `None` if the database already has products or accounts.
pub async fn seed_if_empty(db: &Db, clock: &Clock, config: &Config) -> Result<Option<Seeded>, Error> {
    if count_products(db.read()).await? > 0 || auth::count_users(db.read()).await? > 0 {
        return Ok(None);
    }
    let now = clock.now_ms();
    let password = config.demo_password.clone().unwrap_or_else(random_password);
    let admin = auth::SeedAccount::new(ADMIN, &password, auth::Role::Admin).await?;
    let customer = auth::SeedAccount::new(CUSTOMER, &password, auth::Role::Customer).await?;
    let is_seeded = db.write(([admin, customer], now), |tx, (accounts, now)| Box::pin(insert(tx, accounts, *now)));
    Ok(is_seeded.await?.then_some(Seeded { password }))
}

/// Several processes may start at once on an empty database: true for the one that inserts.
async fn insert(tx: &mut AnyConnection, accounts: &[auth::SeedAccount], now: i64) -> Result<bool, Error> {
    if !shop_metadata::claim(tx, shop_metadata::DEMO, &now.to_string()).await? {
        return Ok(false);
    }
    insert_products(tx, now).await?;
    for account in accounts {
        account.insert(tx, now).await?;
    }
    Ok(true)
}

async fn insert_products(tx: &mut AnyConnection, now: i64) -> Result<(), Error> {
    for (offset, product) in (0_i64..).zip(products()) {
        insert_product(tx, &product, "shop", now + offset).await.map_err(|error| match error {
            InsertError::Database(error) => error.into(),
            InsertError::Other(error) => error,
        })?;
    }
    Ok(())
}

fn products() -> [ProductInput; 4] {
    [
        product(
            "Nudgelight One",
            "A warm light that remembers for you. Plug it into any USB port, write the times into the text file \
             on its drive, and it turns on or blinks when you asked it to. It sets its clock over Wi-Fi.",
            (24_99, 120, 60),
        ),
        product(
            "Nudgelight Mini",
            "The same light at the size of a thumb. It sits almost flush in a laptop and still reads your \
             schedule.txt to the second.",
            (17_50, 48, 25),
        ),
        product(
            "Nudgelight Duo",
            "Two lights in one box, for two people or two kinds of reminders. Each has a text file of its own.",
            (39_00, 25, 85),
        ),
        product(
            "Nudgelight Halo",
            "A ring of soft light on a short cable, made for a shelf or a bedside table. Dim it to one percent \
             and it is a night light.",
            (54_95, 4, 140),
        ),
    ]
}

fn product(name: &str, description: &str, (cents, stock, hundredths): (i64, i64, i64)) -> ProductInput {
    let listed = ProductInput { active: true, ..ProductInput::default() };
    ProductInput {
        name: name.to_owned(),
        description: description.to_owned(),
        price: Cents::from_cents(cents),
        stock,
        weight_pounds: Weight::from_hundredths(hundredths),
        ..listed
    }
}

/// Sixteen letters and digits without look-alikes.
fn random_password() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz234567899";
    random::random_bytes::<16>()
        .iter()
        .filter_map(|byte| LETTERS.get(usize::from(byte % 32)))
        .map(|letter| char::from(*letter))
        .collect()
}
