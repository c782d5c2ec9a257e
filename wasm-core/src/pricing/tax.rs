//! Tax as the payment provider tells it, and how it is shown.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::money::Cents;

/// The provider's answer to "what tax is on this order?". Inside it amounts are whole cents, as the provider has
/// them, and not dollars.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TaxCalculation {
    /// The provider's id of this calculation.
    pub id: String,
    /// All tax on the order, in whole cents: 362 is $3.62.
    pub tax_amount_exclusive: i64,
    /// The taxes it is made of: at least one, two in Quebec.
    pub tax_breakdown: Vec<TaxBreakdown>,
}

/// One tax of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TaxBreakdown {
    /// In whole cents: 362 is $3.62.
    pub amount: i64,
    /// Which tax it is.
    pub tax_rate_details: TaxRateDetails,
}

/// Which tax, whose, and at what rate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TaxRateDetails {
    /// Percent, as decimal text: `7.25`.
    pub percentage_decimal: String,
    /// ISO 3166-1 code.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub country: Option<String>,
    /// State or province; none for a country's own tax.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub state: Option<String>,
    /// `sales_tax`, `gst`, `hst`, `pst`, `qst`, `rst` and others.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub tax_type: Option<String>,
}

/// One tax as a receipt shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub struct TaxLine {
    /// `Sales tax (7.25%)`
    pub label: String,
    /// What it comes to.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub amount: Cents,
}

/// Every tax of a calculation with its name and rate, in the provider's order.
///
/// ```
/// use wasm_core::pricing::{TaxCalculation, tax_lines};
///
/// let calculation: TaxCalculation = serde_json::from_str(r#"{
///     "id": "taxcalc_1", "tax_amount_exclusive": 362, "tax_breakdown": [{"amount": 362, "tax_rate_details":
///         {"percentage_decimal": "7.25", "country": "US", "state": "CA", "tax_type": "sales_tax"}}]
/// }"#)?;
/// assert_eq!(tax_lines(&calculation)[0].label, "Sales tax (7.25%)");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn tax_lines(calculation: &TaxCalculation) -> Vec<TaxLine> {
    calculation.tax_breakdown.iter().map(TaxBreakdown::line).collect()
}

impl TaxBreakdown {
    /// The tax as a receipt shows it.
    #[must_use]
    pub fn line(&self) -> TaxLine {
        TaxLine { label: self.tax_rate_details.label(), amount: Cents::from_cents(self.amount) }
    }
}

impl TaxRateDetails {
    fn label(&self) -> String {
        let name = match self.tax_type.as_deref() {
            Some("sales_tax") => "Sales tax",
            Some("gst") => "GST",
            Some("hst") => "HST",
            Some("pst") => "PST",
            Some("qst") => "QST",
            Some("rst") => "RST",
            // A fixed amount per delivery: it has no rate to show.
            Some("retail_delivery_fee") => return "Retail delivery fee".into(),
            _ => "Tax",
        };
        format!("{name} ({}%)", without_trailing_zeros(&self.percentage_decimal))
    }
}

/// `8.0` and `8.00` are `8`, `7.250` is `7.25`.
fn without_trailing_zeros(percentage: &str) -> &str {
    match percentage.split_once('.') {
        Some(_) => percentage.trim_end_matches('0').trim_end_matches('.'),
        None => percentage,
    }
}
