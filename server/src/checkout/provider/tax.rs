//! Stripe Tax: what a sale is taxed with, and the record of it once the sale is made or taken back.

use stripe_misc::tax_calculation::{
    CreateTaxCalculation, CreateTaxCalculationCustomerDetails, CreateTaxCalculationCustomerDetailsAddress,
    CreateTaxCalculationCustomerDetailsAddressSource, CreateTaxCalculationLineItems, CreateTaxCalculationShippingCost,
};
use stripe_misc::tax_transaction::{
    CreateFromCalculationTaxTransaction, CreateReversalTaxTransaction, CreateReversalTaxTransactionMode,
};
use stripe_shared::ApiErrorsCode;
use stripe_types::Currency;
use wasm_core::money::Cents;
use wasm_core::pricing::{TaxBreakdown, TaxCalculation, TaxRateDetails};
use wasm_core::validation::PostalAddress;

use super::{Budget, Failure, Provider, responses};
use crate::http::error::{Code, Error};

pub struct TaxLine {
    pub reference: String,
    pub amount: Cents,
    pub quantity: i64,
}

impl Provider {
    /// # Errors
    /// 503 `TaxUnavailable` when the provider cannot say; 400 when it does not know the address.
    pub async fn calculate_tax(
        &self,
        budget: Budget,
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
        let request =
            CreateTaxCalculation::new(Currency::USD, lines).customer_details(shipped_to(address)).shipping_cost(cost);
        self.send(budget, request, Some(format!("tax:{key}"))).await.map(calculation_of).map_err(not_calculated)
    }

    /// Records a sale with the tax that was calculated for it. Gives the record's id.
    pub async fn record_tax(&self, budget: Budget, calculation: &str, reference: &str) -> Result<String, Error> {
        let request = CreateFromCalculationTaxTransaction::new(calculation, reference);
        self.record(budget, request, reference).await
    }

    /// Takes back `amount` of a recorded sale, tax included. Gives the reversal's id.
    pub async fn reverse_tax(
        &self,
        budget: Budget,
        original: &str,
        amount: Cents,
        reference: &str,
    ) -> Result<String, Error> {
        let mode = CreateReversalTaxTransactionMode::Partial;
        let request = CreateReversalTaxTransaction::new(mode, original, reference).flat_amount(-amount.cents());
        self.record(budget, request, reference).await
    }

    async fn record<R: stripe::StripeRequest>(
        &self,
        budget: Budget,
        request: R,
        reference: &str,
    ) -> Result<String, Error> {
        let key = format!("tax-record:{reference}");
        let recorded: Result<responses::TaxTransaction, Failure> = self.send(budget, request, Some(key)).await;
        recorded.map(|transaction| transaction.id).map_err(|failure| {
            failure.into_error(Code::TaxUnavailable, "The tax of this sale could not be recorded at the provider.")
        })
    }
}

fn shipped_to(address: &PostalAddress) -> CreateTaxCalculationCustomerDetails {
    let mut place = CreateTaxCalculationCustomerDetailsAddress::new(address.country.clone());
    place.line1 = Some(address.line1.clone());
    place.line2 = address.line2.clone();
    place.city = Some(address.city.clone());
    place.state = Some(address.state.clone());
    place.postal_code = Some(address.postal_code.clone());
    let mut details = CreateTaxCalculationCustomerDetails::new();
    details.address = Some(place);
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

fn not_calculated(failure: Failure) -> Error {
    match failure {
        Failure::Refused(error) if error.code == Some(ApiErrorsCode::CustomerTaxLocationInvalid) => {
            Error::invalid_field(
                "shippingAddress.address.postal_code",
                "The tax for this address cannot be worked out. Please check it.",
            )
        }
        failure => failure
            .into_error(Code::TaxUnavailable, "Taxes cannot be worked out right now. Please try again in a minute."),
    }
}
