//! Outages of the SMTP server and the CAPTCHA service.

use std::collections::BTreeSet;

use rand::RngExt as _;
use serde_json::json;

use super::invariant::assert_status_in;
use super::run::Runs;
use crate::harness::{CUSTOMER, Form, MailServer, PASSWORD, Privacy, Reply, SiteVerify, TestShop, eventually, refused};

const PENDING: &str = "SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL";

// invariant: at-least-once-email
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_server_that_refuses_or_goes_away_loses_and_doubles_no_mail() {
    let mut server = MailServer::start(Privacy::Never).await;
    let shop = TestShop::open_with(&[("SMTP_URL", server.url().as_str())]).await;
    let stripe = shop.stripe().await;
    let light = shop.adds_light("Written About", 100_000).await;
    let mut runs = Runs::of("injected SMTP failures", 2);
    let mut bought = 0;
    while let Some(mut rng) = runs.next() {
        let buyer = shop.customer().await;
        if rng.random_bool(0.5) {
            server.goes_away();
        } else {
            server.refuses(CUSTOMER, 451, rng.random_range(1..=4));
        }
        for _ in 0..rng.random_range(1..=4) {
            buyer.buys(&stripe, &light, 1).await;
            bought += 1;
        }
        server.goes_away();
        server.comes_back().await;
        eventually("all email to be sent", async || {
            shop.clock.advance(60_000);
            (shop.count(PENDING).await == 0).then_some(())
        })
        .await;
        let mails = server.received_by(CUSTOMER);
        let ids: BTreeSet<String> = mails.iter().map(|mail| mail.mail().message_id).collect();
        assert_eq!((ids.len(), mails.len()), (bought, bought));
        shop.audit().await;
    }
}

// invariant: bot-check
// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_signs_up_past_a_bot_check_that_fails() {
    let service = SiteVerify::open().await;
    let shop = service.shop("turnstile", &[]).await;
    let mut runs = Runs::of("injected bot check failures", 8);
    while let Some(mut rng) = runs.next() {
        let passed = Form::Turnstile.passed(&shop, "signup", 1);
        let with = |member: &str, value: serde_json::Value| {
            let mut response = passed.clone();
            response[member] = value;
            Reply::Json(response)
        };
        let (reply, is_good) = match rng.random_range(0..10) {
            0 => (Reply::Text(500, String::new()), false),
            1 => (Reply::Text(200, "<html>".to_owned()), false),
            2 => (Reply::Text(200, "x".repeat(rng.random_range(0..2_000_000))), false),
            3 => (Reply::Redirect, false),
            4 => (Reply::Json(refused("timeout-or-duplicate")), false),
            5 => (with("hostname", json!("elsewhere.example")), false),
            6 => (with("action", json!("login")), false),
            7 => (Reply::Json(Form::Turnstile.passed(&shop, "signup", rng.random_range(150..9_000))), false),
            8 => (with("success", json!("true")), false),
            _ => (Reply::Json(passed.clone()), true),
        };
        service.replies(reply);
        // Lets the circuit breaker close again after the previous run.
        shop.clock.advance(60_000);
        let email = format!("ada{}@example.com", runs.seed());
        let token = format!("token-{}", runs.seed());
        let body = json!({ "email": email, "password": PASSWORD, "recaptchaToken": token });
        let response = shop.visitor().post("/api/auth/signup", &body).await;
        assert_status_in(&response, if is_good { &[201, 503] } else { &[400, 503] });
        let key = "SELECT COUNT(*) FROM signups WHERE email LIKE 'ada%'";
        let before = shop.count(key).await;
        // Tokens are single-use.
        assert_status_in(&shop.visitor().post("/api/auth/signup", &body).await, &[400, 503]);
        assert_eq!(shop.count(key).await, before);
    }
}
