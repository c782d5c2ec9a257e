//! The load: four shoppers who buy one light each in a loop, and a visitor who reads the catalog. Both go on after each
//! failure.

use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use bench::http::{self, Response};
use bench::purchase::{Cart, Customer, add_lights as add_endless_lights, add_limited_light};
use xtask::process::Failure;

use crate::journal::Journal;
use crate::setup::Setup;
use crate::wait;

const CUSTOMER: &str = "customer@nudgelight.example";
/// Shoppers of lights that never sell out.
const ENDLESS: usize = 2;
/// Shoppers who compete for a limited light.
const COMPETING: usize = 2;
const BETWEEN_PURCHASES: Duration = Duration::from_millis(400);
const AFTER_FAILURE: Duration = Duration::from_millis(300);
/// How long a shopper repeats the request for the order of a payment.
const ORDER_TIMEOUT: Duration = Duration::from_secs(120);
const BETWEEN_VISITS: Duration = Duration::from_millis(100);
/// Before an access token expires.
const LOGIN_EVERY: Duration = Duration::from_secs(600);
const VISITED: [&str; 3] = ["/api/products", "/", "/products/benchmark-light-1"];
const TIMEOUT: Duration = Duration::from_secs(30);

pub struct Lights {
    carts: Vec<Cart>,
    /// The id of the limited light.
    pub limited: String,
    /// The units of the limited light.
    pub units: u64,
}

/// Adds the lights. HAProxy may need a second to find the shops.
pub fn add_lights(setup: &Setup, units: u64) -> Result<Lights, Failure> {
    wait::until_true("the shop behind HAProxy", TIMEOUT, || {
        http::get(&setup.url, "/api/products", &[]).is_ok_and(|response| response.status == 200)
    })?;
    let mut carts = add_endless_lights(&setup.url, ENDLESS)?;
    let (limited, cart) = add_limited_light(&setup.url, "Limited Light", units)?;
    carts.extend(vec![cart; COMPETING]);
    Ok(Lights { carts, limited, units })
}

/// Starts the shoppers and the visitor, until the journal stops them.
pub fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    setup: &'scope Setup,
    journal: &'scope Journal,
    lights: &'scope Lights,
) {
    for cart in &lights.carts {
        scope.spawn(move || shop(&Shopper { setup, journal, cart }));
    }
    scope.spawn(move || visit(setup, journal));
}

fn visit(setup: &Setup, journal: &Journal) {
    for path in VISITED.into_iter().cycle().take_while(|_| !journal.is_stopped()) {
        journal.unless_paused(|| journal.record_catalog_request(path, http::get(&setup.url, path, &[])));
        thread::sleep(BETWEEN_VISITS);
    }
}

struct Shopper<'a> {
    setup: &'a Setup,
    journal: &'a Journal,
    cart: &'a Cart,
}

fn shop(shopper: &Shopper) {
    let Shopper { setup, journal, .. } = shopper;
    while !journal.is_stopped() {
        let mut customer = None;
        journal.unless_paused(|| customer = Customer::log_in(&setup.url, CUSTOMER).ok());
        match customer {
            Some(customer) => shopper.buys_for_a_while(&customer),
            None => thread::sleep(AFTER_FAILURE),
        }
    }
}

impl Shopper<'_> {
    /// Buys until the access token may expire.
    fn buys_for_a_while(&self, customer: &Customer) {
        let began = Instant::now();
        while began.elapsed() < LOGIN_EVERY && !self.journal.is_stopped() {
            let mut is_bought = false;
            self.journal.unless_paused(|| is_bought = self.buys(customer).is_some());
            thread::sleep(if is_bought { BETWEEN_PURCHASES } else { AFTER_FAILURE });
        }
    }

    /// One purchase. None if it fails.
    fn buys(&self, customer: &Customer) -> Option<()> {
        let quote = self.journal.record_request("quote", customer.quote(&self.setup.url, self.cart))?;
        let (id, secret) = (quote.text("id")?, quote.text("client_secret")?);
        // A payment whose response was lost is confirmed twice: the order decides.
        self.journal.record_request("payment", customer.pay(&self.setup.provider.url, id, secret))?;
        self.orders(customer, id)?;
        self.journal.record_purchase(id);
        Some(())
    }

    /// Repeats the request for the order of a payment until it is acknowledged, as the browser does.
    fn orders(&self, customer: &Customer, id: &str) -> Option<Response> {
        let began = Instant::now();
        while began.elapsed() < ORDER_TIMEOUT {
            let response = self.journal.record_request("order", customer.order(&self.setup.url, id));
            match response.as_ref().map(|response| response.status) {
                Some(200 | 201) => return response,
                Some(400..=499) => return None,
                _ => thread::sleep(AFTER_FAILURE),
            }
        }
        None
    }
}
