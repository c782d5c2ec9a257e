//! Parser fuzzing: any input is parsed or rejected, without a panic.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use serde_json::json;
use server::config::Config;
use wasm_core::money::Cents;
use wasm_core::orders::OrderPatch;
use wasm_core::schedule::{self, TimeZone};
use wasm_core::validation::{Address, Email};

use super::run::Runs;

/// Valid inputs to mutate, and inputs that are known to break parsers.
const SEEDS: [&str; 10] = [
    "wifi = Home\npassword = x\ntimezone = America/Toronto\non 07:00-07:30 mon-fri\nblink every 30m 09:00-17:00 for 10s",
    "t=1700000000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
    "Bearer eyJhbGciOiJFZERTQSIsImtpZCI6IngifQ.eyJzdWIiOiJ4In0.c2ln",
    "[shipping.us]\nfirst_pound = \"4.95\"\nadditional_pound = \"1.25\"\n[shipping.ca]\nfirst_pound = \"11.95\"\n",
    "postgres://user:pass@[::1]:5432/shop?sslmode=verify-full",
    "smtps://user:p%40ss@mail.example:465?ca=/x.pem&tls=required",
    "24.99",
    "\u{feff}=cmd|' /C calc'!A0,\"x\"\"y\"\r\n",
    "Ada O'Neill <ada@example.com>",
    "{\"a\":[1,2.5,-0,\"\\u0000\\ud83d\",null,{\"b\":1e999}],\"a\":true}",
];

/// Random bytes, or a seed with a few mutations.
pub fn bytes(rng: &mut StdRng) -> Vec<u8> {
    if rng.random_bool(0.2) {
        return (0..rng.random_range(0..200)).map(|_| rng.random()).collect();
    }
    let mut text = SEEDS.choose(rng).unwrap().as_bytes().to_vec();
    for _ in 0..rng.random_range(1..8) {
        let at = rng.random_range(0..=text.len());
        let piece: &[&[u8]] =
            &[b"\0", b"\xff", b"\r\n", b"\"", b"=", b",", b"9999999999999999999999", b"-", b"\xf0\x9f", b"."];
        match rng.random_range(0..4) {
            0 => _ = text.drain(at..(at + rng.random_range(0..6)).min(text.len())),
            1 => text.splice(at..at, piece.choose(rng).unwrap().iter().copied()).for_each(drop),
            2 if at < text.len() => text[at] = rng.random(),
            _ => text.extend_from_within(at..),
        }
    }
    text
}

pub fn text(rng: &mut StdRng) -> String {
    String::from_utf8_lossy(&bytes(rng)).into_owned()
}

// invariant: no-parser-panics
#[test]
fn a_schedule_of_any_bytes_is_read_and_shown_at_every_moment() {
    let mut runs = Runs::of("fuzzed schedules", 2_000);
    while let Some(mut rng) = runs.next() {
        let file = bytes(&mut rng);
        let mut faults = 0;
        let schedule = schedule::parse(&file, &mut |_| faults += 1);
        // The written form of a schedule must parse without changes.
        let written = schedule.to_string();
        let again = schedule::parse(&written, &mut |_| ());
        assert_eq!(again.to_string(), written, "{file:?}");
        let _ = TimeZone::parse(&text(&mut rng));
    }
}

// invariant: no-parser-panics
#[test]
fn texts_of_any_bytes_are_values_or_refusals() {
    let mut runs = Runs::of("fuzzed addresses, emails, amounts and order edits", 2_000);
    while let Some(mut rng) = runs.next() {
        let (one, other) = (text(&mut rng), text(&mut rng));
        let _ = Cents::parse(&one);
        if let Ok(email) = Email::parse(&one) {
            assert_eq!(Email::parse(email.as_str()).unwrap().as_str(), email.as_str());
        }
        let address = json!({ "name": one, "address": {
            "line1": other, "city": one, "state": other, "postal_code": one, "country": "US",
        } });
        if let Ok(address) = serde_json::from_value::<Address>(address).unwrap().validated() {
            assert_eq!(address.clone().validated().unwrap(), address, "normalizing twice changed the address");
        }
        if let Ok(patch) = serde_json::from_str::<OrderPatch>(&one) {
            let _ = patch.validated();
        }
    }
}

// invariant: no-parser-panics
#[test]
fn settings_of_any_bytes_are_taken_or_refused_in_a_sentence() {
    const NAMES: [&str; 10] = [
        "SHOP_ADDR",
        "DATABASE_URL",
        "SHOP_PUBLIC_URL",
        "SMTP_URL",
        "STRIPE_SECRET_KEY",
        "STRIPE_WEBHOOK_SECRET",
        "STRIPE_API_BASE",
        "SHOP_TRUSTED_PROXIES",
        "SHOP_RESERVATION_SECONDS",
        "BOT_CHECK_VERIFY_URL",
    ];
    let mut runs = Runs::of("fuzzed settings", 2_000);
    while let Some(mut rng) = runs.next() {
        let vars = (0..3).map(|_| ((*NAMES.choose(&mut rng).unwrap()).to_owned(), text(&mut rng)));
        if let Err(message) = Config::from_vars(vars) {
            assert!(!message.is_empty() && !message.contains("panicked"));
        }
        let _ = server::config::ShopToml::parse(&text(&mut rng));
    }
}
