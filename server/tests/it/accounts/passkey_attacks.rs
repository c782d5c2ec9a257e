//! Hostile passkey ceremonies: each is rejected with one message, and leaves nothing behind.

use serde_json::{Value, json};

use super::passkeys::{Ceremony, add, log_in_with, origin_of, send_addition, send_login};
use super::privacy::seen;
use crate::harness::{Algorithm, Assertion, Attestation, Authenticator, Cbor, Client, TestShop, altered};

const MINUTE: i64 = 60_000;
const EVE: &str = "eve@example.com";

/// One forgery: of the data that the authenticator signs, or of the signed response.
enum Forgery {
    Assertion(fn(&mut Assertion)),
    Attestation(fn(&mut Attestation)),
    Response(fn(&mut Value)),
}

use Forgery::{Assertion as Signed, Attestation as Created, Response};

/// Logins that no browser sends for the owner of the passkey at this shop.
const LOGINS: &[(&str, Forgery)] = &[
    ("origin: another site", Signed(|it| it.client.set("origin", json!("https://evil.example")))),
    ("origin: another port", Signed(|it| it.client.set("origin", json!("http://localhost:1")))),
    ("origin: another scheme", Signed(|it| it.client.set("origin", json!("https://localhost:3000")))),
    ("origin: a subdomain", Signed(|it| it.client.set("origin", json!("http://a.localhost:3000")))),
    ("origin: a trailing slash", Signed(|it| it.client.set("origin", json!("http://localhost:3000/")))),
    ("origin: the IP address", Signed(|it| it.client.set("origin", json!("http://127.0.0.1:3000")))),
    ("origin: null", Signed(|it| it.client.set("origin", json!("null")))),
    ("origin: missing", Signed(|it| _ = it.client.members.remove("origin"))),
    ("origin: in a frame of another site", Signed(|it| it.client.set("crossOrigin", json!(true)))),
    ("origin: below another site", Signed(|it| it.client.set("topOrigin", json!("https://evil.example")))),
    ("purpose: a registration", Signed(|it| it.client.set("type", json!("webauthn.create")))),
    ("purpose: unknown", Signed(|it| it.client.set("type", json!("payment.get")))),
    ("challenge: another", Signed(|it| it.client.set("challenge", json!("AAAAAAAAAAAAAAAAAAAAAA")))),
    ("challenge: empty", Signed(|it| it.client.set("challenge", json!("")))),
    ("challenge: missing", Signed(|it| _ = it.client.members.remove("challenge"))),
    ("relying party: another host", Signed(|it| it.rp_id = "evil.example".to_owned())),
    ("relying party: a subdomain", Signed(|it| it.rp_id = "a.localhost".to_owned())),
    ("flags: no user present", Signed(|it| it.flags &= !0b1)),
    ("flags: backed up, but not eligible", Signed(|it| it.flags |= 0b1_0000)),
    ("flags: became eligible for backup", Signed(|it| it.flags |= 0b1000)),
    ("flags: attested data that are missing", Signed(|it| it.flags |= 0b100_0000)),
    ("flags: extensions that are missing", Signed(|it| it.flags |= 0b1000_0000)),
    ("counter: the same as before", Signed(|it| it.counter -= 1)),
    ("counter: an older one, as of a copied device", Signed(|it| it.counter = 1)),
    ("counter: zero", Signed(|it| it.counter = 0)),
    ("account: another user handle", Signed(|it| it.user_handle = Some(json!("AAAAAAAAAAAAAAAAAAAAAA")))),
    ("account: a short user handle", Signed(|it| it.user_handle = Some(json!("AAAA")))),
    ("account: an empty user handle", Signed(|it| it.user_handle = Some(json!("")))),
    ("account: no user handle", Signed(|it| it.user_handle = None)),
    ("credential: an unknown id", Signed(|it| it.id = "A".repeat(43))),
    ("credential: a short id", Signed(|it| it.id = "AAAA".to_owned())),
    ("data: trailing bytes", Signed(|it| it.trailing = vec![0])),
    ("data: extensions that are no map", Signed(|it| (it.flags |= 0b1000_0000, it.trailing = vec![0xff]).0)),
    ("signature: over other client data", Signed(sign_other_client_data)),
    ("client data: no JSON", Signed(|it| it.client.raw = Some("nonsense".to_owned()))),
    ("client data: a member twice", Signed(repeat_the_origin)),
    ("client data: invalid UTF-8", Response(|it| change(it, "clientDataJSON", |bytes| bytes[1] = 0xff))),
    ("signature: one bit", Response(|it| change(it, "signature", |bytes| bytes[20] ^= 1))),
    ("signature: empty", Response(|it| it["response"]["signature"] = json!(""))),
    ("signature: too long", Response(|it| change(it, "signature", |bytes| bytes.push(0)))),
    ("data: cut off", Response(|it| change(it, "authenticatorData", |bytes| bytes.truncate(36)))),
    ("data: another flag than the signed one", Response(|it| change(it, "authenticatorData", |bytes| bytes[32] ^= 4))),
    (
        "data: another counter than the signed one",
        Response(|it| change(it, "authenticatorData", |bytes| bytes[33] = 9)),
    ),
    ("response: missing", Response(|it| _ = it.as_object_mut().unwrap().remove("response"))),
    ("response: no base64url", Response(|it| it["response"]["signature"] = json!("+/=="))),
    ("response: padded base64url", Response(|it| it["response"]["userHandle"] = json!("AAAAAAAAAAAAAAAAAAAAAA=="))),
    ("response: another raw id", Response(|it| it["rawId"] = json!("B".repeat(43)))),
    ("response: another type", Response(|it| it["type"] = json!("password"))),
    ("response: a list", Response(|it| *it = json!([it.clone()]))),
    ("response: a text", Response(|it| *it = json!(it.to_string()))),
    ("response: null", Response(|it| *it = Value::Null)),
];

