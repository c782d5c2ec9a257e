//! Calls to the payment provider: one client for Stripe and for the embedded test-mode Stripe.
//!
//! Every write carries an idempotency key, so that asking again after a lost answer does nothing twice. All
//! calls of one request share a [`Budget`].

use std::collections::HashMap;
use std::time::Duration;

use stripe::{Client, ClientBuilder, IdempotencyKey, RequestStrategy, StripeError, StripeRequest};
use stripe_core::payment_intent::{
    CancelPaymentIntent, CreatePaymentIntent, CreatePaymentIntentAutomaticPaymentMethods, RetrievePaymentIntent,
};
use stripe_core::refund::CreateRefund;
use stripe_misc::tax_calculation::{
    CreateTaxCalculation, CreateTaxCalculationCustomerDetails, CreateTaxCalculationCustomerDetailsAddress,
    CreateTaxCalculationCustomerDetailsAddressSource, CreateTaxCalculationLineItems, CreateTaxCalculationShippingCost,
};
use stripe_shared::{ApiErrorsCode, PaymentIntent, PaymentIntentStatus};
use stripe_types::{Currency, Expandable};
use tokio::time::Instant;
use wasm_core::money::Cents;
use wasm_core::pricing::{TaxBreakdown, TaxCalculation, TaxRateDetails};
use wasm_core::validation::{Address, PostalAddress};

use crate::error::{Code, Error};

/// The one currency of the shop.
pub const CURRENCY: &str = "usd";

const CALL: Duration = Duration::from_millis(2_500);
const REQUEST: Duration = Duration::from_secs(6);
const ATTEMPTS: u32 = 2;

pub struct Provider {
    client: Client,
    live: bool,
    pub webhook_secret: String,
}

/// What remains of the time in which one request may call the provider.
#[derive(Clone, Copy)]
pub struct Budget {
    ends: Instant,
}

impl Budget {
    pub fn start() -> Self {
        Self { ends: Instant::now() + REQUEST }
    }

    fn call(self) -> Option<Duration> {
        let left = self.ends.saturating_duration_since(Instant::now());
        (left > Duration::from_millis(50)).then(|| left.min(CALL))
    }
}

/// A payment intent, as far as the shop cares.
#[derive(Debug)]
pub struct Intent {
    pub id: String,
    pub client_secret: String,
    pub state: IntentState,
    pub amount_received: Cents,
    pub currency: String,
    pub livemode: bool,
    pub checkout_id: Option<String>,
    /// From the payment method, when it has a complete one.
    pub billing: Option<Address>,
    /// What has gone back to the customer so far.
    pub refunded: Cents,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntentState {
    /// Waits for a card, a confirmation or the cardholder's bank.
    Unpaid,
    Succeeded,
    Canceled,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Cancellation {
    Canceled,
    AlreadyPaid,
}

pub struct TaxLine {
    pub reference: String,
    pub amount: Cents,
    pub quantity: i64,
}

impl Provider {
    /// `api_base` is the address before `/v1`, with or without a slash at its end.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub fn new(api_base: &str, secret_key: &str, webhook_secret: String) -> Result<Self, String> {
        let client = ClientBuilder::new(secret_key)
            .url(format!("{}/", api_base.trim_end_matches('/')))
            .build()
            .map_err(|error| format!("STRIPE_SECRET_KEY or STRIPE_API_BASE: {error}"))?;
        Ok(Self { client, live: !secret_key.contains("_test_"), webhook_secret })
    }

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
        let mut details = CreateTaxCalculationCustomerDetails::new();
        let mut place = CreateTaxCalculationCustomerDetailsAddress::new(address.country.clone());
        place.line1 = Some(address.line1.clone());
        place.line2 = address.line2.clone();
        place.city = Some(address.city.clone());
        place.state = Some(address.state.clone());
        place.postal_code = Some(address.postal_code.clone());
        details.address = Some(place);
        details.address_source = Some(CreateTaxCalculationCustomerDetailsAddressSource::Shipping);
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
        let request = CreateTaxCalculation::new(Currency::USD, lines).customer_details(details).shipping_cost(cost);
        let calculation =
            self.send(budget, request, Some(format!("tax:{key}"))).await.map_err(|failure| match failure {
                Failure::Refused(error) if error.code == Some(ApiErrorsCode::CustomerTaxLocationInvalid) => {
                    Error::invalid_field(
                        "shippingAddress.address.postal_code",
                        "The tax for this address cannot be worked out. Please check it.",
                    )
                }
                failure => failure.into_error(
                    Code::TaxUnavailable,
                    "Taxes cannot be worked out right now. Please try again in a minute.",
                ),
            })?;
        let tax_breakdown = calculation
            .tax_breakdown
            .iter()
            .map(|entry| {
                let rate = &entry.tax_rate_details;
                TaxBreakdown {
                    amount: entry.amount,
                    tax_rate_details: TaxRateDetails {
                        percentage_decimal: rate.percentage_decimal.clone(),
                        country: rate.country.clone(),
                        state: rate.state.clone(),
                        tax_type: rate.tax_type.as_ref().map(|kind| kind.as_str().to_owned()),
                    },
                }
            })
            .collect();
        Ok(TaxCalculation {
            id: calculation.id.map(|id| id.to_string()).unwrap_or_default(),
            tax_amount_exclusive: calculation.tax_amount_exclusive,
            tax_breakdown,
        })
    }

