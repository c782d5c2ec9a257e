//! WebAuthn ceremonies: the options that a browser gets, and the verification of its response. Only this file and
//! `relying_party.rs` use the library.

use serde_json::Value;
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::{AuthenticationVerificationOptions, DiscoverableCredentialRequestOptions};
use webauthn_rp::request::register::{
    CoseAlgorithmIdentifier, CredProtect, PublicKeyCredentialCreationOptions, PublicKeyCredentialUserEntity,
    RegistrationVerificationOptions, UserHandle,
};
use webauthn_rp::request::{PublicKeyCredentialDescriptor, UserVerificationRequirement};
use webauthn_rp::response::register::{DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication, DiscoverableAuthenticationServerState, Registration,
    RegistrationServerState,
};

use super::relying_party::RelyingParty;
use crate::error::Error;
use crate::infra::encoding::{base64url, decode_base64url};
use crate::infra::random;

/// A user handle is the account's id, a UUID.
const HANDLE_BYTES: usize = 16;
/// The flag of the authenticator data that says that the user was verified (UV).
const USER_VERIFIED: u8 = 0b100;
/// Where the flags are: after the SHA-256 of the relying party's id.
const FLAGS_AT: usize = 32;

/// Characters of a reason in the log.
const MAX_REASON: usize = 200;

/// A ceremony that begins.
pub struct Begun {
    /// For `navigator.credentials`, in the JSON form of WebAuthn Level 3.
    pub options: Value,
    /// What the shop stores until the response arrives.
    pub state: String,
}

/// A response that was rejected, with the reason for the log.
#[derive(Debug)]
pub struct Rejected(String);

impl Rejected {
    /// The library's messages quote the response.
    fn new(reason: impl std::fmt::Display) -> Self {
        Self(reason.to_string().chars().take(MAX_REASON).collect())
    }

    pub fn reason(&self) -> &str {
        &self.0
    }
}

/// A verified new credential, as it is stored.
#[derive(Clone, Debug)]
pub struct NewCredential {
    pub credential_id: String,
    pub public_key: String,
    pub state: String,
}

/// Whether a new passkey must verify the user, by a PIN or a fingerprint for example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserVerification {
    Required,
    Preferred,
}

/// What the authenticator shows of a new passkey.
pub struct NewPasskeyUser<'a> {
    pub shop_name: &'a str,
    pub user_id: &'a str,
    pub email: &'a str,
}

/// Begins a registration. An authenticator that has one of the `existing` credentials makes no second one.
pub fn begin_registration(
    party: &RelyingParty,
    user: NewPasskeyUser<'_>,
    existing: &[String],
    user_verification: UserVerification,
) -> Result<Begun, Error> {
    let handle = handle_of(user.user_id)?;
    // The library rejects some names that are valid email addresses, so the name is set afterward.
    let entity = PublicKeyCredentialUserEntity::from(&handle);
    let exclude = existing.iter().map(|id| descriptor(id)).collect::<Result<_, _>>()?;
    let mut options = PublicKeyCredentialCreationOptions::passkey(&party.id, entity, exclude);
    options.pub_key_cred_params = options.pub_key_cred_params.remove(CoseAlgorithmIdentifier::Es384);
    if user_verification == UserVerification::Preferred {
        options.authenticator_selection.user_verification = UserVerificationRequirement::Preferred;
    }
    // Each login checks the verification of the user, and some authenticators can't enforce it themselves.
    options.extensions.cred_protect = CredProtect::None;
    let (server, client) = options.start_ceremony().map_err(Error::internal)?;
    let mut options = serde_json::to_value(&client).map_err(Error::internal)?;
    options["rp"]["name"] = user.shop_name.into();
    options["user"]["name"] = user.email.into();
    Ok(Begun { options, state: base64url(server.encode().map_err(Error::internal)?) })
}

/// Verifies the response to a registration.
pub fn finish_registration(party: &RelyingParty, state: &str, response: &str) -> Result<NewCredential, Rejected> {
    let state = decode_base64url(state).map_err(Rejected::new)?;
    let state = RegistrationServerState::<HANDLE_BYTES>::decode(&state).map_err(Rejected::new)?;
    let response = Registration::from_json_relaxed(response.as_bytes()).map_err(Rejected::new)?;
    let options = RegistrationVerificationOptions::<&str, &str> {
        allowed_origins: &[party.origin()],
        // Password managers send unsolicited extensions.
        error_on_unsolicited_extensions: false,
        ..Default::default()
    };
    let credential = state.verify(&party.id, &response, &options).map_err(Rejected::new)?;
    Ok(NewCredential {
        credential_id: base64url(credential.id()),
        public_key: base64url(credential.static_state().encode().map_err(Rejected::new)?),
        state: encode_state(credential.dynamic_state())?,
    })
}