/// Registrations that no browser sends for the user at this shop.
const REGISTRATIONS: &[(&str, Forgery)] = &[
    ("origin: another site", Created(|it| it.client.set("origin", json!("https://evil.example")))),
    ("origin: the IP address", Created(|it| it.client.set("origin", json!("http://127.0.0.1:3000")))),
    ("origin: in a frame of another site", Created(|it| it.client.set("crossOrigin", json!(true)))),
    ("purpose: a login", Created(|it| it.client.set("type", json!("webauthn.get")))),
    ("challenge: another", Created(|it| it.client.set("challenge", json!("AAAAAAAAAAAAAAAAAAAAAA")))),
    ("relying party: another host", Created(|it| it.rp_id = "evil.example".to_owned())),
    ("flags: no user present", Created(|it| it.flags &= !0b1)),
    ("flags: backed up, but not eligible", Created(|it| it.flags |= 0b1_0000)),
    ("flags: no attested data", Created(|it| it.flags &= !0b100_0000)),
    ("credential: another id", Created(|it| it.id = "A".repeat(43))),
    ("credential: a short id", Created(|it| (it.credential_id = vec![1; 4], it.id = "AQEBAQ".to_owned()).0)),
    ("credential: a long id", Created(|it| it.credential_id = vec![1; 1024])),
    ("key: an algorithm that is not offered", Created(|it| *it.public_key.member(3) = Cbor::Integer(-35))),
    ("key: an unknown algorithm", Created(|it| *it.public_key.member(3) = Cbor::Integer(-999))),
    ("key: another curve", Created(|it| *it.public_key.member(-1) = Cbor::Integer(2))),
    ("key: not on the curve", Created(|it| *it.public_key.member(-2) = Cbor::Bytes(vec![0xff; 32]))),
    ("key: a short coordinate", Created(|it| *it.public_key.member(-2) = Cbor::Bytes(vec![1; 31]))),
    ("attestation: an unknown format", Created(|it| it.format = "nonsense")),
    ("attestation: a format without its statement", Created(|it| it.format = "packed")),
    ("data: trailing bytes", Created(|it| it.trailing = vec![0])),
    ("response: no CBOR", Response(|it| it["response"]["attestationObject"] = json!("AAAA"))),
    ("response: cut off", Response(|it| change(it, "attestationObject", |bytes| bytes.truncate(100)))),
    ("response: missing", Response(|it| _ = it.as_object_mut().unwrap().remove("response"))),
    ("response: null", Response(|it| *it = Value::Null)),
];

