//! Demo data: products and two accounts, inserted only into an empty database.

use sqlx::AnyConnection;
use wasm_core::catalog::{DeviceForm, Dimensions, LampColor, Plug, ProductInput};
use wasm_core::money::Cents;
use wasm_core::weight::Weight;

use crate::accounts;
use crate::catalog::products::store::{InsertError, count_products, insert_product};
use crate::config::Config;
use crate::db::Db;
use crate::db::shop_metadata;
use crate::error::Error;
use crate::infra::clock::Clock;
use crate::infra::random;

pub const ADMIN: &str = "admin@nudgelight.example";
pub const CUSTOMER: &str = "customer@nudgelight.example";

/// Password of both demo accounts.
pub struct Seeded {
    pub password: String,
}

/// `None` if the database already has products or accounts.
pub async fn seed_if_empty(db: &Db, clock: &Clock, config: &Config) -> Result<Option<Seeded>, Error> {
    if count_products(db.read()).await? > 0 || accounts::count_users(db.read()).await? > 0 {
        return Ok(None);
    }
    let now = clock.now_ms();
    let password = config.demo_password.clone().unwrap_or_else(random_password);
    let passwords = accounts::Passwords::new(config.password_cost.clone());
    let admin = accounts::SeedAccount::new(ADMIN, &password, accounts::Role::Admin, &passwords).await?;
    let customer = accounts::SeedAccount::new(CUSTOMER, &password, accounts::Role::Customer, &passwords).await?;
    let is_seeded = db.write(([admin, customer], now), |tx, (accounts, now)| Box::pin(insert(tx, accounts, *now)));
    Ok(is_seeded.await?.then_some(Seeded { password }))
}

/// Several processes may start at once on an empty database: true for the one that inserts.
async fn insert(tx: &mut AnyConnection, accounts: &[accounts::SeedAccount], now: i64) -> Result<bool, Error> {
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
        ProductInput {
            dimensions: Some(Dimensions { length_mm: 64, width_mm: 24, height_mm: 14 }),
            led_color: Some("Amber".to_owned()),
            power_mw: Some(900),
            ..product(
                "Nudgelight One",
                "NL-ONE",
                "A warm little light with a good memory. Plug it in, type your times into one text file, and it lights up \
                 right on time. It sets its clock over Wi-Fi.",
                (24_99, 120, 60),
            )
        },
        ProductInput {
            form: DeviceForm::Mini,
            dimensions: Some(Dimensions { length_mm: 34, width_mm: 18, height_mm: 10 }),
            led_color: Some("Amber".to_owned()),
            power_mw: Some(500),
            ..product(
                "Nudgelight Mini",
                "NL-MINI",
                "All of One, the size of your thumb. Sits nearly flush in a laptop and never misses a second.",
                (17_50, 48, 25),
            )
        },
        ProductInput {
            form: DeviceForm::Duo,
            lamp_color: LampColor::Coral,
            dimensions: Some(Dimensions { length_mm: 72, width_mm: 52, height_mm: 14 }),
            led_color: Some("Coral".to_owned()),
            power_mw: Some(1_600),
            ..product(
                "Nudgelight Duo",
                "NL-DUO",
                "Two domes, one schedule. You see it from your side of the desk; they see it from theirs.",
                (39_00, 25, 85),
            )
        },
        ProductInput {
            form: DeviceForm::Halo,
            lamp_color: LampColor::Ivory,
            dimensions: Some(Dimensions { length_mm: 96, width_mm: 96, height_mm: 16 }),
            cable_length_mm: Some(600),
            led_color: Some("Warm white, 2700 K".to_owned()),
            power_mw: Some(2_000),
            ..product(
                "Nudgelight Halo",
                "NL-HALO",
                "A ring of soft light on a short cable, made for a shelf or a bedside table. Dim it to 1% and it’s \
                 a night light.",
                (54_95, 4, 140),
            )
        },
    ]
}

/// The facts that all demo products share. A product needs a GTIN of its own manufacturer, so they have none.
fn product(name: &str, sku: &str, description: &str, (cents, stock, hundredths): (i64, i64, i64)) -> ProductInput {
    ProductInput {
        name: name.to_owned(),
        description: description.to_owned(),
        price: Cents::from_cents(cents),
        stock,
        weight_pounds: Weight::from_hundredths(hundredths),
        active: true,
        plug: Some(Plug::UsbA),
        in_the_box: vec![name.to_owned(), "Quick-start card".to_owned()],
        warranty_months: Some(12),
        sku: Some(sku.to_owned()),
        origin_country: Some("CA".to_owned()),
        hs_code: Some("9405.21".to_owned()),
        ..ProductInput::default()
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
