//! The payment provider: the mock Stripe of another shop, on a SQLite file of its own. Payments survive every fault of
//! the database, as at Stripe.

use std::fs;
use std::path::Path;
use std::time::Duration;

use bench::http;
use serde_json::Value;
use xtask::process::Failure;

use crate::daemon::Daemon;
use crate::template::loopback;
use crate::wait;

const TIMEOUT: Duration = Duration::from_secs(60);
const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

pub struct Provider {
    pub url: String,
    pub secret_key: String,
    pub publishable_key: String,
}

/// A payment that succeeded.
pub struct Payment {
    pub id: String,
    pub is_refunded: bool,
}

impl Provider {
    pub fn start(server: &Path, scratch: &Path, port: u16) -> Result<Self, Failure> {
        let mut shop = Daemon::new(&scratch.join("stripe"), server, None)?;
        let data = shop.folder.display().to_string();
        let settings = [("SHOP_ADDR", loopback(port)), ("SHOP_DATA_DIR", data), ("SHOP_DEMO", "1".to_owned())];
        shop.variables = settings.map(|(name, value)| (name.to_owned(), value)).to_vec();
        shop.variables.push(("SHOP_RATE_LIMITS".to_owned(), "off".to_owned()));
        shop.start()?;
        let (secret_key, publishable_key) = wait::until("the mock Stripe", TIMEOUT, || {
            let log = fs::read_to_string(shop.log()).ok()?;
            Some((key(&log, "sk_test_")?, key(&log, "pk_test_")?))
        })?;
        Ok(Self { url: format!("http://{}", loopback(port)), secret_key, publishable_key })
    }

    /// Sends events to the shop at `url` from now on. Returns the signing secret.
    pub fn add_webhook(&self, url: &str) -> Result<String, Failure> {
        let form = format!("url={url}/api/webhooks/stripe&enabled_events[]=*");
        let response =
            http::post(&self.url, "/test-stripe/v1/webhook_endpoints", &[FORM, &self.authorization()], &form)?;
        response.text("secret").map(str::to_owned).ok_or_else(|| Failure::new("the webhook endpoint was not created"))
    }

    /// All payments that succeeded.
    pub fn payments(&self) -> Result<Vec<Payment>, Failure> {
        let (mut payments, mut after) = (Vec::new(), String::new());
        loop {
            let path = format!("/test-stripe/v1/payment_intents?limit=100&expand[]=data.latest_charge{after}");
            let page: Value = serde_json::from_slice(&http::get(&self.url, &path, &[&self.authorization()])?.body)?;
            let intents = page["data"].as_array().ok_or_else(|| Failure::new(format!("not a list: {page}")))?;
            payments.extend(intents.iter().filter_map(payment));
            match intents.last().and_then(|last| last["id"].as_str()).filter(|_| page["has_more"] == true) {
                Some(last) => after = format!("&starting_after={last}"),
                None => return Ok(payments),
            }
        }
    }

    fn authorization(&self) -> String {
        format!("Authorization: Bearer {}", self.secret_key)
    }
}

fn payment(intent: &Value) -> Option<Payment> {
    let is_refunded = intent["latest_charge"]["refunded"] == true;
    (intent["status"] == "succeeded").then_some(Payment { id: intent["id"].as_str()?.to_owned(), is_refunded })
}

/// The word in the log that begins with `prefix`.
fn key(log: &str, prefix: &str) -> Option<String> {
    let complete = log.rsplit_once('\n')?.0;
    complete.split_whitespace().find(|word| word.starts_with(prefix)).map(str::to_owned)
}
