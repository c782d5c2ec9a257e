//! Logs contain no secrets and no personal data.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::configuration::{Process, binary};
use crate::harness::{CUSTOMER, Client, Intent, PASSWORD, Person, TestShop, eventually};

// invariant: log-redaction
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purchase_and_its_mishaps_leave_no_secret_in_the_log() {
    let mut shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let light = shop.light("Nudgelight One").await;
    let secrets = [shop.webhook_secret().to_owned(), stripe.secret_key().to_owned()];
    shop.close().await;

    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let files = ["out", "log"].map(|name| shop.folder().join(name));
    let mut command = binary(shop.folder(), &vars);
    command
        .env("RUST_LOG", "info,server=trace,sqlx=warn,async_stripe=warn,stripe_webhook=off")
        .stdout(std::fs::File::create(&files[0]).unwrap());
    let child = command.stderr(Stdio::from(std::fs::File::create(&files[1]).unwrap())).spawn().unwrap();
    let process = Process(child);
    let url = eventually("the process to listen", async || {
        let said = std::fs::read_to_string(&files[0]).unwrap();
        said.lines().find_map(|line| line.strip_prefix("listening on ").map(str::to_owned))
    })
    .await;

    let visitor = Client::new(&url);
    let log_in = |password: &str| json!({ "username": CUSTOMER, "password": password, "recaptchaToken": "" });
    visitor.post("/api/auth/login", &log_in("not their password")).await.refuses(401, "BadCredentials");
    let tokens = visitor.post("/api/auth/login", &log_in(PASSWORD)).await.gives(200);
    let ada = Person::of(&visitor, &tokens);
    let intent = Intent::of(ada.asks_to_pay(&Person::cart(&[(&light, 1)])).await.gives(200));
    stripe.at(&visitor).takes(&intent, "pm_card_visa").await;
    ada.asks_for_order(&intent.id).await;
    ada.get("/api/admin/orders").await.refuses(403, "Forbidden");
    let code = json!({ "username": CUSTOMER, "confirmationCode": "135790", "password": "another password" });
    visitor.post("/api/auth/forgot-password", &json!({ "username": CUSTOMER })).await.gives(200);
    visitor.post("/api/auth/confirm-forgot-password", &code).await.refuses(400, "CodeInvalid");
    visitor.send_json("POST", "/api/auth/login", "{\"password\": \"half a body").await.refuses(400, "InvalidJson");
    let renewed = ada.post("/api/auth/refresh-token", &json!({ "refreshToken": ada.refresh_token })).await.gives(200);
    let mailed = shop.code_for(CUSTOMER, &[]).await;
    drop(process);

    let log = std::fs::read_to_string(&files[1]).unwrap();
    assert!(log.lines().count() > 5, "{log}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let forbidden = [
        PASSWORD.to_owned(),
        "not their password".to_owned(),
        "another password".to_owned(),
        "half a body".to_owned(),
        "135790".to_owned(),
        mailed,
        text(&tokens["accessToken"]),
        text(&tokens["refreshToken"]),
        text(&renewed["refreshToken"]),
        intent.client_secret.clone(),
        "12 Lamp Street".to_owned(),
        CUSTOMER.to_owned(),
    ];
    for secret in forbidden.iter().chain(&secrets) {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(secret.as_str())).collect();
        assert!(lines.is_empty(), "{secret} is in {lines:#?}");
    }
}