/// Begins a login with any passkey of the relying party. It names no account.
pub fn begin_login(party: &RelyingParty) -> Result<Begun, Error> {
    let mut options = DiscoverableCredentialRequestOptions::passkey(&party.id);
    options.0.user_verification = UserVerificationRequirement::Preferred;
    let (server, client) = options.start_ceremony().map_err(Error::internal)?;
    let options = serde_json::to_value(&client).map_err(Error::internal)?;
    Ok(Begun { options, state: base64url(server.encode().map_err(Error::internal)?) })
}

/// A response to a login, not verified yet.
pub struct LoginResponse(DiscoverableAuthentication<HANDLE_BYTES>);

/// What the shop has stored about a credential.
#[derive(Clone, Debug)]
pub struct StoredCredential {
    pub user_id: String,
    pub public_key: String,
    pub state: String,
}

/// A login that was verified.
#[derive(Clone, Debug)]
pub struct VerifiedLogin {
    /// With the new signature counter.
    pub state: String,
    pub user_verified: bool,
}

impl LoginResponse {
    pub fn parse(response: &str) -> Result<Self, Rejected> {
        let members: Value = serde_json::from_str(response).map_err(Rejected::new)?;
        // The library panics if it later finds none.
        if members.pointer("/response/userHandle").and_then(Value::as_str).is_none() {
            return Err(Rejected::new("no user handle"));
        }
        DiscoverableAuthentication::from_json_relaxed(response.as_bytes()).map(Self).map_err(Rejected::new)
    }

    pub fn credential_id(&self) -> String {
        base64url(self.0.raw_id())
    }

    /// Verifies challenge, origin, relying party, account, signature, and signature counter.
    pub fn verify(
        &self,
        party: &RelyingParty,
        state: &str,
        credential: &StoredCredential,
    ) -> Result<VerifiedLogin, Rejected> {
        let state = decode_base64url(state).map_err(Rejected::new)?;
        let state = DiscoverableAuthenticationServerState::decode(&state).map_err(Rejected::new)?;
        let handle = handle_of(&credential.user_id).map_err(|error| Rejected::new(error.message()))?;
        let public_key = decode_base64url(&credential.public_key).map_err(Rejected::new)?;
        let public_key = StaticState::decode(&public_key).map_err(Rejected::new)?;
        let mut credential =
            AuthenticatedCredential::new(self.0.raw_id(), &handle, public_key, decode_state(&credential.state)?)
                .map_err(Rejected::new)?;
        let options = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &[party.origin()],
            error_on_unsolicited_extensions: false,
            ..Default::default()
        };
        state.verify(&party.id, &self.0, &mut credential, &options).map_err(Rejected::new)?;
        Ok(VerifiedLogin { state: encode_state(credential.dynamic_state())?, user_verified: self.user_verified() })
    }

    fn user_verified(&self) -> bool {
        let flags = self.0.response().authenticator_data().get(FLAGS_AT).copied();
        flags.is_some_and(|flags| flags & USER_VERIFIED != 0)
    }
}

fn handle_of(user_id: &str) -> Result<UserHandle<HANDLE_BYTES>, Error> {
    let id = random::id_bytes(user_id).ok_or_else(|| Error::internal("an account's id is no UUID"))?;
    UserHandle::decode(id).map_err(Error::internal)
}

fn descriptor(credential_id: &str) -> Result<PublicKeyCredentialDescriptor<Vec<u8>>, Error> {
    let id = decode_base64url(credential_id).map_err(Error::internal)?;
    let id = CredentialId::decode(id).map_err(Error::internal)?;
    let transports = AuthTransports::decode(0).map_err(Error::internal)?;
    Ok(PublicKeyCredentialDescriptor { id, transports })
}

fn encode_state(state: DynamicState) -> Result<String, Rejected> {
    state.encode().map(base64url).map_err(Rejected::new)
}

fn decode_state(state: &str) -> Result<DynamicState, Rejected> {
    let bytes = decode_base64url(state).map_err(Rejected::new)?;
    let bytes = bytes.try_into().map_err(|_| Rejected::new("a stored state has another length"))?;
    DynamicState::decode(bytes).map_err(Rejected::new)
}
