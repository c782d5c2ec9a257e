//! Functions of the rules and the views, measured by divan.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use divan::{Bencher, black_box};
use wasm_core::cart::Cart;
use wasm_core::money::Cents;
use wasm_core::pricing::{ShippingRates, quote};
use wasm_core::validation::{Country, parse_quantity};

fn main() {
    divan::main();
}

fn cart(lines: i64) -> Cart {
    let two = parse_quantity(2).unwrap();
    bench::products(lines).into_iter().fold(Cart::default(), |cart, product| cart.add(&product, two).unwrap())
}

/// The largest cart.
#[divan::bench]
fn quote_of_50_lines(bencher: Bencher) {
    let (lines, rates) = (cart(50).priced_lines(), ShippingRates::default());
    bencher.bench(|| quote(black_box(&lines), Country::Us, &rates, Cents::from_cents(362)));
}

#[divan::bench]
fn add_to_a_cart_of_49_lines(bencher: Bencher) {
    let (cart, two) = (cart(49), parse_quantity(2).unwrap());
    let another = bench::products(50).pop().unwrap();
    bencher.bench(|| black_box(&cart).add(&another, two));
}

#[divan::bench]
fn refresh_50_cart_lines(bencher: Bencher) {
    let (cart, products) = (cart(50), bench::products(200));
    bencher.bench(|| black_box(&cart).refreshed(&products));
}

#[divan::bench]
fn render_a_product_page(bencher: Bencher) {
    let product = bench::product(1);
    bencher.bench(|| bench::rendered_product_page(black_box(&product)));
}

#[divan::bench]
fn render_a_list_of_200_products(bencher: Bencher) {
    let products = bench::products(200);
    bencher.bench(|| bench::rendered_product_list(black_box(&products)));
}
