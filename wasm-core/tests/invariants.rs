//! Property tests: invariants of carts, quotes and taxes.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use proptest::prelude::*;
use wasm_core::cart::{Cart, CartError};
use wasm_core::catalog::{Product, slug};
use wasm_core::money::Cents;
use wasm_core::pricing::{PricedLine, ShippingRates, quote, shipping_cost, table_tax};
use wasm_core::validation::{Country, MAX_LINES, parse_quantity, states};
use wasm_core::weight::Weight;

fn any_product() -> impl Strategy<Value = Product> {
    (0..60_u32, 1..10_000_000_i64, 0..200_i64, 0..200_i64, 1..15_000_i64).prop_map(
        |(number, price, stock, available, weight)| {
            let name = format!("Light {number}");
            Product {
                id: format!("p{number}"),
                slug: slug(&name),
                image: format!("/images/{}.svg", slug(&name)),
                name,
                description: "A light.".into(),
                price: Cents::from_cents(price),
                stock: stock.max(available),
                available,
                weight_pounds: Weight::from_hundredths(weight),
                active: true,
                ..Product::default()
            }
        },
    )
}

/// Cart after random additions; rejected ones are skipped.
fn any_cart() -> impl Strategy<Value = Cart> {
    prop::collection::vec((any_product(), 1..=99_i64), 0..80).prop_map(|wishes| {
        wishes.iter().fold(Cart::default(), |cart, (product, quantity)| {
            cart.add(product, parse_quantity(*quantity).unwrap()).unwrap_or(cart)
        })
    })
}

fn any_lines() -> impl Strategy<Value = Vec<PricedLine>> {
    let line = (0..10_000_000_i64, 0..15_000_i64, 1..=99_i64).prop_map(|(price, weight, quantity)| PricedLine {
        price: Cents::from_cents(price),
        weight: Weight::from_hundredths(weight),
        quantity,
    });
    prop::collection::vec(line, 1..=MAX_LINES)
}

fn any_country() -> impl Strategy<Value = Country> {
    prop::sample::select(Country::ALL.to_vec())
}

fn read_back(cart: &Cart) -> Cart {
    Cart::from_storage(&serde_json::to_string(cart).unwrap())
}