fn change(response: &mut Value, member: &str, how: fn(&mut Vec<u8>)) {
    let member = &mut response["response"][member];
    *member = altered(member, how);
}

fn sign_other_client_data(assertion: &mut Assertion) {
    let mut signed = assertion.client.clone();
    signed.set("origin", json!("https://evil.example"));
    assertion.signed_client = Some(signed);
}

fn repeat_the_origin(assertion: &mut Assertion) {
    let members = &assertion.client.members;
    let (challenge, origin) = (&members["challenge"], &members["origin"]);
    assertion.client.raw = Some(format!(
        "{{\"type\":\"webauthn.get\",\"challenge\":{challenge},\"origin\":\"https://evil.example\",\
         \"origin\":{origin},\"crossOrigin\":false}}"
    ));
}

/// A shop at one address, with a customer who has a passkey that was used twice.
async fn shop_with_passkey() -> (TestShop, Client, Authenticator) {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "http://localhost:3000")]).await;
    let customer = shop.customer().await;
    let mut authenticator = Authenticator::new(Algorithm::Es256);
    add(&customer, &mut authenticator).await.gives(201);
    for _ in 0..2 {
        log_in_with(&shop.visitor(), &mut authenticator).await.gives(200);
    }
    let client = Client::clone(&customer);
    (shop, client, authenticator)
}

async fn traces(shop: &TestShop) -> (i64, i64, Vec<String>) {
    let sessions = shop.count("SELECT COUNT(*) FROM sessions").await;
    let ceremonies = shop.count("SELECT COUNT(*) FROM passkey_ceremonies").await;
    (sessions, ceremonies, shop.texts("SELECT state FROM passkeys ORDER BY id").await)
}

// invariant: passkeys
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_forged_login_begins_a_session_and_all_get_one_message() {
    let (shop, _, mut phone) = shop_with_passkey().await;
    let (visitor, origin) = (shop.visitor(), origin_of(&shop.visitor()).await);
    let before = traces(&shop).await;
    let mut messages = Vec::new();
    for (name, forgery) in LOGINS {
        let ceremony = Ceremony::log_in(&visitor).await;
        let mut assertion = phone.assertion(&origin, &ceremony.options);
        // The next counter that is valid, after forgeries that were rejected.
        phone.counter -= 1;
        if let Signed(forge) = forgery {
            forge(&mut assertion);
        }
        let mut credential = phone.sign(&assertion);
        if let Response(forge) = forgery {
            forge(&mut credential);
        }
        let rejected = send_login(&visitor, &ceremony.token, credential).await;
        assert_eq!(
            (rejected.status, rejected.json()["code"].as_str()),
            (400, Some("PasskeyInvalid")),
            "{name}: {rejected}"
        );
        messages.push(rejected.refuses(400, "PasskeyInvalid")["error"].clone());
        assert_eq!(traces(&shop).await, before, "{name}");
    }
    assert!(messages.len() >= 40 && messages.iter().all(|message| *message == messages[0]), "{messages:?}");
    log_in_with(&visitor, &mut phone).await.gives(200);
}

