//! Software authenticator: makes and signs the responses of `navigator.credentials`, and forges them.

use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::{Map, Value, json};
use server::infra::encoding::{base64url, decode_base64url};
use server::infra::random::random_bytes;
use sha2::{Digest as _, Sha256};

/// Ring makes no RSA keys.
const RSA_KEY: &[u8] = include_bytes!("../../../testdata/passkey-rsa.pk8");

const USER_PRESENT: u8 = 0b1;
const USER_VERIFIED: u8 = 0b100;
const ATTESTED: u8 = 0b100_0000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    Es256,
    EdDsa,
    Rs256,
}

enum Key {
    Es256(EcdsaKeyPair),
    EdDsa(Ed25519KeyPair),
    Rs256(Box<RsaKeyPair>),
}

impl Key {
    fn new(algorithm: Algorithm) -> Self {
        let random = SystemRandom::new();
        match algorithm {
            Algorithm::Es256 => {
                let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
                let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &random);
                Self::Es256(pair.unwrap())
            }
            Algorithm::EdDsa => {
                let pkcs8 = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
                Self::EdDsa(Ed25519KeyPair::from_pkcs8(pkcs8.as_ref()).unwrap())
            }
            Algorithm::Rs256 => Self::Rs256(Box::new(RsaKeyPair::from_pkcs8(RSA_KEY).unwrap())),
        }
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Self::Es256(pair) => pair.sign(&random, message).unwrap().as_ref().to_vec(),
            Self::EdDsa(pair) => pair.sign(message).as_ref().to_vec(),
            Self::Rs256(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).unwrap();
                signature
            }
        }
    }

    /// The public key as a COSE key.
    fn cose(&self) -> Cbor {
        let pairs = |pairs: Vec<(i64, Cbor)>| {
            Cbor::Map(pairs.into_iter().map(|(key, value)| (Cbor::Integer(key), value)).collect())
        };
        match self {
            Self::Es256(pair) => {
                let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
                let (x, y) = (Cbor::Bytes(x.to_vec()), Cbor::Bytes(y.to_vec()));
                pairs(vec![(1, Cbor::Integer(2)), (3, Cbor::Integer(-7)), (-1, Cbor::Integer(1)), (-2, x), (-3, y)])
            }
            Self::EdDsa(pair) => {
                let x = Cbor::Bytes(pair.public_key().as_ref().to_vec());
                pairs(vec![(1, Cbor::Integer(1)), (3, Cbor::Integer(-8)), (-1, Cbor::Integer(6)), (-2, x)])
            }
            Self::Rs256(pair) => {
                let PublicKeyComponents { n, e } = PublicKeyComponents::<Vec<u8>>::from(pair.public());
                let (n, e) = (Cbor::Bytes(n), Cbor::Bytes(e));
                pairs(vec![(1, Cbor::Integer(3)), (3, Cbor::Integer(-257)), (-1, n), (-2, e)])
            }
        }
    }
}

/// The part of CBOR that attestations have.
#[derive(Clone, Debug)]
pub enum Cbor {
    Integer(i64),
    Bytes(Vec<u8>),
    Text(&'static str),
    Map(Vec<(Self, Self)>),
}

impl Cbor {
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Integer(number) if *number < 0 => head(1, u64::try_from(-1 - number).unwrap()),
            Self::Integer(number) => head(0, u64::try_from(*number).unwrap()),
            Self::Bytes(bytes) => [head(2, bytes.len() as u64), bytes.clone()].concat(),
            Self::Text(text) => [head(3, text.len() as u64), text.as_bytes().to_vec()].concat(),
            Self::Map(pairs) => {
                let encoded = pairs.iter().flat_map(|(key, value)| [key.encode(), value.encode()].concat());
                head(5, pairs.len() as u64).into_iter().chain(encoded).collect()
            }
        }
    }

    /// The value of an integer key of a map.
    pub fn member(&mut self, wanted: i64) -> &mut Self {
        let Self::Map(pairs) = self else { panic!("not a map") };
        let found = pairs.iter_mut().find(|(key, _)| matches!(key, Self::Integer(key) if *key == wanted));
        &mut found.unwrap().1
    }
}

fn head(kind: u8, length: u64) -> Vec<u8> {
    let kind = kind << 5;
    match u16::try_from(length).unwrap() {
        short @ 0..24 => vec![kind | u8::try_from(short).unwrap()],
        short @ 24..256 => vec![kind | 24, u8::try_from(short).unwrap()],
        long => [&[kind | 25][..], &long.to_be_bytes()].concat(),
    }
}

/// One passkey on a device. A clone of the device has the same key and a counter of its own.
pub struct Authenticator {
    key: Key,
    pub credential_id: Vec<u8>,
    pub counter: u32,
    /// Whether it asks for a PIN or a fingerprint.
    pub verifies_user: bool,
    user_handle: Option<Value>,
}

impl Authenticator {
    pub fn new(algorithm: Algorithm) -> Self {
        Self {
            key: Key::new(algorithm),
            credential_id: random_bytes::<32>().to_vec(),
            counter: 0,
            verifies_user: true,
            user_handle: None,
        }
    }

