//! What a whole purchase costs: quote, intent, card, order, with the test-mode Stripe, its webhooks and the receipt.

use std::fs;
use std::thread;
use std::time::Duration;

use super::databases::{Database, Served};
use super::row::{Figure, Row, Target};
use super::{Bench, Measurement, http};
use crate::process::Failure;

pub const MEASUREMENT: Measurement = Measurement {
    name: "orders",
    title: "Orders",
    how: "Purchases one after the other over HTTP, with everything written for good; told is the processor time that the \
        server, the test-mode Stripe inside it and the database take for one, what happens afterwards included.",
    run,
};

const WARM_UP: u64 = 20;
const PURCHASES: u64 = 200;
/// Until the webhooks, the mails and the records of taxes of the last purchase are done.
const AFTERWARDS: Duration = Duration::from_secs(8);
/// The kernel counts processor time in hundredths of a second.
const TICK: u64 = 10_000;

const JSON: &str = "Content-Type: application/json";
const FORM: &str = "Content-Type: application/x-www-form-urlencoded";
const ADDRESS: &str = r#"{"name":"Ada Lovelace","address":{"line1":"12 Lamp Street","city":"Brightwater","state":"CA","postal_code":"94110","country":"US"}}"#;

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for database in Database::all()? {
        let served = database.shop(bench, "orders", &["--orders", "1"])?;
        let customer = Customer::of(&served)?;
        for _ in 0..WARM_UP {
            customer.buys()?;
        }
        thread::sleep(AFTERWARDS);
        let before = processor_time(&served)?;
        for _ in 0..PURCHASES {
            customer.buys()?;
        }
        thread::sleep(AFTERWARDS);
        let each = (processor_time(&served)? - before) / PURCHASES;
        let most = Target::NoMoreThan(Figure::Microseconds(3_000));
        rows.push(Row::alone(
            format!("{}: processor time of a purchase", database.name),
            Figure::Microseconds(each),
            most,
        ));
    }
    Ok(rows)
}

struct Customer<'a> {
    served: &'a Served,
    token: String,
    publishable: String,
    cart: String,
}

impl<'a> Customer<'a> {
    fn of(served: &'a Served) -> Result<Self, Failure> {
        let url = &served.shop.url;
        let admin = served.logged_in("admin@nudgelight.example")?;
        let light = r#"{"name":"A light for many","description":"It never runs out.","price":10.00,"stock":1000000,"weight_pounds":0.5}"#;
        let made = http::post(url, "/api/products", &[JSON, &admin], light)?;
        let id = made.text("id").ok_or_else(|| Failure::new("no light to sell"))?;
        let items = format!(r#"[{{"product_id":"{id}","quantity":1}}]"#);
        let stripe = served.shop.test_stripe()?;
        Ok(Self {
            served,
            token: served.logged_in("customer@nudgelight.example")?,
            publishable: format!("Authorization: Bearer {}", stripe.publishable_key),
            cart: format!(r#"{{"currency":"usd","shippingAddress":{ADDRESS},"items":{items}}}"#),
        })
    }

    fn buys(&self) -> Result<(), Failure> {
        let url = &self.served.shop.url;
        let intent = http::post(url, "/api/payments/create-intent", &[JSON, &self.token], &self.cart)?;
        let (Some(id), Some(secret)) = (intent.text("id"), intent.text("client_secret")) else {
            return Err(Failure::new(format!("no intent, but {}", intent.status)));
        };
        let card = format!("client_secret={secret}&payment_method=pm_card_visa");
        let confirm = format!("/test-stripe/v1/payment_intents/{id}/confirm");
        let paid = http::post(url, &confirm, &[FORM, &self.publishable], &card)?;
        let wanted = format!(r#"{{"paymentIntentId":"{id}"}}"#);
        let order = http::post(url, "/api/orders", &[JSON, &self.token], &wanted)?;
        match (paid.status, order.status) {
            (200, 200 | 201) => Ok(()),
            (paid, order) => Err(Failure::new(format!("a purchase was answered with {paid} and {order}"))),
        }
    }
}

/// Of the server and of the database, in microseconds since they began.
fn processor_time(served: &Served) -> Result<u64, Failure> {
    let own = Times::of(served.shop.process()).ok_or_else(|| Failure::new("the kernel tells no processor time"))?;
    let Some(postmaster) = served.postmaster else {
        return Ok(own.spent * TICK);
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let all = processes.filter_map(|entry| Times::of(entry.file_name().to_str()?.parse().ok()?));
    let database: u64 = all.filter(|times| times.parent == postmaster).map(|times| times.spent).sum();
    let ended = Times::of(postmaster).map_or(0, |times| times.spent + times.spent_by_ended_children);
    Ok((own.spent + database + ended) * TICK)
}

struct Times {
    parent: u32,
    spent: u64,
    spent_by_ended_children: u64,
}

impl Times {
    fn of(process: u32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name in parentheses may hold anything.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            spent: number(11)? + number(12)?,
            spent_by_ended_children: number(13)? + number(14)?,
        })
    }
}