proptest! {
    // A failure prints its case, so no file of failures is needed.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_count_is_the_sum_of_quantities(cart in any_cart()) {
        prop_assert_eq!(cart.count(), cart.lines().iter().map(|line| line.quantity).sum::<i64>());
    }

    #[test]
    fn the_subtotal_is_the_sum_of_the_lines(cart in any_cart()) {
        let sum: i64 = cart.lines().iter().map(|line| line.total().unwrap().cents()).sum();
        prop_assert_eq!(cart.subtotal().unwrap().cents(), sum);
    }

    #[test]
    fn a_cart_keeps_its_bounds(cart in any_cart()) {
        prop_assert!(cart.lines().len() <= MAX_LINES);
        prop_assert!(cart.lines().iter().all(|line| (1..=99).contains(&line.quantity)));
        prop_assert!(cart.lines().iter().all(|line| line.quantity <= line.available));
        let mut ids: Vec<&str> = cart.lines().iter().map(|line| line.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), cart.lines().len());
    }

    #[test]
    fn adding_twice_is_adding_the_sum(cart in any_cart(), product in any_product(), first in 1..=49_i64, second in 1..=49_i64) {
        let (one, other) = (parse_quantity(first).unwrap(), parse_quantity(second).unwrap());
        let both = parse_quantity(first + second).unwrap();
        let stepwise = cart.add(&product, one).and_then(|cart| cart.add(&product, other));
        // The errors can differ: two steps can hit another limit first.
        prop_assert_eq!(stepwise.ok(), cart.add(&product, both).ok());
    }

    #[test]
    fn adding_changes_the_count_by_the_quantity_or_not_at_all(cart in any_cart(), product in any_product(), quantity in 1..=99_i64) {
        match cart.add(&product, parse_quantity(quantity).unwrap()) {
            Ok(more) => prop_assert_eq!(more.count(), cart.count() + quantity),
            Err(CartError::NotEnoughStock) => {
                let held = cart.lines().iter().find(|line| line.id == product.id).map_or(0, |line| line.quantity);
                prop_assert!(held + quantity > product.available);
            }
            Err(CartError::TooManyOfOne) => prop_assert!(product.available > 99),
            Err(CartError::TooManyLines) => prop_assert_eq!(cart.lines().len(), MAX_LINES),
        }
    }

    #[test]
    fn removing_what_was_added_gives_the_cart_back(cart in any_cart(), product in any_product()) {
        let without = cart.remove(&product.id);
        if let Ok(added) = without.add(&product, parse_quantity(1).unwrap()) {
            prop_assert_eq!(added.remove(&product.id), without);
        }
    }

    #[test]
    fn a_stored_cart_is_read_back_as_it_was(cart in any_cart()) {
        prop_assert_eq!(read_back(&cart), cart);
    }

    // invariant: no-parser-panics
    #[test]
    fn whatever_is_stored_gives_a_cart_within_bounds(stored in ".{0,200}") {
        prop_assert!(Cart::from_storage(&stored).lines().len() <= MAX_LINES);
    }

    #[test]
    fn refreshing_keeps_every_line_and_quantity(cart in any_cart(), catalog in prop::collection::vec(any_product(), 0..30)) {
        let refreshed = cart.refreshed(&catalog);
        let kept = |cart: &Cart| cart.lines().iter().map(|line| (line.id.clone(), line.quantity)).collect::<Vec<_>>();
        prop_assert_eq!(kept(&refreshed), kept(&cart));
        prop_assert_eq!(refreshed.refreshed(&catalog), refreshed);
    }

    // invariant: integer-cents
    #[test]
    fn the_total_is_the_sum_of_its_parts(lines in any_lines(), country in any_country(), tax in 0..1_000_000_i64) {
        let quote = quote(&lines, country, &ShippingRates::default(), Cents::from_cents(tax)).unwrap();
        let goods: i64 = lines.iter().map(|line| line.price.cents() * line.quantity).sum();
        prop_assert_eq!(quote.subtotal.cents(), goods);
        prop_assert_eq!(quote.tax.cents(), tax);
        prop_assert_eq!(quote.total.cents(), quote.subtotal.cents() + quote.shipping.cents() + quote.tax.cents());
    }

    // invariant: integer-cents
    #[test]
    fn a_quote_never_depends_on_the_order_of_lines(
        (lines, shuffled) in any_lines().prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle())),
        country in any_country(),
    ) {
        let rates = ShippingRates::default();
        prop_assert_eq!(quote(&lines, country, &rates, Cents::ZERO), quote(&shuffled, country, &rates, Cents::ZERO));
    }

    // invariant: integer-cents
    #[test]
    fn a_line_may_be_split_without_changing_the_quote(price in 0..10_000_000_i64, weight in 0..15_000_i64, first in 1..=49_i64, second in 1..=49_i64) {
        let line = |quantity| PricedLine { price: Cents::from_cents(price), weight: Weight::from_hundredths(weight), quantity };
        let rates = ShippingRates::default();
        let whole = quote(&[line(first + second)], Country::Us, &rates, Cents::ZERO);
        prop_assert_eq!(quote(&[line(first), line(second)], Country::Us, &rates, Cents::ZERO), whole);
    }

    #[test]
    fn a_heavier_parcel_is_never_cheaper(weight in 1..1_000_000_i64, more in 0..1_000_000_i64, country in any_country()) {
        let cost = |weight| shipping_cost(Weight::from_hundredths(weight), country, &ShippingRates::default()).unwrap();
        prop_assert!(cost(weight) <= cost(weight + more));
        prop_assert_eq!(cost(weight + 100).cents() - cost(weight).cents(), if country == Country::Us { 125 } else { 250 });
    }

    // invariant: integer-cents
    #[test]
    fn a_quote_of_anything_is_an_answer_and_no_panic(
        price in any::<i64>(), weight in any::<i64>(), quantity in any::<i64>(), tax in any::<i64>(), country in any_country(),
    ) {
        let line = PricedLine { price: Cents::from_cents(price), weight: Weight::from_hundredths(weight), quantity };
        if let Ok(quote) = quote(&[line, line], country, &ShippingRates::default(), Cents::from_cents(tax)) {
            let exact = i128::from(price) * i128::from(quantity) * 2 + i128::from(quote.shipping.cents()) + i128::from(tax);
            prop_assert_eq!(i128::from(quote.total.cents()), exact);
        }
    }

    // invariant: integer-cents
    #[test]
    fn a_table_tax_is_within_half_a_cent_of_its_rate(goods in 0..100_000_000_i64, shipping in 0..1_000_000_i64, country in any_country(), pick in any::<prop::sample::Index>()) {
        let (state, _) = pick.get(states(country));
        let taxes = table_tax(country, state, Cents::from_cents(goods), Cents::from_cents(shipping)).unwrap();
        prop_assert!(!taxes.is_empty());
        for tax in taxes {
            let rate = thousandths(&tax.tax_rate_details.percentage_decimal);
            let distances = [goods, goods + shipping].map(|base| i128::from(tax.amount) * 100_000 - i128::from(base) * rate);
            // Half up: at most half a cent above, less than half a cent below.
            prop_assert!(distances.iter().any(|distance| (-49_999..=50_000).contains(distance)), "{tax:?}");
        }
    }

    // invariant: integer-cents
    #[test]
    fn money_reads_back_what_it_writes(cents in any::<i64>()) {
        let amount = Cents::from_cents(cents);
        prop_assert_eq!(Cents::parse(&amount.decimal()), Ok(amount));
        prop_assert_eq!(serde_json::from_str::<Cents>(&serde_json::to_string(&amount).unwrap()).unwrap(), amount);
        prop_assert_eq!(Cents::parse(&amount.to_string().replace(['$', ','], "")), Ok(amount));
    }

    // invariant: no-parser-panics
    #[test]
    fn no_text_makes_reading_money_panic(text in ".{0,30}") {
        if let Ok(amount) = Cents::parse(&text) {
            prop_assert_eq!(Cents::parse(&amount.decimal()), Ok(amount));
        }
    }

    #[test]
    fn a_weight_reads_back_what_it_writes(hundredths in any::<i64>()) {
        let weight = Weight::from_hundredths(hundredths);
        prop_assert_eq!(serde_json::from_str::<Weight>(&serde_json::to_string(&weight).unwrap()).unwrap(), weight);
    }

    #[test]
    fn a_slug_is_plain_and_stays_itself(name in ".{0,80}") {
        let once = slug(&name);
        prop_assert!(!once.is_empty() && !once.starts_with('-') && !once.ends_with('-') && !once.contains("--"));
        prop_assert!(once.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
        prop_assert_eq!(slug(&once), once);
    }
}

/// `7.25` is 7250.
fn thousandths(percentage: &str) -> i128 {
    let (whole, fraction) = percentage.split_once('.').unwrap();
    format!("{whole}{fraction:0<3}").parse().unwrap()
}
