//! Nobody learns from the shop whether an address has an account.

use serde_json::{Value, json};

use crate::harness::{CUSTOMER, PASSWORD, TestShop, never};

/// The calls that speak of an address, with a body for it.
fn calls(address: &str) -> [(&'static str, Value); 6] {
    [
        ("/api/auth/signup", json!({ "email": address, "password": PASSWORD })),
        ("/api/auth/login", json!({ "username": address, "password": "not the password" })),
        ("/api/auth/confirm-email", json!({ "username": address, "code": "000000" })),
        ("/api/auth/resend-code", json!({ "username": address })),
        ("/api/auth/forgot-password", json!({ "username": address })),
        (
            "/api/auth/confirm-forgot-password",
            json!({ "username": address, "confirmationCode": "000000", "password": PASSWORD }),
        ),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_address_is_answered_exactly_like_a_known_one() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    for ((path, known), (_, unknown)) in calls(CUSTOMER).into_iter().zip(calls("nobody@example.com")) {
        let (one, other) = (visitor.post(path, &known).await, visitor.post(path, &unknown).await);
        assert_eq!(one.essence(), other.essence(), "{path}");
        let names = |answer: &crate::harness::Answer| -> Vec<String> {
            answer.headers.keys().map(ToString::to_string).collect()
        };
        assert_eq!(names(&one), names(&other), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_of_a_known_address_is_told_of_a_sign_up_and_keeps_the_password() {
    let shop = TestShop::open().await;
    let body = json!({ "email": CUSTOMER, "password": "somebody else's idea" });
    shop.visitor().post("/api/auth/signup", &body).await.gives(201);
    let mail = shop.mail_to(CUSTOMER, "already have an account").await;
    assert_eq!(mail.code(), None);
    shop.logs_in(CUSTOMER, "somebody else's idea").await.refuses(401, "BadCredentials");
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_mailed_to_an_address_without_an_account() {
    let shop = TestShop::open().await;
    let body = json!({ "username": "nobody@example.com" });
    shop.visitor().post("/api/auth/forgot-password", &body).await.gives(200);
    shop.visitor().post("/api/auth/resend-code", &body).await.gives(200);
    never("mail", async || shop.mails().pop()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_code_is_resent_to_an_account_that_is_confirmed() {
    let shop = TestShop::open().await;
    shop.visitor().post("/api/auth/resend-code", &json!({ "username": CUSTOMER })).await.gives(200);
    never("mail", async || shop.mails_to(CUSTOMER).pop()).await;
}
