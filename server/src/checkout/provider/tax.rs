//! Sales tax by Stripe Tax: calculates the tax of a checkout, and records sales and their reversals.

use stripe_misc::tax_calculation::{
    CreateTaxCalculation, CreateTaxCalculationCustomerDetails, CreateTaxCalculationCustomerDetailsAddress,
    CreateTaxCalculationCustomerDetailsAddressSource, CreateTaxCalculationLineItems, CreateTaxCalculationShippingCost,
};
use stripe_misc::tax_transaction::{
    CreateFromCalculationTaxTransaction, CreateReversalTaxTransaction, CreateReversalTaxTransactionMode,
};
use stripe_types::Currency;
use wasm_core::money::Cents;
use wasm_core::pricing::{TaxBreakdown, TaxCalculation, TaxRateDetails};
use wasm_core::validation::PostalAddress;

use super::client::{Deadline, Provider, ProviderError};
use super::responses;
use crate::error::{Code, Error};

pub struct TaxLine {
    pub reference: String,
    pub amount: Cents,
    pub quantity: i64,
}

impl Provider {
    /// Calculates the tax of a checkout.
    ///
    /// # Errors
    /// 503 `TaxUnavailable` if the provider fails, 400 if it does not know the address.
    pub async fn calculate_tax(
        &self,
        deadline: Deadline,
        key: &str,
        lines: Vec<TaxLine>,
        shipping: Cents,
        address: &PostalAddress,
    ) -> Result<TaxCalculation, Error> {
        let lines = lines
            .into_iter()
            .map(|line| {
                let mut item = CreateTaxCalculationLineItems::new(line.amount.cents());
                item.reference = Some(line.reference);
                item.quantity = u64::try_from(line.quantity).ok();
                item
            })
            .collect::<Vec<_>>();
        let mut cost = CreateTaxCalculationShippingCost::new();
        cost.amount = Some(shipping.cents());
        let request = CreateTaxCalculation::new(Currency::USD, lines)
            .customer_details(customer_details(address))
            .shipping_cost(cost);
        self.send(deadline, request, Some(format!("tax:{key}"))).await.map(calculation_of).map_err(not_calculated)
    }

    /// Records a sale with its tax calculation and returns the record's id.
    pub async fn record_tax(&self, deadline: Deadline, calculation: &str, reference: &str) -> Result<String, Error> {
        let request = CreateFromCalculationTaxTransaction::new(calculation, reference);
        self.record(deadline, request, reference).await
    }

    /// Reverses `amount` of a recorded sale, tax included, and returns the reversal's id.
    pub async fn reverse_tax(
        &self,
        deadline: Deadline,
        original: &str,
        amount: Cents,
        reference: &str,
    ) -> Result<String, Error> {
        let mode = CreateReversalTaxTransactionMode::Partial;
        let request = CreateReversalTaxTransaction::new(mode, original, reference).flat_amount(-amount.cents());
        self.record(deadline, request, reference).await
    }

    /// Undoes a reversal, whose refund failed, and returns the new record's id.
    pub async fn undo_tax_reversal(
        &self,
        deadline: Deadline,
        reversal: &str,
        reference: &str,
    ) -> Result<String, Error> {
        let mode = CreateReversalTaxTransactionMode::Full;
        self.record(deadline, CreateReversalTaxTransaction::new(mode, reversal, reference), reference).await
    }

    async fn record<R: stripe::StripeRequest>(
        &self,
        deadline: Deadline,
        request: R,
        reference: &str,
    ) -> Result<String, Error> {
        let key = format!("tax-record:{reference}");
        let recorded: Result<responses::TaxTransaction, ProviderError> = self.send(deadline, request, Some(key)).await;
        recorded.map(|transaction| transaction.id).map_err(|error| {
            error.into_error(Code::TaxUnavailable, "The payment provider couldn’t record the tax of this sale.")
        })
    }
}

fn customer_details(address: &PostalAddress) -> CreateTaxCalculationCustomerDetails {
    let mut postal = CreateTaxCalculationCustomerDetailsAddress::new(address.country.clone());
    postal.line1 = Some(address.line1.clone());
    postal.line2 = address.line2.clone();
    postal.city = Some(address.city.clone());
    postal.state = Some(address.state.clone());
    postal.postal_code = Some(address.postal_code.clone());
    let mut details = CreateTaxCalculationCustomerDetails::new();
    details.address = Some(postal);
    details.address_source = Some(CreateTaxCalculationCustomerDetailsAddressSource::Shipping);
    details
}

fn calculation_of(calculation: responses::TaxCalculation) -> TaxCalculation {
    let tax_breakdown = calculation
        .tax_breakdown
        .into_iter()
        .map(|responses::TaxBreakdown { amount, tax_rate_details: rate }| TaxBreakdown {
            amount,
            tax_rate_details: TaxRateDetails {
                percentage_decimal: rate.percentage_decimal,
                country: rate.country,
                state: rate.state,
                tax_type: rate.tax_type,
            },
        })
        .collect();
    TaxCalculation { id: calculation.id, tax_amount_exclusive: calculation.tax_amount_exclusive, tax_breakdown }
}

fn not_calculated(error: ProviderError) -> Error {
    match error {
        error if error.code() == Some("customer_tax_location_invalid") => Error::invalid_field(
            "shippingAddress.address.postal_code",
            "We couldn’t calculate tax for this address. Please check it.",
        ),
        error => {
            error.into_error(Code::TaxUnavailable, "We can’t calculate taxes right now. Please try again in a minute.")
        }
    }
}
