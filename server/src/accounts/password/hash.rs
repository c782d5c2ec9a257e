//! The hash of a password: Argon2id in PHC string format, which names its cost.

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};

use crate::config::PASSWORD_COST;
use crate::error::Error;
use crate::infra::random;

/// Upper bounds for stored hashes: a hash with a higher cost is corrupt.
const MAX_MEMORY_KIB: u32 = 4 * PASSWORD_COST.m_cost();
const MAX_PASSES: u32 = 10;
const MAX_LANES: u32 = 4;

/// The salt that marks an account without a password: no hash of a password has it, since their salts are random.
const NO_PASSWORD_SALT: &[u8; 16] = b"no password set!";

/// The result of comparing a password with a stored hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordCheck {
    Right,
    /// The correct password, hashed at a lower cost than the current one.
    Outdated,
    Wrong,
}

/// A hash with random output and the mark of an account without a password.
pub fn unknown(cost: &Params) -> Result<String, Error> {
    let output = Output::new(&random::random_bytes::<32>()).map_err(Error::internal)?;
    phc_string(cost, Salt::new(NO_PASSWORD_SALT).map_err(Error::internal)?, output)
}

/// A well-formed hash that no password has.
pub fn dummy(cost: &Params) -> String {
    let parameters = format!("m={},t={},p={}", cost.m_cost(), cost.t_cost(), cost.p_cost());
    format!("$argon2id$v=19${parameters}${}${}", "A".repeat(22), "A".repeat(43))
}

/// Whether the account has a password.
pub fn is_set(password_hash: &str) -> bool {
    let salt = PasswordHash::new(password_hash).ok().and_then(|hash| hash.salt);
    salt.is_none_or(|salt| salt.as_ref() != NO_PASSWORD_SALT)
}

/// The hash of a password, with a random salt.
pub fn hash(password: &str, cost: &Params, memory: &mut Vec<Block>) -> Result<String, Error> {
    let salt = Salt::new(&random::random_bytes::<16>()).map_err(Error::internal)?;
    let output = compute(password, &salt, cost, memory)?;
    phc_string(cost, salt, output)
}

fn phc_string(cost: &Params, salt: Salt, output: Output) -> Result<String, Error> {
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(cost).map_err(Error::internal)?,
        salt: Some(salt),
        hash: Some(output),
    };
    Ok(hash.to_string())
}

/// Compares the password with a stored hash, which has its own cost. A hash at less than `cost` is outdated.
pub fn verify(password: &str, stored: &str, cost: &Params, memory: &mut Vec<Block>) -> Result<PasswordCheck, Error> {
    let invalid = || Error::internal("a stored password hash is invalid");
    let stored = PasswordHash::new(stored).map_err(|_| invalid())?;
    let params = Params::try_from(&stored).map_err(|_| invalid())?;
    let is_affordable =
        params.m_cost() <= MAX_MEMORY_KIB && params.t_cost() <= MAX_PASSES && params.p_cost() <= MAX_LANES;
    let is_argon2id = stored.algorithm.as_str() == "argon2id" && stored.version == Some(Version::V0x13.into());
    let (Some(salt), Some(expected), true, true) = (&stored.salt, &stored.hash, is_argon2id, is_affordable) else {
        return Err(invalid());
    };
    let is_outdated = params.m_cost() < cost.m_cost() || params.t_cost() < cost.t_cost();
    // `Output` compares in constant time.
    match compute(password, salt, &params, memory)? == *expected {
        true if is_outdated => Ok(PasswordCheck::Outdated),
        true => Ok(PasswordCheck::Right),
        false => Ok(PasswordCheck::Wrong),
    }
}

/// The Argon2id hash, with the output length of the parameters or the default one.
fn compute(password: &str, salt: &Salt, params: &Params, memory: &mut Vec<Block>) -> Result<Output, Error> {
    let mut bytes = [0; Output::MAX_LENGTH];
    let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
    let out = bytes.get_mut(..length).ok_or_else(|| Error::internal("a stored password hash has an invalid length"))?;
    if memory.len() < params.block_count() {
        memory.resize(params.block_count(), Block::new());
    }
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone())
        .hash_password_into_with_memory(password.as_bytes(), salt, out, memory)
        .map_err(Error::internal)?;
    Output::new(out).map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::PasswordHasher as _;

    use super::*;

    #[test]
    fn a_hash_of_a_lower_cost_is_right_but_outdated() {
        let old = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(1_024, 1, 1, None).unwrap());
        let stored: PasswordHash = old.hash_password_with_salt(b"four small lamps", &[7; 16]).unwrap();
        // Leftover memory of another hash changes nothing.
        let mut memory = Vec::new();
        hash("another", &PASSWORD_COST, &mut memory).unwrap();
        let check = verify("four small lamps", &stored.to_string(), &PASSWORD_COST, &mut memory).unwrap();
        assert_eq!(check, PasswordCheck::Outdated);
    }

    // invariant: password-hashing
    #[test]
    fn a_stored_hash_that_asks_for_too_much_or_is_of_another_kind_is_not_computed() {
        let rest = format!("${}${}", "A".repeat(22), "A".repeat(43));
        for kind in [
            "$argon2id$v=19$m=4000000,t=2,p=1",
            "$argon2id$v=19$m=19456,t=4000000,p=1",
            "$argon2i$v=19$m=19456,t=2,p=1",
            "$scrypt$ln=15,r=8,p=1",
        ] {
            assert!(verify("any", &format!("{kind}{rest}"), &PASSWORD_COST, &mut Vec::new()).is_err(), "{kind}");
        }
        assert!(verify("any", "plain text", &PASSWORD_COST, &mut Vec::new()).is_err());
    }
}
