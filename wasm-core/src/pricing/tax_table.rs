//! Tax by a table, for a shop that does not ask its payment provider.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::tax::{TaxBreakdown, TaxRateDetails};
use crate::money::{Cents, Overflow};
use crate::validation::Country;

/// Rates are thousandths of a percent, so this many of them are the whole amount.
const WHOLE: i64 = 100_000;

/// What a tax is taken on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Goods,
    GoodsAndShipping,
}
use Base::{Goods, GoodsAndShipping};

/// A state's general rate, in thousandths of a percent, and what it is taken on. States that are not listed have
/// none: AK, DE, MT, NH, OR, the territories but Puerto Rico, and the armed forces post.
///
/// Rates: in force on 1 January 2026, as the Tax Foundation compiles them ("State and Local Sales Tax Rates", 2025
/// editions). The parts that California, Nevada, Utah and Virginia levy uniformly are in them, counties' and cities'
/// own rates are not. The District of Columbia has enacted 7 % from 1 October 2026.
///
/// Shipping: the departments' rules for taxable goods sent by a carrier, charged on a line of its own, where the
/// customer cannot fetch the goods instead (which makes it taxable in Florida and Illinois). Kansas (1 July 2023) and
/// Michigan (26 April 2023) no longer tax it.
///
/// A shop that must be right to the address uses its payment provider's calculation instead.
const UNITED_STATES: &[(&str, i64, Base)] = &[
    ("AL", 4_000, Goods),
    ("AZ", 5_600, Goods),
    ("AR", 6_500, GoodsAndShipping),
    ("CA", 7_250, Goods),
    ("CO", 2_900, Goods),
    ("CT", 6_350, GoodsAndShipping),
    ("DC", 6_000, Goods),
    ("FL", 6_000, GoodsAndShipping),
    ("GA", 4_000, GoodsAndShipping),
    ("HI", 4_000, GoodsAndShipping),
    ("ID", 6_000, Goods),
    ("IL", 6_250, GoodsAndShipping),
    ("IN", 7_000, GoodsAndShipping),
    ("IA", 6_000, Goods),
    ("KS", 6_500, Goods),
    ("KY", 6_000, GoodsAndShipping),
    ("LA", 5_000, Goods),
    ("ME", 5_500, Goods),
    ("MD", 6_000, Goods),
    ("MA", 6_250, Goods),
    ("MI", 6_000, Goods),
    ("MN", 6_875, GoodsAndShipping),
    ("MS", 7_000, GoodsAndShipping),
    ("MO", 4_225, Goods),
    ("NE", 5_500, GoodsAndShipping),
    ("NV", 6_850, Goods),
    ("NJ", 6_625, GoodsAndShipping),
    ("NM", 4_875, GoodsAndShipping),
    ("NY", 4_000, GoodsAndShipping),
    ("NC", 4_750, GoodsAndShipping),
    ("ND", 5_000, GoodsAndShipping),
    ("OH", 5_750, GoodsAndShipping),
    ("OK", 4_500, Goods),
    ("PA", 6_000, GoodsAndShipping),
    ("RI", 7_000, GoodsAndShipping),
    ("SC", 6_000, GoodsAndShipping),
    ("SD", 4_200, GoodsAndShipping),
    ("TN", 7_000, GoodsAndShipping),
    ("TX", 6_250, GoodsAndShipping),
    ("UT", 6_100, Goods),
    ("VT", 6_000, GoodsAndShipping),
    ("VA", 5_300, Goods),
    ("WA", 6_500, GoodsAndShipping),
    ("WV", 6_000, GoodsAndShipping),
    ("WI", 5_000, GoodsAndShipping),
    ("WY", 4_000, Goods),
    ("PR", 10_500, GoodsAndShipping),
];

/// Canada's own tax where no harmonized one replaces it.
const GST: i64 = 5_000;