// invariant: passkeys
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_forged_registration_adds_a_passkey_and_all_get_one_message() {
    let (shop, customer, phone) = shop_with_passkey().await;
    let origin = origin_of(&customer).await;
    let before = traces(&shop).await;
    let mut messages = Vec::new();
    for (name, forgery) in REGISTRATIONS {
        let ceremony = Ceremony::add(&customer).await;
        let mut attestation = Authenticator::new(Algorithm::Es256).attestation(&origin, &ceremony.options);
        if let Created(forge) = forgery {
            forge(&mut attestation);
        }
        let mut credential = attestation.json();
        if let Response(forge) = forgery {
            forge(&mut credential);
        }
        let rejected = send_addition(&customer, &ceremony.token, credential).await;
        assert_eq!(
            (rejected.status, rejected.json()["code"].as_str()),
            (400, Some("PasskeyInvalid")),
            "{name}: {rejected}"
        );
        messages.push(rejected.refuses(400, "PasskeyInvalid")["error"].clone());
        assert_eq!(traces(&shop).await, before, "{name}");
    }
    // The passkey of another account: the id is known, so the response must not tell whose it is.
    let stranger = shop.new_customer(EVE).await;
    let ceremony = Ceremony::add(&stranger).await;
    let mut copy = Authenticator::new(Algorithm::Es256);
    copy.credential_id.clone_from(&phone.credential_id);
    let stolen = copy.attestation(&origin, &ceremony.options);
    let rejected = send_addition(&stranger, &ceremony.token, stolen.json()).await;
    messages.push(rejected.refuses(400, "PasskeyInvalid")["error"].clone());
    assert!(messages.iter().all(|message| *message == messages[0]), "{messages:?}");
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkeys").await, 1);
    assert!(shop.mails_to(EVE).iter().all(|mail| !mail.subject.contains("passkey")));
}

