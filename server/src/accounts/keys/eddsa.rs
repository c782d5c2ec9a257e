//! The crypto provider of `jsonwebtoken`: EdDSA with `ed25519-dalek` and no other algorithm. The library's own providers
//! include RSA and ECDSA, which the shop does not use.

use ed25519_dalek::ed25519::signature::{Error as SignatureError, Signer, Verifier};
use ed25519_dalek::pkcs8::DecodePrivateKey as _;
use ed25519_dalek::{Signature, SigningKey, VerifyingKey};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    // Only needed to convert JWKs to keys, which the shop does not do.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs the provider for the process. Must run before the first token is signed or verified.
pub fn install() {
    // Fails only when it is installed already.
    let _ = PROVIDER.install_default();
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    if *algorithm != Algorithm::EdDSA {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    let key = SigningKey::from_pkcs8_der(key.as_bytes()).map_err(|_| ErrorKind::InvalidEddsaKey)?;
    Ok(Box::new(EdDsaSigner(key)))
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    if *algorithm != Algorithm::EdDSA {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    let bytes = key.try_get_as_bytes()?.try_into().map_err(|_| ErrorKind::InvalidEddsaKey)?;
    let key = VerifyingKey::from_bytes(bytes).map_err(|_| ErrorKind::InvalidEddsaKey)?;
    Ok(Box::new(EdDsaVerifier(key)))
}

struct EdDsaSigner(SigningKey);

impl Signer<Vec<u8>> for EdDsaSigner {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, SignatureError> {
        Ok(self.0.try_sign(message)?.to_vec())
    }
}

impl JwtSigner for EdDsaSigner {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

struct EdDsaVerifier(VerifyingKey);

impl Verifier<Vec<u8>> for EdDsaVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), SignatureError> {
        self.0.verify(message, &Signature::from_slice(signature)?)
    }
}

impl JwtVerifier for EdDsaVerifier {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::{Header, Validation, decode, encode};
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn no_algorithm_but_eddsa_signs_or_verifies() {
        install();
        let secret = EncodingKey::from_secret(b"a shared secret");
        for algorithm in [Algorithm::HS256, Algorithm::RS256, Algorithm::PS256, Algorithm::ES256] {
            let error = encode(&Header::new(algorithm), &json!({}), &secret).unwrap_err();
            let known = matches!(error.kind(), ErrorKind::InvalidAlgorithm | ErrorKind::InvalidKeyFormat);
            assert!(known, "{algorithm:?}: {error}");
        }
        // {"alg":"HS256"}.{} with a valid signature under the secret "a shared secret".
        let token = "eyJhbGciOiJIUzI1NiJ9.e30.sQ5IHc6YTYKse8wPAN4COV0MHSXVL4w3e6S93dLPopI";
        let key = DecodingKey::from_secret(b"a shared secret");
        let error = decode::<Value>(token, &key, &Validation::new(Algorithm::HS256)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidAlgorithm), "{error}");
    }

    #[test]
    fn keys_that_are_none_are_refused() {
        install();
        let garbage = EncodingKey::from_ed_der(b"no key");
        let error = encode(&Header::new(Algorithm::EdDSA), &json!({}), &garbage).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::InvalidEddsaKey), "{error}");
        for bytes in [&b"short"[..], &[0; 33]] {
            let error = verifier(&Algorithm::EdDSA, &DecodingKey::from_ed_der(bytes)).err().unwrap();
            assert!(matches!(error.kind(), ErrorKind::InvalidEddsaKey), "{error}");
        }
    }
}
