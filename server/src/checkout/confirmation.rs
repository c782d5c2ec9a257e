//! Keeps a copy of the database from moving money. The database knows the public address of its shop. A process at
//! another address, or on an unconfirmed copy, sees the same payments at the provider: it raises alerts about them, but
//! creates no orders for lost payments, makes no automatic refunds, and cancels no expired payments.

use sqlx::{Any, AnyConnection, Executor};

use crate::checkout::Checkout;
use crate::config::Config;
use crate::db::Db;
use crate::db::shop_metadata::{self, PUBLIC_URL};
use crate::error::{Code, Error};

/// Stored in place of an address in a copy for a drill.
const NO_ADDRESS: &str = "";

/// Whether this process with its database is the shop.
#[derive(Debug, PartialEq, Eq)]
pub enum Confirmation {
    Confirmed,
    /// A copy for a drill.
    Copy,
    /// The shop has this address.
    OtherAddress(String),
}

impl Confirmation {
    /// For the operator, without its final period. None if confirmed.
    pub fn problem(&self, config: &Config) -> Option<String> {
        let what = match self {
            Self::Confirmed => return None,
            Self::Copy => "the database is an unconfirmed copy".to_owned(),
            Self::OtherAddress(stored) => {
                let own = config.public_url.as_deref().unwrap_or("not set");
                format!("SHOP_PUBLIC_URL is {own}, and the database belongs to the shop at {stored}")
            }
        };
        Some(format!(
            "{what}: lost payments only raise alerts, automatic refunds are off, and expired payments aren't \
             canceled. If this is the shop, run nudgelight confirm"
        ))
    }
}

pub async fn find<'e>(db: impl Executor<'e, Database = Any>, config: &Config) -> Result<Confirmation, Error> {
    Ok(match shop_metadata::find(db, PUBLIC_URL).await? {
        None => Confirmation::Confirmed,
        Some(stored) if stored == NO_ADDRESS => Confirmation::Copy,
        Some(stored) if config.public_url.as_deref() == Some(stored.as_str()) => Confirmation::Confirmed,
        Some(stored) => Confirmation::OtherAddress(stored),
    })
}

pub async fn is_confirmed(state: &Checkout) -> Result<bool, Error> {
    Ok(find(state.db.read(), &state.config).await? == Confirmation::Confirmed)
}

/// # Errors
/// 503 in an unconfirmed process.
pub async fn require(state: &Checkout) -> Result<(), Error> {
    match find(state.db.read(), &state.config).await?.problem(&state.config) {
        None => Ok(()),
        Some(problem) => {
            let message = "This payment couldn’t be processed. Please contact the shop.";
            Err(Error::new(Code::Overloaded, message).with_cause(problem))
        }
    }
}

/// Stores the address of the shop, if none is known. A loopback address is not one.
pub async fn claim(state: &Checkout) -> Result<(), Error> {
    let Some(address) = state.config.shop_address() else { return Ok(()) };
    if shop_metadata::find(state.db.read(), PUBLIC_URL).await?.is_none() {
        let claim =
            state.db.write(address.to_owned(), |tx, address| Box::pin(shop_metadata::claim(tx, PUBLIC_URL, address)));
        claim.await?;
    }
    Ok(())
}

/// Makes this process's address the shop's.
pub async fn confirm(db: &Db, config: &Config) -> Result<(), Error> {
    db.write(config.shop_address().map(str::to_owned), |tx, address| {
        Box::pin(async move {
            match address {
                Some(address) => shop_metadata::set(tx, PUBLIC_URL, address).await,
                None => shop_metadata::remove(tx, PUBLIC_URL).await,
            }
        })
    })
    .await
}

/// Makes the database a copy, which has to be confirmed.
pub async fn mark_as_copy(tx: &mut AnyConnection) -> Result<(), Error> {
    shop_metadata::set(tx, PUBLIC_URL, NO_ADDRESS).await
}
