use serde_json::json;

use super::privacy::seen;
use crate::harness::{ADMIN, CUSTOMER, PASSWORD, Person, TestShop};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_password_and_an_unknown_address_get_the_same_sentence() {
    let shop = TestShop::open().await;
    for (address, password) in [(CUSTOMER, "wrong"), ("nobody@example.com", PASSWORD), (CUSTOMER, " ")] {
        let body = shop.logs_in(address, password).await.refuses(401, "BadCredentials");
        assert_eq!(body["error"], "Incorrect email or password. If you just signed up, confirm your email first.");
    }
    for address in [CUSTOMER, "nobody@example.com"] {
        shop.logs_in(address, "").await.names(&["password"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_is_compared_without_case_and_a_password_with_it() {
    let shop = TestShop::open().await;
    shop.logs_in(&CUSTOMER.to_uppercase(), PASSWORD).await.gives(200);
    shop.logs_in(CUSTOMER, &PASSWORD.to_uppercase()).await.refuses(401, "BadCredentials");
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_not_confirmed_is_told_no_more_by_the_right_password_than_by_a_wrong_one() {
    let shop = TestShop::open().await;
    // Account enumeration: signing up and logging in with the same password must not reveal whether the account is new.
    for address in ["ada@example.com", CUSTOMER] {
        let body = json!({ "email": address, "password": "a password of my own" });
        shop.visitor().post("/api/auth/signup", &body).await.gives(201);
    }
    let refused = shop.logs_in(CUSTOMER, "a password of my own").await;
    refused.refuses(401, "BadCredentials");
    for password in ["a password of my own", "another password"] {
        assert_eq!(seen(&shop.logs_in("ada@example.com", password).await), seen(&refused), "{password}");
    }
}

// invariant: token-revocation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logging_out_ends_the_session_at_once_and_no_other() {
    let shop = TestShop::open().await;
    let (here, there) = (shop.customer().await, shop.customer().await);
    let body = json!({ "refreshToken": here.refresh_token });
    here.post("/api/auth/logout", &body).await.gives(204);
    here.get("/api/auth/user").await.refuses(401, "Unauthenticated");
    here.post("/api/auth/refresh-token", &body).await.refuses(401, "RefreshTokenInvalid");
    here.post("/api/auth/logout", &body).await.gives(204);
    assert!(there.is_logged_in().await);
}

// invariant: token-revocation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_see_and_end_their_own_sessions_and_nobody_elses() {
    let shop = TestShop::open().await;
    let (here, there, admin) = (shop.customer().await, shop.customer().await, shop.admin().await);
    let list = here.get("/api/auth/sessions").await.gives(200);
    let sessions = list["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2, "{list}");
    let other = sessions.iter().find(|session| session["current"] == false).unwrap();
    let path = format!("/api/auth/sessions/{}", other["id"].as_str().unwrap());

    admin.delete(&path).await.refuses(404, "NotFound");
    assert!(there.is_logged_in().await);
    here.delete(&path).await.gives(204);
    there.get("/api/auth/user").await.refuses(401, "Unauthenticated");
    assert!(here.is_logged_in().await);
}

// invariant: token-revocation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administrators_are_made_and_unmade_with_effect_on_the_very_next_call() {
    let shop = TestShop::open().await;
    let (admin, customer) = (shop.admin().await, shop.customer().await);
    let sees = async |person: &Person| person.get("/api/admin/orders").await.status;
    assert_eq!((sees(&admin).await, sees(&customer).await), (200, 403));

    server::accounts::revoke_admin(&shop.inside().platform.db, ADMIN).await.unwrap();
    let inside = shop.inside();
    let granted = server::accounts::grant_admin(
        &inside.platform.config,
        "Nudgelight",
        &inside.accounts.keys,
        &inside.platform.db,
        CUSTOMER,
        shop.clock.now_ms(),
    )
    .await;
    assert!(granted.unwrap().is_none(), "demo mode requires no second factor");
    assert_eq!((sees(&admin).await, sees(&customer).await), (403, 200));
}