    /// The response to a registration on a page of this origin. Change it to forge one.
    pub fn attestation(&mut self, origin: &str, options: &Value) -> Attestation {
        self.user_handle = Some(options["user"]["id"].clone());
        self.counter += 1;
        Attestation {
            client: ClientData::new("webauthn.create", origin, &options["challenge"]),
            rp_id: options["rp"]["id"].as_str().unwrap().to_owned(),
            flags: USER_PRESENT | ATTESTED | self.verified(),
            counter: self.counter,
            credential_id: self.credential_id.clone(),
            id: base64url(&self.credential_id),
            public_key: self.key.cose(),
            format: "none",
            trailing: Vec::new(),
        }
    }

    /// The response to a login on a page of this origin. Change it to forge one.
    pub fn assertion(&mut self, origin: &str, options: &Value) -> Assertion {
        self.counter += 1;
        Assertion {
            client: ClientData::new("webauthn.get", origin, &options["challenge"]),
            rp_id: options["rpId"].as_str().unwrap().to_owned(),
            flags: USER_PRESENT | self.verified(),
            counter: self.counter,
            id: base64url(&self.credential_id),
            user_handle: self.user_handle.clone(),
            trailing: Vec::new(),
            signed_client: None,
        }
    }

    /// The response to a login, signed.
    pub fn signed(&mut self, origin: &str, options: &Value) -> Value {
        let assertion = self.assertion(origin, options);
        self.sign(&assertion)
    }

    /// The signed assertion, as `toJSON()` returns it.
    pub fn sign(&self, assertion: &Assertion) -> Value {
        let authenticator_data = assertion.authenticator_data();
        let client = assertion.client.text();
        let signed_client = assertion.signed_client.as_ref().map_or_else(|| client.clone(), ClientData::text);
        let signed = [&authenticator_data[..], &Sha256::digest(signed_client.as_bytes())].concat();
        json!({
            "id": assertion.id,
            "rawId": assertion.id,
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": base64url(&client),
                "authenticatorData": base64url(&authenticator_data),
                "signature": base64url(self.key.sign(&signed)),
                "userHandle": assertion.user_handle,
            },
        })
    }

    fn verified(&self) -> u8 {
        if self.verifies_user { USER_VERIFIED } else { 0 }
    }
}

/// What the browser signs about the page.
#[derive(Clone, Debug)]
pub struct ClientData {
    pub members: Map<String, Value>,
    /// Takes the place of the members.
    pub raw: Option<String>,
}

impl ClientData {
    fn new(kind: &str, origin: &str, challenge: &Value) -> Self {
        let value = json!({ "type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false });
        let Value::Object(members) = value else { panic!("no object") };
        Self { members, raw: None }
    }

    pub fn set(&mut self, member: &str, value: Value) {
        self.members.insert(member.to_owned(), value);
    }

    fn text(&self) -> String {
        // Browsers write the members in this order.
        let ordered = ["type", "challenge", "origin", "crossOrigin", "topOrigin"];
        let members = ordered.iter().filter_map(|name| Some(format!("\"{name}\":{}", self.members.get(*name)?)));
        self.raw.clone().unwrap_or_else(|| format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
    }
}

pub struct Attestation {
    pub client: ClientData,
    pub rp_id: String,
    pub flags: u8,
    pub counter: u32,
    pub credential_id: Vec<u8>,
    /// The id in JSON.
    pub id: String,
    pub public_key: Cbor,
    pub format: &'static str,
    pub trailing: Vec<u8>,
}

impl Attestation {
    /// As `toJSON()` returns it.
    pub fn json(&self) -> Value {
        let length = u16::try_from(self.credential_id.len()).unwrap();
        let mut data = authenticator_data(&self.rp_id, self.flags, self.counter);
        if self.flags & ATTESTED != 0 {
            data.extend([0; 16]);
            data.extend(length.to_be_bytes());
            data.extend(&self.credential_id);
            data.extend(self.public_key.encode());
        }
        data.extend(&self.trailing);
        let object = Cbor::Map(vec![
            (Cbor::Text("fmt"), Cbor::Text(self.format)),
            (Cbor::Text("attStmt"), Cbor::Map(Vec::new())),
            (Cbor::Text("authData"), Cbor::Bytes(data)),
        ]);
        json!({
            "id": self.id,
            "rawId": self.id,
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": base64url(self.client.text()),
                "attestationObject": base64url(object.encode()),
                "transports": ["internal"],
            },
        })
    }
}

pub struct Assertion {
    pub client: ClientData,
    pub rp_id: String,
    pub flags: u8,
    pub counter: u32,
    pub id: String,
    pub user_handle: Option<Value>,
    pub trailing: Vec<u8>,
    /// Client data that is signed instead of those that are sent.
    pub signed_client: Option<ClientData>,
}

impl Assertion {
    fn authenticator_data(&self) -> Vec<u8> {
        let mut data = authenticator_data(&self.rp_id, self.flags, self.counter);
        data.extend(&self.trailing);
        data
    }
}

fn authenticator_data(rp_id: &str, flags: u8, counter: u32) -> Vec<u8> {
    [&Sha256::digest(rp_id)[..], &[flags], &counter.to_be_bytes()].concat()
}

/// Changes the bytes of a base64url text.
pub fn altered(text: &Value, change: impl FnOnce(&mut Vec<u8>)) -> Value {
    let mut bytes = decode_base64url(text.as_str().unwrap()).unwrap();
    change(&mut bytes);
    json!(base64url(bytes))
}