/// What a province adds to the GST, or has in its place; in thousandths of a percent. Provinces and territories that
/// are not listed (AB, NT, NU, YT) have the GST alone. Shipping is part of the price for all of them.
///
/// Source: Canada Revenue Agency, "Charge and collect the tax – Which rate to charge", and the finance departments of
/// British Columbia, Manitoba, Quebec and Saskatchewan; in force on 1 January 2026 (Nova Scotia since 1 April 2025).
const CANADA: &[(&str, &str, i64)] = &[
    ("BC", "pst", 7_000),
    ("MB", "rst", 7_000),
    ("NB", "hst", 15_000),
    ("NL", "hst", 15_000),
    ("NS", "hst", 14_000),
    ("ON", "hst", 13_000),
    ("PE", "hst", 15_000),
    ("QC", "qst", 9_975),
    ("SK", "pst", 6_000),
];

/// The taxes on an order by the table, each rounded half-up to the cent. There is always at least one entry; where
/// nothing is taxed it is one of zero.
///
/// ```
/// use wasm_core::money::Cents;
/// use wasm_core::pricing::table_tax;
/// use wasm_core::validation::Country;
///
/// let goods = Cents::from_cents(4998);
/// let shipping = Cents::from_cents(620);
/// // California does not tax shipping: 7.25 % of the goods alone.
/// assert_eq!(table_tax(Country::Us, "CA", goods, shipping)?[0].amount, 362);
/// # Ok::<(), wasm_core::money::Overflow>(())
/// ```
///
/// # Errors
/// [`Overflow`] where a tax or what it is taken on does not fit.
pub fn table_tax(
    country: Country,
    state: &str,
    subtotal: Cents,
    shipping: Cents,
) -> Result<Vec<TaxBreakdown>, Overflow> {
    match country {
        Country::Us => united_states(state, subtotal, shipping),
        Country::Ca => canada(state, subtotal.checked_add(shipping)?),
    }
}

fn united_states(state: &str, subtotal: Cents, shipping: Cents) -> Result<Vec<TaxBreakdown>, Overflow> {
    let listed = UNITED_STATES.iter().find(|(code, ..)| *code == state);
    let (rate, base) = match listed {
        Some((_, rate, Goods)) => (*rate, subtotal),
        Some((_, rate, GoodsAndShipping)) => (*rate, subtotal.checked_add(shipping)?),
        None => (0, subtotal),
    };
    Ok(vec![entry(Country::Us, Some(state), "sales_tax", rate, base)?])
}

fn canada(province: &str, base: Cents) -> Result<Vec<TaxBreakdown>, Overflow> {
    let federal = entry(Country::Ca, None, "gst", GST, base);
    let Some((code, kind, rate)) = CANADA.iter().find(|(code, ..)| *code == province) else {
        return Ok(vec![federal?]);
    };
    let provincial = entry(Country::Ca, Some(code), kind, *rate, base)?;
    if *kind == "hst" {
        return Ok(vec![provincial]);
    }
    Ok(vec![federal?, provincial])
}

fn entry(country: Country, state: Option<&str>, kind: &str, rate: i64, base: Cents) -> Result<TaxBreakdown, Overflow> {
    Ok(TaxBreakdown {
        amount: half_up(base, rate)?.cents(),
        tax_rate_details: TaxRateDetails {
            percentage_decimal: percentage(rate),
            country: Some(country.code().to_owned()),
            state: state.map(ToOwned::to_owned),
            tax_type: Some(kind.to_owned()),
        },
    })
}

/// `base × rate`, rounded to the nearest cent, half a cent upwards.
fn half_up(base: Cents, rate: i64) -> Result<Cents, Overflow> {
    let thousandths = base.times(rate)?.checked_add(Cents::from_cents(WHOLE / 2))?;
    Ok(Cents::from_cents(thousandths.cents().div_euclid(WHOLE)))
}

/// `7250` is `7.25`, `5000` is `5.0`: one decimal at least, as the provider writes it.
fn percentage(rate: i64) -> String {
    let text = format!("{}.{:03}", rate / 1000, rate % 1000);
    let significant = text.trim_end_matches('0');
    if significant.ends_with('.') { format!("{significant}0") } else { significant.to_owned() }
}