    /// Asked again with the same `checkout_id` it answers with the same intent.
    pub async fn create_intent(
        &self,
        budget: Budget,
        checkout_id: &str,
        user_id: &str,
        amount: Cents,
    ) -> Result<Intent, Error> {
        let metadata = HashMap::from([
            ("checkout_id".to_owned(), checkout_id.to_owned()),
            ("user_id".to_owned(), user_id.to_owned()),
        ]);
        let request = CreatePaymentIntent::new(amount.cents(), Currency::USD)
            .automatic_payment_methods(CreatePaymentIntentAutomaticPaymentMethods::new(true))
            .metadata(metadata);
        self.send(budget, request, Some(format!("intent:{checkout_id}")))
            .await
            .map(|intent| intent_of(&intent))
            .map_err(unavailable)
    }

    pub async fn retrieve_intent(&self, budget: Budget, id: &str) -> Result<Intent, Error> {
        let request =
            RetrievePaymentIntent::new(id).expand(vec!["latest_charge".to_owned(), "payment_method".to_owned()]);
        self.send(budget, request, None).await.map(|intent| intent_of(&intent)).map_err(unavailable)
    }

    pub async fn cancel_intent(&self, budget: Budget, id: &str) -> Result<Cancellation, Error> {
        let request = CancelPaymentIntent::new(id);
        match self.send(budget, request, Some(format!("cancel:{id}"))).await {
            Ok(_) => Ok(Cancellation::Canceled),
            Err(Failure::Refused(_)) => match self.retrieve_intent(budget, id).await?.state {
                IntentState::Canceled => Ok(Cancellation::Canceled),
                IntentState::Succeeded => Ok(Cancellation::AlreadyPaid),
                IntentState::Unpaid => Err(Error::new(
                    Code::PaymentProviderUnavailable,
                    "This payment is being worked on. Please try again in a minute.",
                )
                .retry_after(30)),
            },
            Err(failure) => Err(unavailable(failure)),
        }
    }

    /// Refunds `amount` of a payment; `key` makes it happen once. Gives the refund's id.
    pub async fn refund(&self, budget: Budget, intent_id: &str, amount: Cents, key: &str) -> Result<String, Error> {
        let request = CreateRefund::new().payment_intent(intent_id).amount(amount.cents());
        let refund = self.send(budget, request, Some(format!("refund:{key}"))).await.map_err(not_refunded)?;
        match refund.status.as_deref() {
            Some("failed" | "canceled") => {
                Err(Error::new(Code::PaymentProviderUnavailable, "The payment provider refused the refund."))
            }
            _ => Ok(refund.id.to_string()),
        }
    }