// invariant: passkeys
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ceremony_works_once_for_its_browser_purpose_and_account_and_for_five_minutes() {
    let (shop, customer, mut phone) = shop_with_passkey().await;
    let (visitor, origin) = (shop.visitor(), origin_of(&customer).await);
    let stranger = shop.new_customer(EVE).await;

    let ceremony = Ceremony::log_in(&visitor).await;
    let credential = phone.signed(&origin, &ceremony.options);
    for token in ["", "nothing", &"A".repeat(43), &"A".repeat(500), &"+".repeat(43)] {
        send_login(&visitor, &json!(token), credential.clone()).await.refuses(400, "PasskeyExpired");
        send_addition(&customer, &json!(token), credential.clone()).await.refuses(400, "PasskeyExpired");
    }
    // The token of another browser's login takes no response to this one, and is used up.
    let other = Ceremony::log_in(&visitor).await;
    send_login(&visitor, &other.token, credential.clone()).await.refuses(400, "PasskeyInvalid");
    send_login(&visitor, &other.token, credential.clone()).await.refuses(400, "PasskeyExpired");
    send_addition(&customer, &ceremony.token, credential.clone()).await.refuses(400, "PasskeyExpired");
    send_login(&visitor, &ceremony.token, credential.clone()).await.gives(200);
    send_login(&visitor, &ceremony.token, credential).await.refuses(400, "PasskeyExpired");

    let registration = Ceremony::add(&customer).await;
    let mut key = Authenticator::new(Algorithm::EdDsa);
    let created = key.attestation(&origin, &registration.options).json();
    send_login(&visitor, &registration.token, created.clone()).await.refuses(400, "PasskeyExpired");
    send_addition(&stranger, &registration.token, created.clone()).await.refuses(400, "PasskeyExpired");
    send_addition(&customer, &registration.token, created).await.refuses(400, "PasskeyExpired");

    for (minutes, works) in [(4 * MINUTE, true), (5 * MINUTE, false)] {
        let login = Ceremony::log_in(&visitor).await;
        let credential = phone.signed(&origin, &login.options);
        shop.clock.advance(minutes);
        let answer = send_login(&visitor, &login.token, credential).await;
        if works { _ = answer.gives(200) } else { _ = answer.refuses(400, "PasskeyExpired") }
    }
    let late = Ceremony::add(&customer).await;
    let created = Authenticator::new(Algorithm::EdDsa).attestation(&origin, &late.options).json();
    shop.clock.advance(5 * MINUTE);
    send_addition(&customer, &late.token, created).await.refuses(400, "PasskeyExpired");
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkeys").await, 1);
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_passkey_of_no_account_is_answered_exactly_like_a_wrong_one_of_an_account() {
    let (shop, _, mut phone) = shop_with_passkey().await;
    let (visitor, origin) = (shop.visitor(), origin_of(&shop.visitor()).await);
    let mut nobodys = Authenticator::new(Algorithm::Es256);
    let mut responses = Vec::new();
    for known in [true, false] {
        let ceremony = Ceremony::log_in(&visitor).await;
        let device = if known { &mut phone } else { &mut nobodys };
        let mut assertion = device.assertion(&origin, &ceremony.options);
        assertion.user_handle = Some(json!("AAAAAAAAAAAAAAAAAAAAAA"));
        let begun = std::time::Instant::now();
        let rejected = send_login(&visitor, &ceremony.token, device.sign(&assertion)).await;
        assert!(begun.elapsed().as_millis() >= 50, "a response before the beat");
        rejected.refuses(400, "PasskeyInvalid");
        responses.push(seen(&rejected));
    }
    assert_eq!(responses[0], responses[1]);
}

/// What a broken browser or extension may send: one byte of a valid response is another one.
// invariant: passkeys
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_changed_byte_of_a_response_breaks_the_shop_or_logs_in() {
    let (shop, customer, mut phone) = shop_with_passkey().await;
    let (visitor, origin) = (shop.visitor(), origin_of(&customer).await);
    for number in 0..60 {
        let [at, bit] = server::infra::random::random_bytes::<2>();
        let flip = |bytes: &mut Vec<u8>| {
            let index = usize::from(at) % bytes.len();
            bytes[index] ^= 1 << (bit % 8);
        };
        let members = ["authenticatorData", "signature", "clientDataJSON", "userHandle"];
        let login = Ceremony::log_in(&visitor).await;
        let mut credential = phone.signed(&origin, &login.options);
        let member = &mut credential["response"][members[number % 4]];
        *member = altered(member, flip);
        let rejected = send_login(&visitor, &login.token, credential.clone()).await;
        assert_eq!(rejected.status, 400, "{rejected} {credential}");

        let addition = Ceremony::add(&customer).await;
        let mut credential = Authenticator::new(Algorithm::Es256).attestation(&origin, &addition.options).json();
        let member = &mut credential["response"][["attestationObject", "clientDataJSON"][number % 2]];
        *member = altered(member, flip);
        let answer = send_addition(&customer, &addition.token, credential.clone()).await;
        // Without an attestation statement, the AAGUID, the counter, and the key are unsigned.
        assert!(matches!(answer.status, 201 | 400), "{answer} {credential}");
        shop.tamper("DELETE FROM passkeys WHERE last_used_at IS NULL").await;
    }
}

/// A device's clock is no part of a ceremony, and a removed passkey ends no ceremony halfway.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_passkey_that_is_removed_or_used_during_a_login_does_not_log_in() {
    let (shop, customer, mut phone) = shop_with_passkey().await;
    let (visitor, origin) = (shop.visitor(), origin_of(&customer).await);
    let (first, second) = (Ceremony::log_in(&visitor).await, Ceremony::log_in(&visitor).await);
    let older = phone.signed(&origin, &first.options);
    let newer = phone.signed(&origin, &second.options);
    send_login(&visitor, &second.token, newer).await.gives(200);
    send_login(&visitor, &first.token, older).await.refuses(400, "PasskeyInvalid");

    let login = Ceremony::log_in(&visitor).await;
    let credential = phone.signed(&origin, &login.options);
    let list = customer.get("/api/auth/passkeys").await.gives(200);
    let path = format!("/api/auth/passkeys/{}", list["passkeys"][0]["id"].as_str().unwrap());
    customer.delete(&path).await.gives(204);
    send_login(&visitor, &login.token, credential).await.refuses(400, "PasskeyInvalid");
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkeys").await, 0);
}
