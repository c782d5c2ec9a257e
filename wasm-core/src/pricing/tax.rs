//! Tax calculation of the payment provider, and its lines on a receipt.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::money::Cents;

/// Tax calculation in the payment provider's format. Its amounts are whole cents, not dollars.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "id": "taxcalc_1PqLkX2eZvKYlo2C",
    "tax_amount_exclusive": 362,
    "tax_breakdown": [{
        "amount": 362,
        "tax_rate_details": { "percentage_decimal": "7.25", "country": "US", "state": "CA", "tax_type": "sales_tax" },
    }],
}))))]
pub struct TaxCalculation {
    /// Id of the calculation at the provider.
    pub id: String,
    /// Sum of all taxes in whole cents: 362 is $3.62.
    #[cfg_attr(feature = "js-types", tsify(type = "Cents"))]
    pub tax_amount_exclusive: i64,
    /// Each tax: at least one, two in Quebec.
    pub tax_breakdown: Vec<TaxBreakdown>,
}

/// Tax on an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TaxBreakdown {
    /// Amount in whole cents: 362 is $3.62.
    #[cfg_attr(feature = "js-types", tsify(type = "Cents"))]
    pub amount: i64,
    /// Type, jurisdiction and rate.
    pub tax_rate_details: TaxRateDetails,
}

/// Type, jurisdiction and rate of a tax.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TaxRateDetails {
    /// Rate in percent as decimal text: `7.25`.
    pub percentage_decimal: String,
    /// ISO 3166-1 code of the country.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub country: Option<String>,
    /// State or province; `null` for a federal tax.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub state: Option<String>,
    /// `sales_tax`, `gst`, `hst`, `pst`, `qst`, `rst` and others.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub tax_type: Option<String>,
}

/// Tax line of a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub struct TaxLine {
    /// `Sales tax (7.25%)`
    pub label: String,
    /// Amount of the tax.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub amount: Cents,
}

impl TaxCalculation {
    /// Sum of all taxes.
    #[must_use]
    pub fn total(&self) -> Cents {
        Cents::from_cents(self.tax_amount_exclusive)
    }
}

/// Tax lines of a calculation, in the provider's order.
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
    /// The line of this tax on a receipt.
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
            // A fixed amount per delivery has no rate.
            Some("retail_delivery_fee") => return "Retail delivery fee".into(),
            _ => "Tax",
        };
        format!("{name} ({}%)", without_trailing_zeros(&self.percentage_decimal))
    }
}

/// `8.0` and `8.00` become `8`, `7.250` becomes `7.25`.
fn without_trailing_zeros(percentage: &str) -> &str {
    match percentage.split_once('.') {
        Some(_) => percentage.trim_end_matches('0').trim_end_matches('.'),
        None => percentage,
    }
}
