//! The total of an order to a US state, with shipping and tax, from lines of `quantity price pounds`:
//!
//! ```sh
//! printf '2 24.99 0.6\n' | cargo run -p wasm-core --example quote -- CA
//! ```

use std::error::Error;
use std::io::read_to_string;

use wasm_core::money::Cents;
use wasm_core::pricing::{PricedLine, ShippingRates, quote_by_table};
use wasm_core::validation::Destination;
use wasm_core::weight::Weight;

fn main() -> Result<(), Box<dyn Error>> {
    let state = std::env::args().nth(1).ok_or("usage: quote STATE < LINES")?;
    let destination = Destination::parse("US", &state).map_err(|errors| format!("{state}: {errors:?}"))?;
    let lines = read_to_string(std::io::stdin())?.lines().map(parse_line).collect::<Result<Vec<_>, _>>()?;
    let quote = quote_by_table(&lines, destination, &ShippingRates::default()).map_err(|error| error.message)?;
    println!("Subtotal {}\nShipping {}", quote.subtotal, quote.shipping);
    for tax in &quote.tax_lines {
        println!("{} {}", tax.label, tax.amount);
    }
    println!("Total {}", quote.total);
    Ok(())
}

/// Parses `2 24.99 0.6`: the quantity, and the price and the weight of one.
fn parse_line(line: &str) -> Result<PricedLine, Box<dyn Error>> {
    let mut words = line.split_whitespace();
    let mut next = |name: &str| words.next().ok_or(format!("no {name} in {line:?}"));
    Ok(PricedLine {
        quantity: next("quantity")?.parse()?,
        price: Cents::parse(next("price")?)?,
        weight: Weight::parse(next("weight")?)?,
    })
}
