//! Forged access tokens, signed with a stolen or an unknown key.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _, KeypairBytes};
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::Value;

use super::TestShop;

/// Signs any token content.
pub struct Forger(SigningKey);

impl TestShop {
    /// Signs with the shop's own key, read from its data folder.
    pub fn signs_as_the_shop(&self) -> Forger {
        let pem = std::fs::read_to_string(self.folder().join("signing-key.pem")).unwrap();
        Forger(SigningKey::from_pkcs8_pem(pem.trim()).unwrap())
    }
}

impl Forger {
    /// Signs with a new key that the shop does not know.
    pub fn stranger() -> Self {
        Self(SigningKey::from_bytes(&server::infra::random::random_bytes()))
    }

    pub fn public_x(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.verifying_key().as_bytes())
    }

    /// The token with other claims and its original header.
    pub fn changed(&self, token: &str, claims: &[(&str, Value)]) -> String {
        let mut all = claims_of(token);
        for (claim, value) in claims {
            all[*claim] = value.clone();
        }
        self.sign(&header_of(token).to_string(), &all.to_string())
    }

    /// Signs any header and claims, valid JSON or not.
    pub fn sign(&self, header: &str, claims: &str) -> String {
        let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims));
        let signature = self.0.sign(signed.as_bytes()).to_bytes();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

pub fn header_of(token: &str) -> Value {
    part(token, 0)
}

pub fn claims_of(token: &str) -> Value {
    part(token, 1)
}

fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

/// A new private key in PEM format.
pub fn new_key() -> String {
    let key = KeypairBytes { secret_key: server::infra::random::random_bytes(), public_key: None };
    key.to_pkcs8_pem(LineEnding::LF).unwrap().as_str().to_owned()
}
