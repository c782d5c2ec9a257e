use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::harness::{ADMIN, Forger, TestShop, claims_of, header_of};

const SECOND: i64 = 1_000;

// spec: an Admin group claim inside the access token
// spec: determined by the value Admin in the access token's groups claim
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_access_token_says_who_for_fifteen_minutes_and_is_signed_with_a_published_key() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let (header, claims) = (header_of(admin.access_token()), claims_of(admin.access_token()));
    assert_eq!(header["alg"], "EdDSA");
    let set = shop.visitor().get("/.well-known/jwks.json").await.gives(200);
    let published = set["keys"].as_array().unwrap().iter().any(|key| key["kid"] == header["kid"]);
    assert!(published && header["kid"].is_string(), "{set}");
    assert!(!set.to_string().contains("\"d\""), "{set}");

    let fixed = [
        ("iss", json!("nudgelight")),
        ("aud", json!("nudgelight")),
        ("token_use", json!("access")),
        ("email", json!(ADMIN)),
        ("groups", json!(["Admin"])),
    ];
    for (claim, value) in fixed {
        assert_eq!(claims[claim], value, "{claim}");
    }
    for claim in ["sub", "sid", "jti"] {
        assert!(claims[claim].as_str().is_some_and(|text| !text.is_empty()), "{claim}");
    }
    let instant = |claim: &str| claims[claim].as_i64().unwrap();
    assert_eq!(instant("exp") - instant("iat"), 15 * 60);
    assert_eq!(instant("nbf"), instant("iat"));

    let customer = shop.customer().await;
    assert_eq!(claims_of(customer.access_token())["groups"], json!([]));
}

// invariant: token-validation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_access_token_expires_after_fifteen_minutes() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    shop.clock.advance(15 * 60 * SECOND - 5 * SECOND);
    assert!(ada.is_logged_in().await);
    shop.clock.advance(5 * SECOND);
    ada.get("/api/auth/user").await.refuses(401, "TokenExpired");
}

/// Tokens with a valid signature, each with one invalid claim.
fn wrong_claims(good: &str, shop: &Forger, now: i64) -> Vec<String> {
    let mut claims = vec![
        ("iss", json!("https://elsewhere.example")),
        ("iss", json!(["nudgelight"])),
        ("aud", json!("somebody")),
        ("aud", json!(["nudgelight", "somebody"])),
        ("token_use", json!("refresh")),
        ("token_use", json!("id")),
        ("sub", json!("somebody else")),
        ("sid", json!("no session")),
        ("groups", json!("Admin")),
        ("nbf", json!(now + 120)),
        ("nbf", json!("9")),
        ("iat", json!(now + 120)),
        ("exp", json!("never")),
        ("exp", json!((now + 900).to_string())),
        ("exp", json!(1.5e12)),
        ("exp", json!([now + 900])),
        ("exp", json!({})),
        ("exp", json!(true)),
    ];
    claims.extend(
        ["iss", "aud", "sub", "sid", "exp", "nbf", "iat", "jti", "token_use", "email"]
            .map(|claim| (claim, Value::Null)),
    );
    claims.into_iter().map(|claim| shop.changed(good, &[claim])).collect()
}

/// Tokens with valid claims, and a header that selects another algorithm or key.
fn wrong_headers(good: &str, shop: &Forger) -> Vec<String> {
    let (header, claims) = (header_of(good), claims_of(good).to_string());
    let with = |changes: Value| {
        let mut header = header.clone();
        for (name, value) in changes.as_object().unwrap() {
            header[name] = value.clone();
        }
        header.to_string()
    };
    let stranger = Forger::stranger();
    let jwk = json!({ "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "x": stranger.public_x() });
    let by_stranger = [
        json!({}),
        json!({ "jwk": jwk }),
        json!({ "jku": "https://elsewhere.example/jwks.json" }),
        json!({ "kid": "another", "jwk": jwk }),
        json!({ "kid": "../../../../dev/null" }),
        json!({ "x5u": "https://elsewhere.example/key.pem" }),
    ];
    let by_shop = [
        json!({ "kid": "another" }),
        json!({ "kid": null }),
        json!({ "kid": 7 }),
        json!({ "crit": ["b64"], "b64": false }),
        json!({ "alg": "none" }),
        json!({ "alg": "HS256" }),
        json!({ "alg": "ES256" }),
        json!({ "alg": "eddsa" }),
    ];
    let strangers = by_stranger.into_iter().map(|header| stranger.sign(&with(header), &claims));
    strangers.chain(by_shop.into_iter().map(|header| shop.sign(&with(header), &claims))).collect()
}

// invariant: token-validation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_with_anything_wrong_about_it_is_nobodys() {
    let shop = TestShop::open().await;
    let (ada, forger) = (shop.customer().await, shop.signs_as_the_shop());
    let good = ada.access_token();
    ada.with_token(&forger.changed(good, &[])).get("/api/auth/user").await.gives(200);

    let now = shop.clock.now_ms() / SECOND;
    let parts: Vec<&str> = good.split('.').collect();
    let admins = json!({ "groups": ["Admin"] }).to_string();
    let mut bad = [wrong_claims(good, &forger, now), wrong_headers(good, &forger)].concat();
    bad.extend([
        format!("{}.{}.", parts[0], parts[1]),
        format!("{}.{}", parts[0], parts[1]),
        format!("{}.{}.{}", parts[0], URL_SAFE_NO_PAD.encode(admins), parts[2]),
        format!("{good}."),
        good[..good.len() - 4].to_owned(),
        forger.sign("no JSON", "no JSON"),
        ada.refresh_token.clone(),
        "x".repeat(8_000),
        String::new(),
    ]);
    assert!(bad.len() >= 40, "{}", bad.len());
    for token in bad {
        for path in ["/api/auth/user", "/api/admin/orders"] {
            let response = ada.with_token(&token).get(path).await;
            response.refuses(401, "Unauthenticated");
        }
    }
    // Privilege escalation: the claim alone grants no rights, because the server looks them up.
    let promoted = forger.changed(good, &[("groups", json!(["Admin"]))]);
    ada.with_token(&promoted).get("/api/admin/orders").await.refuses(403, "Forbidden");
}

// invariant: token-validation
// invariant: clock-skew
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_clock_may_run_ahead_by_half_a_minute_and_an_expired_token_gets_no_grace() {
    let shop = TestShop::open().await;
    let (ada, forger) = (shop.customer().await, shop.signs_as_the_shop());
    let now = shop.clock.now_ms() / SECOND;
    let token = |claim: &str, value: i64| forger.changed(ada.access_token(), &[(claim, json!(value))]);
    let user = async |token: &str| ada.with_token(token).get("/api/auth/user").await;
    user(&token("nbf", now + 25)).await.gives(200);
    user(&token("iat", now + 60)).await.refuses(401, "Unauthenticated");
    user(&token("exp", now - 1)).await.refuses(401, "TokenExpired");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_of_another_shop_is_nobodys() {
    let (here, there) = (TestShop::open().await, TestShop::open().await);
    let stranger = there.admin().await;
    here.visitor().with_token(stranger.access_token()).get("/api/auth/user").await.refuses(401, "Unauthenticated");
}
