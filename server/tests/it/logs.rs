//! Logs contain no secrets and no personal data, and name the request, the payment and the order of a purchase.

use std::fs::File;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::configuration::{Process, binary};
use crate::harness::{CUSTOMER, Client, Intent, PASSWORD, Person, TestShop, eventually};

/// The shop as a process of its own with its log in a file.
struct LoggedProcess {
    process: Process,
    url: String,
    log: PathBuf,
}

impl LoggedProcess {
    async fn start(shop: &TestShop, more: &[(&str, &str)]) -> Self {
        let vars: Vec<(String, String)> = shop.vars().collect();
        let mut vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        vars.extend(more);
        let [output, log] = ["out", "log"].map(|name| shop.folder().join(name));
        let mut command = binary(shop.folder(), &vars);
        command
            .env("RUST_LOG", "info,server=trace,sqlx=warn")
            .stdout(File::create(&output).unwrap())
            .stderr(File::create(&log).unwrap());
        let process = Process(command.spawn().unwrap());
        let url = eventually("the process to listen", async || {
            let said = std::fs::read_to_string(&output).unwrap();
            said.lines().find_map(|line| line.strip_prefix("listening on ").map(str::to_owned))
        })
        .await;
        Self { process, url, log }
    }

    fn lines(&self) -> Vec<Value> {
        let log = std::fs::read_to_string(&self.log).unwrap();
        // The process may be in the middle of its last line.
        log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    fn stop_and_read_log(self) -> String {
        drop(self.process);
        std::fs::read_to_string(self.log).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purchase_can_be_followed_from_the_proxys_request_to_the_email() {
    let mut shop = TestShop::open().await;
    let (stripe, light) = (shop.stripe().await, shop.light("Nudgelight One").await);
    shop.close().await;
    let process = LoggedProcess::start(&shop, &[("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let proxy = Client::new(&process.url);
    let log_in = json!({ "username": CUSTOMER, "password": PASSWORD, "recaptchaToken": "" });
    let ada = Person::of(&proxy, &proxy.post("/api/auth/login", &log_in).await.gives(200));
    let intent = Intent::of(ada.asks_to_pay(&Person::cart(&[(&light, 1)])).await.gives(200));
    stripe.at(&proxy).takes(&intent, "pm_card_visa").await;
    let request = ada.request("POST", "/api/orders").header("x-request-id", "proxy-7");
    let response = ada.send(request.json(&json!({ "paymentIntentId": intent.id }))).await;
    assert_eq!(response.header("x-request-id"), Some("proxy-7"));
    // 200 if the webhook has created it.
    assert!([200, 201].contains(&response.status), "{response}");
    let order = response.json()["orderId"].clone();

    let answered = eventually("the line of the request", async || {
        process.lines().into_iter().find(|line| line["message"] == "response" && line["span"]["id"] == "proxy-7")
    })
    .await;
    assert_eq!((&answered["span"]["order"], &answered["span"]["payment"]), (&order, &json!(intent.id)));
    for (message, member, value) in
        [("order created", "payment", intent.id.as_str()), ("email sent", "kind", "receipt")]
    {
        let line = eventually(message, async || {
            process.lines().into_iter().find(|line| line["message"] == message && line["order"] == order)
        })
        .await;
        assert_eq!(line[member], value, "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_filter_that_is_invalid_stops_the_start() {
    let shop = TestShop::open().await;
    let output = binary(shop.folder(), &[]).env("RUST_LOG", "server=loud").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.starts_with("error: RUST_LOG is invalid: "), "{said}");
}

// invariant: log-redaction
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purchase_and_its_mishaps_leave_no_secret_in_the_log() {
    let mut shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let light = shop.light("Nudgelight One").await;
    let secrets = [shop.webhook_secret().to_owned(), stripe.secret_key().to_owned()];
    shop.close().await;

    let process = LoggedProcess::start(&shop, &[]).await;
    let visitor = Client::new(&process.url);
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
    let log = process.stop_and_read_log();
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
