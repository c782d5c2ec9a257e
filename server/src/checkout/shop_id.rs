//! Id of this shop, in the metadata of its payments: another system may use the same account at the provider.

use crate::checkout::Checkout;
use crate::db::shop_metadata;
use crate::error::Error;
use crate::infra::random;

/// The id is made once. It is in the database, and therefore in its backups.
pub async fn load(state: &Checkout) -> Result<String, Error> {
    let id = state.shop_id.get_or_try_init(|| async {
        if let Some(id) = shop_metadata::find(state.db.read(), shop_metadata::SHOP_ID).await? {
            return Ok(id);
        }
        let claim =
            state.db.write(random::new_id(), |tx, id| Box::pin(shop_metadata::claim(tx, shop_metadata::SHOP_ID, id)));
        claim.await?;
        let id = shop_metadata::find(state.db.read(), shop_metadata::SHOP_ID).await?;
        id.ok_or_else(|| Error::internal("the shop has no id"))
    });
    Ok(id.await?.clone())
}
