//! Purchases over HTTP.

use std::thread;
use std::time::{Duration, Instant};

use xtask::process::Failure;
use xtask::shop::PASSWORD;

use crate::http::{self, HttpError, Response};

const JSON: &str = "Content-Type: application/json";
const FORM: &str = "Content-Type: application/x-www-form-urlencoded";
const ADDRESS: &str = r#"{"name":"Ada Lovelace","address":{"line1":"12 Lamp Street","city":"Brightwater","state":"CA","postal_code":"94110","country":"US"}}"#;

/// The status of a server that is too busy.
const BUSY: u16 = 503;
/// The status of a quote for more than is in stock.
const SOLD_OUT: u16 = 409;
const ENDLESS: u64 = 1_000_000;

/// A logged-in customer.
pub struct Customer {
    token: String,
    publishable: String,
}

/// The body of a quote for one light.
#[derive(Clone)]
pub struct Cart(String);

impl Cart {
    fn new(product_id: &str) -> Self {
        let items = format!(r#"[{{"product_id":"{product_id}","quantity":1}}]"#);
        Self(format!(r#"{{"currency":"usd","shippingAddress":{ADDRESS},"items":{items}}}"#))
    }
}

/// The `Authorization` header of an account with the demo accounts' password.
///
/// # Errors
/// If the account cannot log in.
pub fn logged_in(url: &str, email: &str) -> Result<String, Failure> {
    let body = format!(r#"{{"username":"{email}","password":"{PASSWORD}","recaptchaToken":""}}"#);
    let response = http::post(url, "/api/auth/login", &[JSON], &body)?;
    let token = response.text("accessToken").ok_or_else(|| Failure::new(format!("{email} cannot log in")))?;
    Ok(format!("Authorization: Bearer {token}"))
}

/// Adds lights that are never sold out, and returns a cart for each.
///
/// # Errors
/// If one is not created.
pub fn add_lights(url: &str, count: usize) -> Result<Vec<Cart>, Failure> {
    (1..=count).map(|number| add_light(url, &format!("Benchmark Light {number}"), ENDLESS)).collect()
}

/// Adds a light and returns a cart with one.
///
/// # Errors
/// If it is not created.
pub fn add_light(url: &str, name: &str, stock: u64) -> Result<Cart, Failure> {
    Ok(Cart::new(&add_product(url, name, stock)?))
}

/// Adds a light and returns its ID and a cart with one.
///
/// # Errors
/// If it is not created.
pub fn add_limited_light(url: &str, name: &str, stock: u64) -> Result<(String, Cart), Failure> {
    let id = add_product(url, name, stock)?;
    let cart = Cart::new(&id);
    Ok((id, cart))
}

fn add_product(url: &str, name: &str, stock: u64) -> Result<String, Failure> {
    let admin = logged_in(url, "admin@nudgelight.example")?;
    let light =
        format!(r#"{{"name":"{name}","description":"In stock.","price":10.00,"stock":{stock},"weight_pounds":0.5}}"#);
    let made = http::post(url, "/api/products", &[JSON, &admin], &light)?;
    made.text("id").map(str::to_owned).ok_or_else(|| Failure::new("the product was not created"))
}

impl Customer {
    /// Logs in to the shop at `url`.
    ///
    /// # Errors
    /// If the account cannot log in.
    pub fn log_in(url: &str, email: &str) -> Result<Self, Failure> {
        let config = http::get(url, "/api/config", &[])?;
        let key = config.text("publishable_key").ok_or_else(|| Failure::new("the shop has no publishable key"))?;
        Ok(Self { token: logged_in(url, email)?, publishable: format!("Authorization: Bearer {key}") })
    }

    /// Requests a quote with a payment intent.
    ///
    /// # Errors
    /// If there is no response.
    pub fn quote(&self, url: &str, Cart(cart): &Cart) -> Result<Response, HttpError> {
        http::post(url, "/api/payments/create-intent", &[JSON, &self.token], cart)
    }

    /// Pays a payment intent by card at the mock Stripe of the shop at `url`.
    ///
    /// # Errors
    /// If there is no response.
    pub fn pay(&self, url: &str, intent_id: &str, client_secret: &str) -> Result<Response, HttpError> {
        let card = format!("client_secret={client_secret}&payment_method=pm_card_visa");
        let confirm = format!("/test-stripe/v1/payment_intents/{intent_id}/confirm");
        http::post(url, &confirm, &[FORM, &self.publishable], &card)
    }

    /// Places the order of a paid intent.
    ///
    /// # Errors
    /// If there is no response.
    pub fn order(&self, url: &str, intent_id: &str) -> Result<Response, HttpError> {
        let wanted = format!(r#"{{"paymentIntentId":"{intent_id}"}}"#);
        http::post(url, "/api/orders", &[JSON, &self.token], &wanted)
    }

    /// Buys at the shop, or at a server with the same three endpoints. False if the server is too busy or the light is
    /// sold out.
    ///
    /// # Errors
    /// If a request fails for another reason.
    pub fn buys(&self, url: &str, cart: &Cart) -> Result<bool, Failure> {
        let intent = self.quote(url, cart)?;
        if matches!(intent.status, BUSY | SOLD_OUT) {
            return Ok(false);
        }
        let (Some(id), Some(secret)) = (intent.text("id"), intent.text("client_secret")) else {
            return Err(Failure::new(format!("no payment intent: status {}", intent.status)));
        };
        let paid = self.pay(url, id, secret)?;
        let order = self.order(url, id)?;
        match (paid.status, order.status) {
            (200, 200 | 201) => Ok(true),
            (BUSY, _) | (_, BUSY) => Ok(false),
            (paid, order) => Err(Failure::new(format!("a purchase failed: payment {paid}, order {order}"))),
        }
    }
}

/// Completed purchases per second. Each buyer calls `buy` with its number and that of its purchase, one after the other.
///
/// # Errors
/// If a purchase fails.
pub fn throughput(
    buyers: usize,
    time: Duration,
    buy: impl Fn(usize, usize) -> Result<bool, Failure> + Sync,
) -> Result<u64, Failure> {
    let began = Instant::now();
    let bought: Result<Vec<u64>, Failure> = thread::scope(|scope| {
        let (buy, began) = (&buy, &began);
        let buying: Vec<_> = (0..buyers)
            .map(|buyer| {
                scope.spawn(move || {
                    let (mut tried, mut bought) = (0, 0);
                    while began.elapsed() < time {
                        bought += u64::from(buy(buyer, tried)?);
                        tried += 1;
                    }
                    Ok(bought)
                })
            })
            .collect();
        let ended = buying.into_iter().map(|one| one.join());
        ended.map(|one| one.unwrap_or_else(|_| Err(Failure::new("a customer's thread panicked")))).collect()
    });
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    Ok((bought?.into_iter().sum::<u64>() * 1_000_000).checked_div(micros).unwrap_or_default())
}
