//! Passkeys of administrators, which take the place of password and authenticator app.

use sha2::{Digest as _, Sha256};

use crate::accounts::keys::Keys;
use crate::accounts::second_factor::totp::Secret;
use crate::accounts::store::User;
use crate::error::Error;
use crate::infra::encoding::base64url;

/// Binds a passkey to the secret of the administrator's authenticator app.
pub fn second_factor_hash(keys: &Keys, user: &User, credential_id: &str) -> Result<Option<String>, Error> {
    let Some(encrypted) = &user.totp_secret else {
        return Ok(None);
    };
    let secret = Secret::decrypt(keys, &user.id, encrypted)?;
    let hash = Sha256::new().chain_update(secret.as_bytes()).chain_update(credential_id).finalize();
    Ok(Some(base64url(hash)))
}
