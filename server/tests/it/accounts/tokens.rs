use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::harness::{ADMIN, TestShop};

const SECOND: i64 = 1_000;

fn part(token: &str, index: usize) -> Value {
    let part = token.split('.').nth(index).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

// spec 66: an Admin group claim inside the access token
// spec 97: determined by the value Admin in the access token's groups claim
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_access_token_says_who_for_fifteen_minutes_and_is_signed_with_a_published_key() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let (header, claims) = (part(admin.access_token(), 0), part(admin.access_token(), 1));
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
    assert_eq!(part(customer.access_token(), 1)["groups"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_access_token_expires_after_fifteen_minutes() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    shop.clock.advance(15 * 60 * SECOND - 5 * SECOND);
    assert!(ada.is_logged_in().await);
    shop.clock.advance(5 * SECOND);
    ada.get("/api/auth/user").await.refuses(401, "TokenExpired");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_was_changed_anywhere_is_nobodys() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    let parts: Vec<&str> = ada.access_token().split('.').collect();
    let with = |index: usize, change: &dyn Fn(&mut Value)| {
        let mut json = part(ada.access_token(), index);
        change(&mut json);
        let mut parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        parts[index] = URL_SAFE_NO_PAD.encode(json.to_string());
        parts.join(".")
    };
    let forged = [
        with(1, &|claims| claims["groups"] = json!(["Admin"])),
        with(1, &|claims| claims["exp"] = json!(9_999_999_999_i64)),
        with(0, &|header| header["alg"] = json!("none")),
        with(0, &|header| header["alg"] = json!("HS256")),
        with(0, &|header| header["kid"] = json!("another")),
        format!("{}.{}.", parts[0], parts[1]),
        format!("{}.{}", parts[0], parts[1]),
        ada.refresh_token.clone(),
        "x".repeat(8_000),
        String::new(),
    ];
    for token in forged {
        ada.with_token(&token).get("/api/auth/user").await.refuses(401, "Unauthenticated");
        ada.with_token(&token).get("/api/admin/orders").await.refuses(401, "Unauthenticated");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_of_another_shop_is_nobodys() {
    let (here, there) = (TestShop::open().await, TestShop::open().await);
    let stranger = there.admin().await;
    here.visitor().with_token(stranger.access_token()).get("/api/auth/user").await.refuses(401, "Unauthenticated");
}
