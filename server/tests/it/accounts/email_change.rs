//! Changing the email address: a code for each of the two addresses, and a link that undoes the change.

use serde_json::{Value, json};

use super::passkeys::{add, log_in_with};
use super::second_factor::{ADA as ADMINISTRATOR, grant_admin, log_in, production_shop};
use crate::harness::{
    Algorithm, ApiResponse, Authenticator, CUSTOMER, Client, PASSWORD, Person, TestShop, eventually, never, together,
};

const MINUTE: i64 = 60_000;
const DAY: i64 = 1_440 * MINUTE;
const ADA: &str = "ada@example.com";
const NEW: &str = "Countess@Lovelace.example";

async fn request(person: &Client, email: &str) -> ApiResponse {
    person.post("/api/auth/email-change", &json!({ "email": email })).await
}

async fn enter(person: &Client, current: &str, new: &str) -> ApiResponse {
    let body = json!({ "current_code": current, "new_code": new });
    person.post("/api/auth/confirm-email-change", &body).await
}

async fn undo(client: &Client, token: &str) -> ApiResponse {
    client.post("/api/auth/undo-email-change", &json!({ "undo_token": token })).await
}

fn wrong(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

/// Requests a change, and returns the two codes.
async fn codes(shop: &TestShop, person: &Client, from: &str, to: &str) -> (String, String) {
    let count = |address: &str| shop.mails_to(address).len();
    let before = (count(from), count(to));
    request(person, to).await.gives(200);
    eventually("both codes", async || {
        let newer = |address: &str, before: usize| {
            let mails = shop.mails_to(address);
            mails.get(before..)?.iter().rev().find_map(|mail| mail.code())
        };
        Some((newer(from, before.0)?, newer(to, before.1)?))
    })
    .await
}

async fn change(shop: &TestShop, person: &Client, from: &str, to: &str) {
    let (current, new) = codes(shop, person, from, to).await;
    enter(person, &current, &new).await.gives(200);
}

/// The token in the newest email about a change to this address.
async fn undo_token(shop: &TestShop, address: &str) -> String {
    let mail = shop.mail_to(address, "email address was changed").await;
    let (_, rest) = mail.text.split_once("/undo-email-change#").unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn email_of(person: &Client) -> Value {
    person.get("/api/auth/user").await.gives(200)["data"]["Username"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_addresses_confirm_a_change_and_everything_goes_by_the_new_one() {
    let shop = TestShop::open().await;
    let (ada, phone) = (shop.new_customer(ADA).await, shop.logged_in(ADA, PASSWORD).await);
    let (stripe, light, admin) = (shop.stripe().await, shop.light("Nudgelight One").await, shop.admin().await);
    let order = ada.buys(&stripe, &light, 1).await;
    change(&shop, &ada, ADA, NEW).await;

    assert_eq!(email_of(&ada).await, NEW);
    assert_eq!(email_of(&phone).await, NEW, "the session on another device continues");
    let refreshed = shop.visitor().post("/api/auth/refresh-token", &json!({ "refreshToken": ada.refresh_token })).await;
    assert_eq!(email_of(&Person::of(&shop.visitor(), &refreshed.gives(200))).await, NEW);
    shop.logs_in("countess@lovelace.example", PASSWORD).await.gives(200);
    shop.logs_in(ADA, PASSWORD).await.refuses(401, "BadCredentials");

    let notice = shop.mail_to(ADA, "email address was changed").await;
    assert!(notice.text.contains(NEW) && notice.text.contains("within 7 days"), "{}", notice.text);
    let found = |query: &'static str| {
        let admin = &admin;
        async move { admin.get(&format!("/api/admin/customers?q={query}")).await.gives(200)["total"].clone() }
    };
    assert_eq!((found("lovelace.example").await, found("countess").await), (json!(1), json!(1)));

    // The order keeps the address that it was placed with; its emails reach the customer.
    let shipping = json!({ "status": "shipped", "tracking_number": "T1" });
    let shipped = admin.patch(&format!("/api/admin/order/{order}"), &shipping).await.gives(200);
    assert_eq!(shipped["user_email"], ADA);
    shop.mail_to(NEW, "shipped").await;
    let evidence = admin.get(&format!("/api/admin/order/{order}/evidence")).await;
    assert!(evidence.text.contains(ADA) && evidence.text.contains(NEW), "{}", evidence.text);
    shop.audit().await;
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_code_counts_for_its_own_address_for_ten_minutes_and_once() {
    let shop = TestShop::open().await;
    let (ada, bob) = (shop.new_customer(ADA).await, shop.customer().await);
    enter(&ada, "000000", "000000").await.names(&["current_code"]);
    let (current, new) = codes(&shop, &ada, ADA, NEW).await;
    enter(&ada, &wrong(&current), &new).await.names(&["current_code"]);
    enter(&ada, &current, &wrong(&new)).await.names(&["new_code"]);
    enter(&ada, &new, &current).await.names(&["current_code"]);
    enter(&bob, &current, &new).await.names(&["current_code"]);
    enter(&shop.visitor(), &current, &new).await.refuses(401, "Unauthenticated");
    let (second_current, second_new) = codes(&shop, &ada, ADA, "third@example.com").await;
    enter(&ada, &current, &new).await.names(&["current_code"]);
    shop.clock.advance(10 * MINUTE);
    let ada = shop.logged_in(ADA, PASSWORD).await;
    enter(&ada, &second_current, &second_new).await.refuses(400, "CodeExpired");
    enter(&ada, &wrong(&second_current), &second_new).await.names(&["current_code"]);

    let (current, new) = codes(&shop, &ada, ADA, NEW).await;
    let spaced = format!(" {} {}", &current[..3], &current[3..]);
    enter(&ada, &spaced, &new).await.gives(200);
    enter(&ada, &current, &new).await.names(&["current_code"]);
    assert_eq!(email_of(&ada).await, NEW);
    assert_eq!(shop.count("SELECT COUNT(*) FROM email_changes").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_is_none_or_the_current_one_is_refused_and_nothing_is_sent() {
    let shop = TestShop::open().await;
    let ada = shop.new_customer(ADA).await;
    let before = shop.mails().len();
    for email in ["", "ada", "ada@", " ADA@Example.com "] {
        request(&ada, email).await.names(&["email"]);
    }
    ada.post("/api/auth/email-change", &json!({ "email": NEW, "totp": "twelve" })).await.names(&["totp"]);
    request(&shop.visitor(), NEW).await.refuses(401, "Unauthenticated");
    assert_eq!(shop.mails().len(), before);
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_with_an_account_is_answered_alike_and_its_owner_gets_a_notice_instead_of_a_code() {
    let shop = TestShop::open().await;
    let ada = shop.new_customer(ADA).await;
    let (free, taken) = (request(&ada, NEW).await, request(&ada, CUSTOMER).await);
    assert_eq!(super::privacy::seen(&free), super::privacy::seen(&taken));
    let notice = shop.mail_to(CUSTOMER, "already have an account").await;
    assert_eq!(notice.code(), None);
    let to_ada = shop.mails_to(ADA).into_iter().rev().find_map(|mail| mail.code()).unwrap();
    for guess in ["", "000000"] {
        enter(&ada, &to_ada, guess).await.names(&["new_code"]);
    }
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_accounts_that_want_one_address_one_gets_it() {
    let shop = TestShop::open().await;
    let (ada, bob) = (shop.new_customer(ADA).await, shop.customer().await);
    let (of_ada, of_bob) = (codes(&shop, &ada, ADA, NEW).await, codes(&shop, &bob, CUSTOMER, NEW).await);
    let responses = together(2, |number| {
        let (person, codes) = if number == 0 { (&ada, &of_ada) } else { (&bob, &of_bob) };
        let (person, (current, new)) = (person.clone(), codes.clone());
        async move { enter(&person, &current, &new).await }
    })
    .await;
    let mut statuses: Vec<u16> = responses.iter().map(|response| response.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    responses.iter().find(|response| response.status == 409).unwrap().refuses(409, "EmailTaken");
    assert_eq!(shop.count("SELECT COUNT(*) FROM users WHERE email_key = 'countess@lovelace.example'").await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_requested_for_either_address_is_void_after_the_change() {
    let shop = TestShop::open().await;
    let ada = shop.new_customer(ADA).await;
    // A stranger's sign-up with the new address, and a reset code and a login code at the old one.
    shop.signs_up(NEW).await;
    let sign_up = shop.code_for(NEW, &[]).await;
    let visitor = shop.visitor();
    visitor.post("/api/auth/forgot-password", &json!({ "username": ADA })).await.gives(200);
    let reset = shop.mail_to(ADA, "code").await.code().unwrap();
    let token =
        visitor.post("/api/auth/login-code", &json!({ "username": ADA })).await.gives(200)["login_token"].clone();
    eventually("the login code", async || {
        (shop.mails_to(ADA).iter().filter(|mail| mail.code().is_some()).count() == 3).then_some(())
    })
    .await;
    let login = shop.mails_to(ADA).into_iter().filter_map(|mail| mail.code()).next_back().unwrap();
    change(&shop, &ada, ADA, NEW).await;

    visitor
        .post("/api/auth/confirm-email", &json!({ "username": NEW, "code": sign_up }))
        .await
        .refuses(400, "CodeInvalid");
    for email in [ADA, NEW] {
        let body = json!({ "username": email, "confirmationCode": reset, "password": "another lamp of mine" });
        visitor.post("/api/auth/confirm-forgot-password", &body).await.refuses(400, "CodeInvalid");
        let body = json!({ "username": email, "code": login, "login_token": token });
        visitor.post("/api/auth/login-with-code", &body).await.refuses(400, "CodeInvalid");
    }
    shop.logs_in(NEW, PASSWORD).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_previous_address_takes_the_account_back_from_a_thief() {
    let shop = TestShop::open().await;
    let thief = shop.new_customer(ADA).await;
    let (mut own, mut stolen) = (Authenticator::new(Algorithm::Es256), Authenticator::new(Algorithm::Es256));
    add(&thief, &mut own).await.gives(201);
    shop.clock.advance(MINUTE);
    change(&shop, &thief, ADA, NEW).await;
    let token = undo_token(&shop, ADA).await;
    add(&thief, &mut stolen).await.gives(201);
    let body = json!({ "previousPassword": PASSWORD, "proposedPassword": "the thief's own lamp" });
    thief.post("/api/change-password", &body).await.gives(200);
    // On to a third address, so that the second one has a link, too.
    change(&shop, &thief, NEW, "third@example.com").await;
    let link_of_thief = undo_token(&shop, NEW).await;

    shop.clock.advance(7 * DAY - MINUTE);
    let visitor = shop.visitor();
    assert_eq!(undo(&visitor, &token).await.gives(200), json!({ "email": ADA }));
    assert!(!thief.is_logged_in().await);
    for (email, password) in [(ADA, "the thief's own lamp"), (NEW, "the thief's own lamp"), (ADA, PASSWORD)] {
        shop.logs_in(email, password).await.refuses(401, "BadCredentials");
    }
    log_in_with(&visitor, &mut stolen).await.refuses(400, "PasskeyInvalid");
    log_in_with(&visitor, &mut own).await.gives(200);
    undo(&visitor, &link_of_thief).await.refuses(400, "CodeExpired");
    undo(&visitor, &token).await.refuses(400, "CodeExpired");
    shop.mail_to(ADA, "changed back").await;
    let notice = shop.mail_to("third@example.com", "changed back").await;
    assert!(notice.text.contains("no longer the email address") && !notice.text.contains("undo-email-change"));

    visitor.post("/api/auth/forgot-password", &json!({ "username": ADA })).await.gives(200);
    let reset = eventually("the reset code", async || {
        shop.mails_to(ADA).into_iter().rfind(|mail| mail.text.contains("confirm-forgot-password"))?.code()
    })
    .await;
    let body = json!({ "username": ADA, "confirmationCode": reset, "password": "a lamp of my own again" });
    visitor.post("/api/auth/confirm-forgot-password", &body).await.gives(200);
    assert_eq!(email_of(&*shop.logged_in(ADA, "a lamp of my own again").await).await, ADA);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_works_once_for_seven_days_and_never_takes_an_address_from_another_account() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let ada = shop.new_customer(ADA).await;
    for token in ["", "nothing", &"A".repeat(43), &"é".repeat(43), &"A".repeat(10_000)] {
        assert_eq!(undo(&visitor, token).await.status, 400, "{token}");
    }
    change(&shop, &ada, ADA, NEW).await;
    let token = undo_token(&shop, ADA).await;
    // An account that an older program has created meanwhile.
    shop.tamper("UPDATE users SET email_key = 'ada@example.com' WHERE email_key = 'customer@nudgelight.example'").await;
    undo(&visitor, &token).await.refuses(409, "EmailTaken");
    assert_eq!(email_of(&ada).await, NEW, "nothing is half done");
    shop.tamper("UPDATE users SET email_key = 'customer@nudgelight.example' WHERE email_key = 'ada@example.com'").await;
    let responses = together(4, |_| {
        let (visitor, token) = (visitor.clone(), token.clone());
        async move { undo(&visitor, &token).await }
    })
    .await;
    assert_eq!(responses.iter().filter(|response| response.status == 200).count(), 1, "{responses:?}");

    let ada = {
        let login = visitor.post("/api/auth/login-code", &json!({ "username": ADA })).await.gives(200);
        let code = eventually("a login code", async || {
            shop.mails_to(ADA).into_iter().rfind(|mail| mail.text.contains("/login/code"))?.code()
        })
        .await;
        let body = json!({ "username": ADA, "code": code, "login_token": login["login_token"] });
        Person::of(&visitor, &visitor.post("/api/auth/login-with-code", &body).await.gives(200))
    };
    change(&shop, &ada, ADA, "fourth@example.com").await;
    let token = undo_token(&shop, ADA).await;
    shop.clock.advance(7 * DAY);
    undo(&visitor, &token).await.refuses(400, "CodeExpired");
    server::accounts::sweep(&shop.inside().platform.db, shop.clock.now_ms()).await.unwrap();
    assert_eq!(shop.count("SELECT COUNT(*) FROM previous_emails").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_previous_address_gets_no_other_account_while_it_can_take_its_own_back() {
    let shop = TestShop::open().await;
    let (visitor, bob) = (shop.visitor(), shop.customer().await);
    let ada = shop.new_customer(ADA).await;
    // A sign-up and a login code that were requested before the change.
    shop.signs_up("third@example.com").await;
    change(&shop, &ada, ADA, "third@example.com").await;
    change(&shop, &ada, "third@example.com", NEW).await;
    let before = shop.mails_to(ADA).len();

    // The owner, who knows nothing of the change, wants a code; then a thief who sees the mailbox signs up.
    let login = visitor.post("/api/auth/login-code", &json!({ "username": ADA })).await.gives(200);
    shop.signs_up(ADA).await;
    request(&bob, ADA).await.gives(200);
    let notices = eventually("three notices", async || {
        let mails = shop.mails_to(ADA).split_off(before);
        (mails.len() == 3).then_some(mails)
    })
    .await;
    assert!(notices.iter().all(|mail| mail.code().is_none()), "{notices:?}");
    assert!(notices.iter().filter(|mail| mail.text.contains("undo the change with the link")).count() == 2);
    let body = json!({ "username": ADA, "code": "000000", "login_token": login["login_token"] });
    visitor.post("/api/auth/login-with-code", &body).await.refuses(400, "CodeInvalid");
    assert_eq!(shop.count("SELECT COUNT(*) FROM users WHERE email_key = 'ada@example.com'").await, 0);

    // The account itself may go back, and after seven days everyone may have the address.
    change(&shop, &ada, NEW, ADA).await;
    change(&shop, &ada, ADA, NEW).await;
    shop.clock.advance(7 * DAY);
    shop.new_customer(ADA).await;
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stolen_session_neither_guesses_the_code_nor_emails_strangers_nor_locks_the_owner_out() {
    let vars = [("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")];
    let shop = TestShop::open_with(&vars).await;
    let thief = shop.customer().await;
    let (current, new) = codes(&shop, &thief.at("198.51.100.1"), CUSTOMER, NEW).await;
    for number in 0..30 {
        // The code has fifteen attempts of all clients together, five of each.
        let thief = thief.at(&format!("198.51.100.{}", number + 1));
        let response = enter(&thief, &wrong(&current), &new).await;
        assert!(matches!(response.status, 400 | 429), "{response}");
    }
    enter(&thief.at("198.51.100.99"), &current, &new).await.names(&["current_code"]);
    for number in 0..4 {
        request(&thief.at("198.51.100.1"), &format!("stranger{number}@example.com")).await.gives(200);
    }
    request(&thief.at("198.51.100.1"), "stranger4@example.com").await.refuses(429, "TooManyRequests");
    never("an email to the fifth stranger", async || shop.mails_to("stranger4@example.com").pop()).await;
    // The owner's own codes have all their attempts.
    let owner = shop.visitor().at("203.0.113.1");
    let login = owner.post("/api/auth/login-code", &json!({ "username": CUSTOMER })).await.gives(200);
    let code = eventually("a login code", async || {
        shop.mails_to(CUSTOMER).into_iter().rfind(|mail| mail.text.contains("/login/code"))?.code()
    })
    .await;
    let body = json!({ "username": CUSTOMER, "code": code, "login_token": login["login_token"] });
    owner.post("/api/auth/login-with-code", &body).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_administrator_needs_a_code_of_the_app_too() {
    let shop = production_shop().await;
    let app = grant_admin(&shop);
    let used = json!(app.code(&shop));
    let admin = Person::of(&shop.visitor(), &log_in(&shop, PASSWORD, used.clone()).await.gives(200));
    let body = |totp: Value| json!({ "email": NEW, "totp": totp });
    for totp in [Value::Null, json!("000000"), used] {
        admin.post("/api/auth/email-change", &body(totp)).await.refuses(401, "TotpRequired");
    }
    shop.clock.advance(MINUTE);
    admin.post("/api/auth/email-change", &body(json!(app.code(&shop)))).await.gives(200);
    let new = shop.code_for(NEW, &[]).await;
    let current = eventually("the code for the current address", async || {
        shop.mails_to(ADMINISTRATOR).into_iter().rfind(|mail| mail.text.contains(NEW))?.code()
    })
    .await;
    enter(&admin, &current, &new).await.gives(200);
    admin.get("/api/admin/orders").await.gives(200);

    // Undone, the right and the app stay.
    let token = undo_token(&shop, ADMINISTRATOR).await;
    undo(&shop.visitor(), &token).await.gives(200);
    assert!(!admin.is_logged_in().await);
    assert_eq!(shop.count("SELECT COUNT(*) FROM users WHERE is_admin = 1 AND totp_secret IS NOT NULL").await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_ends_meanwhile_changes_nothing() {
    let shop = TestShop::open().await;
    let (ada, other) = (shop.new_customer(ADA).await, shop.logged_in(ADA, PASSWORD).await);
    let (current, new) = codes(&shop, &ada, ADA, NEW).await;
    let body = json!({ "previousPassword": PASSWORD, "proposedPassword": "another lamp of mine" });
    other.post("/api/change-password", &body).await.gives(200);
    enter(&ada, &current, &new).await.refuses(401, "Unauthenticated");
    assert_eq!(email_of(&other).await, ADA);
}
