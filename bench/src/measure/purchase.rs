//! Purchases over HTTP.

use std::thread;
use std::time::{Duration, Instant};

use crate::databases::Served;
use crate::http;
use xtask::process::Failure;

const JSON: &str = "Content-Type: application/json";
const FORM: &str = "Content-Type: application/x-www-form-urlencoded";
const ADDRESS: &str = r#"{"name":"Ada Lovelace","address":{"line1":"12 Lamp Street","city":"Brightwater","state":"CA","postal_code":"94110","country":"US"}}"#;

/// A logged-in customer with a full cart.
pub struct Customer {
    token: String,
    publishable: String,
    cart: String,
}

impl Customer {
    pub fn of(served: &Served) -> Result<Self, Failure> {
        let url = &served.shop.url;
        let admin = served.logged_in("admin@nudgelight.example")?;
        let light =
            r#"{"name":"Benchmark Light","description":"In stock.","price":10.00,"stock":1000000,"weight_pounds":0.5}"#;
        let made = http::post(url, "/api/products", &[JSON, &admin], light)?;
        let id = made.text("id").ok_or_else(|| Failure::new("the product was not created"))?;
        let config = http::get(url, "/api/config", &[])?;
        let key = config.text("publishable_key").ok_or_else(|| Failure::new("the shop has no publishable key"))?;
        let items = format!(r#"[{{"product_id":"{id}","quantity":1}}]"#);
        Ok(Self {
            token: served.logged_in("customer@nudgelight.example")?,
            publishable: format!("Authorization: Bearer {key}"),
            cart: format!(r#"{{"currency":"usd","shippingAddress":{ADDRESS},"items":{items}}}"#),
        })
    }

    /// Buys at the shop, or at a server with the same three endpoints.
    pub fn buys(&self, url: &str) -> Result<(), Failure> {
        let intent = http::post(url, "/api/payments/create-intent", &[JSON, &self.token], &self.cart)?;
        let (Some(id), Some(secret)) = (intent.text("id"), intent.text("client_secret")) else {
            return Err(Failure::new(format!("no payment intent: status {}", intent.status)));
        };
        let card = format!("client_secret={secret}&payment_method=pm_card_visa");
        let confirm = format!("/test-stripe/v1/payment_intents/{id}/confirm");
        let paid = http::post(url, &confirm, &[FORM, &self.publishable], &card)?;
        let wanted = format!(r#"{{"paymentIntentId":"{id}"}}"#);
        let order = http::post(url, "/api/orders", &[JSON, &self.token], &wanted)?;
        match (paid.status, order.status) {
            (200, 200 | 201) => Ok(()),
            (paid, order) => Err(Failure::new(format!("a purchase failed: payment {paid}, order {order}"))),
        }
    }

    /// Purchases per second with this many concurrent customers.
    pub fn throughput(&self, url: &str, customers: usize, time: Duration) -> Result<u64, Failure> {
        let began = Instant::now();
        let bought: Result<Vec<u64>, Failure> = thread::scope(|scope| {
            let buying: Vec<_> = (0..customers)
                .map(|_| {
                    scope.spawn(|| {
                        let mut bought = 0;
                        while began.elapsed() < time {
                            self.buys(url)?;
                            bought += 1;
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
}
