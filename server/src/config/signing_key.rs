//! Source of the signing key of access tokens.

use std::path::{Path, PathBuf};

use super::vars::Vars;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SigningKeySource {
    File(PathBuf),
    Pem(String),
}

impl Vars {
    pub(super) fn signing_key(&self, data_dir: &Path) -> SigningKeySource {
        match self.get("SHOP_SIGNING_KEY") {
            None => SigningKeySource::File(data_dir.join("signing-key.pem")),
            Some(pem) if pem.contains("-----BEGIN") => SigningKeySource::Pem(pem.to_owned()),
            Some(path) => SigningKeySource::File(PathBuf::from(path)),
        }
    }
}
