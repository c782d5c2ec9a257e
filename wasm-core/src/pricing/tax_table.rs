//! Tax by a table of rates, for shops that do not use the payment provider's tax calculation.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::tax::{TaxBreakdown, TaxCalculation, TaxRateDetails};
use crate::money::{Cents, Overflow};
use crate::validation::Country;

/// 100 % in thousandths of a percent.
const WHOLE: i64 = 100_000;

/// Taxable amount.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Items,
    ItemsAndShipping,
}
use Base::{Items, ItemsAndShipping};

/// General rate of each state in thousandths of a percent, and the taxable amount. States without a tax are not listed:
/// AK, DE, MT, NH, OR, the territories other than Puerto Rico, and armed forces addresses.
///
/// Rates: in force on 1 January 2026, as the Tax Foundation compiles them ("State and Local Sales Tax Rates", 2025
/// editions). They include the uniform local rates of California, Nevada, Utah and Virginia, but no other county or
/// city rates. The District of Columbia has enacted 7 % from 1 October 2026.
///
/// Shipping: rules of the tax departments for taxable goods that a carrier ships, with shipping as a separate line and
/// without pickup (which makes it taxable in Florida and Illinois). Kansas (1 July 2023) and Michigan (26 April 2023)
/// no longer tax shipping.
///
/// A shop that needs the exact tax of an address uses the payment provider's calculation instead.
const UNITED_STATES: &[(&str, i64, Base)] = &[
    ("AL", 4_000, Items),
    ("AZ", 5_600, Items),
    ("AR", 6_500, ItemsAndShipping),
    ("CA", 7_250, Items),
    ("CO", 2_900, Items),
    ("CT", 6_350, ItemsAndShipping),
    ("DC", 6_000, Items),
    ("FL", 6_000, ItemsAndShipping),
    ("GA", 4_000, ItemsAndShipping),
    ("HI", 4_000, ItemsAndShipping),
    ("ID", 6_000, Items),
    ("IL", 6_250, ItemsAndShipping),
    ("IN", 7_000, ItemsAndShipping),
    ("IA", 6_000, Items),
    ("KS", 6_500, Items),
    ("KY", 6_000, ItemsAndShipping),
    ("LA", 5_000, Items),
    ("ME", 5_500, Items),
    ("MD", 6_000, Items),
    ("MA", 6_250, Items),
    ("MI", 6_000, Items),
    ("MN", 6_875, ItemsAndShipping),
    ("MS", 7_000, ItemsAndShipping),
    ("MO", 4_225, Items),
    ("NE", 5_500, ItemsAndShipping),
    ("NV", 6_850, Items),
    ("NJ", 6_625, ItemsAndShipping),
    ("NM", 4_875, ItemsAndShipping),
    ("NY", 4_000, ItemsAndShipping),
    ("NC", 4_750, ItemsAndShipping),
    ("ND", 5_000, ItemsAndShipping),
    ("OH", 5_750, ItemsAndShipping),
    ("OK", 4_500, Items),
    ("PA", 6_000, ItemsAndShipping),
    ("RI", 7_000, ItemsAndShipping),
    ("SC", 6_000, ItemsAndShipping),
    ("SD", 4_200, ItemsAndShipping),
    ("TN", 7_000, ItemsAndShipping),
    ("TX", 6_250, ItemsAndShipping),
    ("UT", 6_100, Items),
    ("VT", 6_000, ItemsAndShipping),
    ("VA", 5_300, Items),
    ("WA", 6_500, ItemsAndShipping),
    ("WV", 6_000, ItemsAndShipping),
    ("WI", 5_000, ItemsAndShipping),
    ("WY", 4_000, Items),
    ("PR", 10_500, ItemsAndShipping),
];

/// Federal tax of Canada (GST), in provinces without a harmonized tax.
const GST: i64 = 5_000;

/// Tax of each province besides the GST, or instead of it (HST), in thousandths of a percent. Provinces and territories
/// that are not listed (AB, NT, NU, YT) have the GST alone. All of these taxes include shipping.
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

impl TaxCalculation {
    /// Calculation by the table, for a checkout and for the estimate in the cart.
    ///
    /// ```
    /// use wasm_core::money::Cents;
    /// use wasm_core::pricing::TaxCalculation;
    /// use wasm_core::validation::Country;
    ///
    /// let (subtotal, shipping) = (Cents::from_cents(4998), Cents::from_cents(1445));
    /// let quebec = TaxCalculation::by_table("table-1".into(), Country::Ca, "QC", subtotal, shipping)?;
    /// assert_eq!(quebec.tax_amount_exclusive, 322 + 643);
    /// # Ok::<(), wasm_core::money::Overflow>(())
    /// ```
    ///
    /// # Errors
    /// [`Overflow`] if a tax or the taxable amount does not fit.
    pub fn by_table(
        id: String,
        country: Country,
        state: &str,
        subtotal: Cents,
        shipping: Cents,
    ) -> Result<Self, Overflow> {
        let tax_breakdown = table_tax(country, state, subtotal, shipping)?;
        Ok(Self { id, tax_amount_exclusive: tax_breakdown.iter().map(|tax| tax.amount).sum(), tax_breakdown })
    }
}

/// Taxes on an order by the table, each rounded half up to the cent. Untaxed orders have one entry of zero.
///
/// ```
/// use wasm_core::money::Cents;
/// use wasm_core::pricing::table_tax;
/// use wasm_core::validation::Country;
///
/// let subtotal = Cents::from_cents(4998);
/// let shipping = Cents::from_cents(620);
/// // California does not tax shipping: 7.25 % of the items alone.
/// assert_eq!(table_tax(Country::Us, "CA", subtotal, shipping)?[0].amount, 362);
/// # Ok::<(), wasm_core::money::Overflow>(())
/// ```
///
/// # Errors
/// [`Overflow`] if a tax or the taxable amount does not fit.
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
        Some((_, rate, Items)) => (*rate, subtotal),
        Some((_, rate, ItemsAndShipping)) => (*rate, subtotal.checked_add(shipping)?),
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
        amount: round_half_up(base, rate)?.cents(),
        tax_rate_details: TaxRateDetails {
            percentage_decimal: percentage(rate),
            country: Some(country.code().to_owned()),
            state: state.map(ToOwned::to_owned),
            tax_type: Some(kind.to_owned()),
        },
    })
}

/// `base × rate`, rounded half up to the cent.
fn round_half_up(base: Cents, rate: i64) -> Result<Cents, Overflow> {
    let thousandths = base.times(rate)?.checked_add(Cents::from_cents(WHOLE / 2))?;
    Ok(Cents::from_cents(thousandths.cents().div_euclid(WHOLE)))
}

/// `7250` becomes `7.25` and `5000` becomes `5.0`: at least one decimal, as in the provider's format.
fn percentage(rate: i64) -> String {
    let text = format!("{}.{:03}", rate / 1000, rate % 1000);
    let significant = text.trim_end_matches('0');
    if significant.ends_with('.') { format!("{significant}0") } else { significant.to_owned() }
}
