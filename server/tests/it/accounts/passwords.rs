use argon2::password_hash::PasswordHasher as _;
use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, Version};
use serde_json::json;

use crate::harness::{BEHIND_A_PROXY, CUSTOMER, PASSWORD, PRODUCTION_PASSWORD_COST, TestShop, together};

// spec: Password strength rules: not shown.
// invariant: password-policy
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_is_judged_by_its_length_and_by_what_is_tried_first() {
    let shop = TestShop::open().await;
    let sign_up = async |number: usize, password: &str| {
        let email = format!("person{number}@example.com");
        let body = json!({ "email": email, "password": password });
        shop.visitor().post("/api/auth/signup", &body).await
    };
    let longest = "l".repeat(256);
    let allowed = ["ten signs!", "💡💡💡💡💡💡💡💡💡💡", "          x         ", longest.as_str()];
    for (number, password) in allowed.into_iter().enumerate() {
        sign_up(number, password).await.gives(201);
    }
    let too_long = "l".repeat(257);
    let refused =
        ["", "nine sign", "1234567890", "Password123", "NUDGELIGHT", "person7@example.com", too_long.as_str()];
    for password in refused {
        sign_up(7, password).await.names(&["password"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_inputs_of_a_sign_up_are_named_when_both_are_wrong() {
    let shop = TestShop::open().await;
    let body = json!({ "email": "ada", "password": "short" });
    shop.visitor().post("/api/auth/signup", &body).await.names(&["email", "password"]);
}

// invariant: token-revocation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_password_ends_the_other_sessions_but_not_this_one() {
    let shop = TestShop::open().await;
    let (here, there) = (shop.customer().await, shop.customer().await);
    let body = json!({ "previousPassword": PASSWORD, "proposedPassword": "a lamp of my own" });
    let response = here.post("/api/change-password", &body).await.gives(200);
    assert!(response["message"].is_string());

    assert!(here.is_logged_in().await);
    there.get("/api/auth/user").await.refuses(401, "Unauthenticated");
    let refresh = json!({ "refreshToken": there.refresh_token });
    there.post("/api/auth/refresh-token", &refresh).await.refuses(401, "RefreshTokenInvalid");
    let refresh = json!({ "refreshToken": here.refresh_token });
    here.post("/api/auth/refresh-token", &refresh).await.gives(200);

    shop.logs_in(CUSTOMER, PASSWORD).await.refuses(401, "BadCredentials");
    shop.logs_in(CUSTOMER, "a lamp of my own").await.gives(200);
    shop.mail_to(CUSTOMER, "password was changed").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_is_changed_only_by_somebody_who_knows_it() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    let body = json!({ "previousPassword": "not the password", "proposedPassword": "a lamp of my own" });
    ada.post("/api/change-password", &body).await.names(&["previousPassword"]);
    let body = json!({ "previousPassword": PASSWORD, "proposedPassword": "short" });
    ada.post("/api/change-password", &body).await.names(&["proposedPassword"]);
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
}

// invariant: token-revocation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_by_mail_ends_every_session_and_the_old_password() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    shop.visitor().post("/api/auth/forgot-password", &json!({ "username": CUSTOMER })).await.gives(200);
    let code = shop.code_for(CUSTOMER, &[]).await;
    let reset = |password: &str| json!({ "username": CUSTOMER, "confirmationCode": code, "password": password });
    let path = "/api/auth/confirm-forgot-password";
    shop.visitor().post(path, &reset("short")).await.names(&["password"]);
    shop.visitor().post(path, &reset("a lamp of my own")).await.gives(200);
    shop.visitor().post(path, &reset("a second new one")).await.refuses(400, "CodeInvalid");

    ada.get("/api/auth/user").await.refuses(401, "Unauthenticated");
    shop.logs_in(CUSTOMER, PASSWORD).await.refuses(401, "BadCredentials");
    shop.logs_in(CUSTOMER, "a lamp of my own").await.gives(200);
    shop.mail_to(CUSTOMER, "password was changed").await;
}

// invariant: password-hashing
// invariant: session-expiry
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_holds_no_password_code_or_token_that_could_be_used() {
    let shop = TestShop::open_with(&[PRODUCTION_PASSWORD_COST]).await;
    let ada = shop.new_customer("ada@example.com").await;
    shop.visitor().post("/api/auth/forgot-password", &json!({ "username": "ada@example.com" })).await.gives(200);
    let used = shop.mails_to("ada@example.com")[0].code().unwrap();
    let code = shop.code_for("ada@example.com", &[&used]).await;
    // The outbox clears an email's content just after sending it, so the file can appear first.
    crate::harness::eventually("an empty outbox", async || {
        (shop.count("SELECT COUNT(*) FROM outbox WHERE message <> ''").await == 0).then_some(())
    })
    .await;
    let dump = shop
        .texts("SELECT password_hash FROM users UNION ALL SELECT code_hash FROM codes UNION ALL SELECT code_hash FROM signups UNION ALL SELECT token_hash FROM signups UNION ALL SELECT code_hash FROM login_codes UNION ALL SELECT token_hash FROM login_codes UNION ALL SELECT token_hash FROM refresh_tokens")
        .await;
    for secret in [PASSWORD, &code, &ada.refresh_token, ada.access_token()] {
        assert!(!dump.iter().any(|text| text.contains(secret)), "{secret}");
    }
    let hashes = shop.texts("SELECT password_hash FROM users").await;
    assert!(
        hashes.len() == 3 && hashes.iter().all(|hash| hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$")),
        "{hashes:?}"
    );
}

/// Stores a hash of the password at a low cost for every account.
async fn store_weak_hashes(shop: &TestShop) {
    let weak = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(1_024, 1, 1, None).unwrap());
    let hash: PasswordHash = weak.hash_password_with_salt(PASSWORD.as_bytes(), &[7; 16]).unwrap();
    shop.tamper(format!("UPDATE users SET password_hash = '{hash}'")).await;
}

// invariant: password-hashing
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logins_at_the_same_time_that_find_an_old_hash_all_succeed() {
    let shop = TestShop::open_with(&[PRODUCTION_PASSWORD_COST]).await;
    store_weak_hashes(&shop).await;
    let body = json!({ "username": CUSTOMER, "password": PASSWORD });
    let responses = together(5, |_| {
        let (visitor, body) = (shop.visitor(), body.clone());
        async move { visitor.post("/api/auth/login", &body).await }
    })
    .await;
    for response in responses {
        response.gives(200);
    }
    assert_eq!(shop.count("SELECT COUNT(*) FROM users WHERE password_hash LIKE '%m=19456%'").await, 1);
}

// invariant: password-hashing
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hash_with_old_parameters_is_replaced_by_the_next_log_in() {
    let shop = TestShop::open_with(&[PRODUCTION_PASSWORD_COST]).await;
    store_weak_hashes(&shop).await;
    shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
    let weak_ones = async || shop.count("SELECT COUNT(*) FROM users WHERE password_hash LIKE '%m=1024%'").await;
    assert_eq!(weak_ones().await, 2);
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
    assert_eq!(weak_ones().await, 1);
    let hashes = shop.texts("SELECT password_hash FROM users").await;
    assert!(hashes.iter().any(|hash| hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$")), "{hashes:?}");
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
}

// invariant: hashing-concurrency
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hash_that_would_cost_too_much_to_compare_is_not_computed() {
    let shop = TestShop::open().await;
    let rest = format!("${}${}", "A".repeat(22), "A".repeat(43));
    shop.tamper(format!("UPDATE users SET password_hash = '$argon2id$v=19$m=4000000,t=2,p=1{rest}'")).await;
    assert_eq!(shop.logs_in(CUSTOMER, PASSWORD).await.status, 500);
}

// invariant: hashing-concurrency
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_log_ins_than_can_be_hashed_are_told_to_come_back() {
    let shop = TestShop::open_with(&[BEHIND_A_PROXY, PRODUCTION_PASSWORD_COST]).await;
    let visitor = shop.visitor();
    let body = json!({ "username": CUSTOMER, "password": "not the password" });
    let responses = together(300, |_| {
        let (visitor, body) = (visitor.clone(), body.clone());
        async move { visitor.post("/api/auth/login", &body).await }
    })
    .await;
    for response in &responses {
        match response.status {
            401 => response.refuses(401, "BadCredentials"),
            _ => response.refuses(503, "Overloaded"),
        };
        assert!(response.status == 401 || response.header("retry-after").is_some(), "{response}");
    }
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
}