    /// True for an intent of the same mode, live or test, as our keys.
    pub fn same_mode(&self, intent: &Intent) -> bool {
        intent.livemode == self.live
    }

    async fn send<R>(&self, budget: Budget, request: R, key: Option<String>) -> Result<R::Output, Failure>
    where
        R: StripeRequest,
        R::Output: miniserde::Deserialize,
    {
        let strategy = match key.map(IdempotencyKey::new) {
            Some(Ok(key)) => RequestStrategy::Idempotent(key),
            Some(Err(error)) => return Err(Failure::Unreachable(error.to_string())),
            None => RequestStrategy::Once,
        };
        let mut failed = 0;
        loop {
            let Some(time) = budget.call() else {
                return Err(Failure::Unreachable("no time left".to_owned()));
            };
            let call = request.customize().request_strategy(strategy.clone()).send(&self.client);
            let failure = match tokio::time::timeout(time, call).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(StripeError::Stripe(_, status))) if is_busy(status) => None,
                Ok(Err(StripeError::Stripe(error, status))) if (400..500).contains(&status) => {
                    return Err(Failure::Refused(error));
                }
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => Some("no answer in time".to_owned()),
            };
            if let Some(cause) = failure {
                failed += 1;
                if failed == ATTEMPTS {
                    return Err(Failure::Unreachable(cause));
                }
            }
            tokio::time::sleep(Duration::from_millis(50 + crate::chance::below(150))).await;
        }
    }
}

/// 409: the same idempotency key is still being worked on. 429: too many calls. Both pass by waiting.
fn is_busy(status: u16) -> bool {
    matches!(status, 409 | 429)
}

enum Failure {
    Refused(Box<stripe_shared::ApiErrors>),
    Unreachable(String),
}

impl Failure {
    fn into_error(self, code: Code, sentence: &str) -> Error {
        let cause = match self {
            Self::Refused(error) => format!(
                "refused: {} {}",
                error.code.map(|code| code.to_string()).unwrap_or_default(),
                error.message.unwrap_or_default()
            ),
            Self::Unreachable(cause) => cause,
        };
        Error::new(code, sentence).with_cause(cause).retry_after(30)
    }
}

fn unavailable(failure: Failure) -> Error {
    failure.into_error(
        Code::PaymentProviderUnavailable,
        "Payments cannot be taken right now. Nothing was charged; please try again in a minute.",
    )
}

fn not_refunded(failure: Failure) -> Error {
    failure.into_error(
        Code::PaymentProviderUnavailable,
        "The refund could not be made, and nothing was changed. Please try again in a minute.",
    )
}

fn intent_of(intent: &PaymentIntent) -> Intent {
    let charge = match &intent.latest_charge {
        Some(Expandable::Object(charge)) => Some(charge),
        _ => None,
    };
    Intent {
        id: intent.id.to_string(),
        client_secret: intent.client_secret.clone().unwrap_or_default(),
        state: match intent.status {
            PaymentIntentStatus::Succeeded => IntentState::Succeeded,
            PaymentIntentStatus::Canceled => IntentState::Canceled,
            _ => IntentState::Unpaid,
        },
        amount_received: Cents::from_cents(intent.amount_received),
        currency: intent.currency.to_string(),
        livemode: intent.livemode,
        checkout_id: intent.metadata.get("checkout_id").cloned(),
        billing: charge.and_then(|charge| billing_address(&charge.billing_details)),
        refunded: Cents::from_cents(charge.map_or(0, |charge| charge.amount_refunded)),
    }
}

/// The payer's own name and address, when both are complete.
fn billing_address(details: &stripe_shared::BillingDetails) -> Option<Address> {
    let address = details.address.as_ref()?;
    Some(Address {
        name: details.name.clone()?,
        phone: details.phone.clone(),
        address: PostalAddress {
            line1: address.line1.clone()?,
            line2: address.line2.clone(),
            city: address.city.clone()?,
            state: address.state.clone()?,
            postal_code: address.postal_code.clone()?,
            country: address.country.clone()?,
        },
    })
}
