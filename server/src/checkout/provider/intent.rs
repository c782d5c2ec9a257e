//! Payment intents: making, asking for and cancelling one.

use std::collections::HashMap;

use stripe_core::charge::RetrieveCharge;
use stripe_core::payment_intent::{
    CancelPaymentIntent, CreatePaymentIntent, CreatePaymentIntentShipping, CreatePaymentIntentShippingAddress,
    RetrievePaymentIntent,
};
use stripe_types::Currency;
use wasm_core::money::Cents;
use wasm_core::validation::{Address, PostalAddress};

use super::responses::{self, Charge, Reference};
use super::{Budget, Failure, Provider, unavailable};
use crate::http::error::{Code, Error};

/// What an intent is made of.
pub struct NewPayment<'a> {
    pub checkout_id: &'a str,
    pub user_id: &'a str,
    pub amount: Cents,
    /// For people who look at the payment at the provider; at most 1,000 characters are sent. A provider that rejects it
    /// is asked again without it and without `shipping`.
    pub description: &'a str,
    pub shipping: &'a Address,
}

/// Stripe takes no longer description.
const DESCRIPTION: usize = 1_000;

/// An intent that waits for the browser.
#[derive(Clone, Debug)]
pub struct NewIntent {
    pub id: String,
    pub client_secret: String,
}

/// A payment intent, as far as the shop cares.
#[derive(Debug)]
pub struct Intent {
    pub id: String,
    pub state: IntentState,
    pub amount_received: Cents,
    /// In small letters.
    pub currency: String,
    /// None when the provider does not say.
    pub livemode: Option<bool>,
    /// None when the provider kept no metadata.
    pub checkout_id: Option<String>,
    /// From the payment method, when it has a complete one.
    pub billing: Option<Address>,
    /// What has gone back to the customer so far; none when the provider does not say.
    pub refunded: Option<Cents>,
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
    /// The provider says that there is no such intent.
    Unknown,
}

impl Provider {
    /// Asked again with the same `checkout_id` it answers with the same intent. Which payment methods it takes
    /// is the provider's own setting.
    pub async fn create_intent(&self, budget: Budget, payment: NewPayment<'_>) -> Result<NewIntent, Error> {
        let NewPayment { checkout_id, user_id, amount, description, shipping } = payment;
        let metadata = HashMap::from([
            ("checkout_id".to_owned(), checkout_id.to_owned()),
            ("user_id".to_owned(), user_id.to_owned()),
        ]);
        let bare = CreatePaymentIntent::new(amount.cents(), Currency::USD).metadata(metadata);
        let described = bare
            .clone()
            .description(description.chars().take(DESCRIPTION).collect::<String>())
            .shipping(shipping_of(shipping));
        let intent = match self.send(budget, described, Some(format!("intent:{checkout_id}"))).await {
            // Some providers reject parameters that they do not know. A payment can do without these two.
            Err(Failure::Refused(_)) => self.send(budget, bare, Some(format!("intent:{checkout_id}:bare"))).await,
            sent => sent,
        };
        let intent: responses::PaymentIntent = intent.map_err(unavailable)?;
        let Some(client_secret) = intent.client_secret else {
            return Err(unavailable(Failure::Unreadable("an intent without its client_secret".to_owned())));
        };
        Ok(NewIntent { id: intent.id, client_secret })
    }

    /// None when the provider says that there is no such intent: its test data was deleted, or our keys are those
    /// of another account.
    pub async fn find_intent(&self, budget: Budget, id: &str) -> Result<Option<Intent>, Error> {
        let request = RetrievePaymentIntent::new(id).expand(vec!["latest_charge".to_owned()]);
        let intent: responses::PaymentIntent = match self.send(budget, request, None).await {
            Ok(intent) => intent,
            Err(failure) if failure.is_missing() => return Ok(None),
            Err(failure) => return Err(unavailable(failure)),
        };
        let (state, checkout_id) = (state_of(&intent.status), intent.note("checkout_id"));
        let charge = match (state, intent.latest_charge) {
            (_, Some(Reference::Object(charge))) => Some(charge),
            (IntentState::Succeeded, Some(Reference::Id(charge_id))) => self.find_charge(budget, &charge_id).await?,
            _ => None,
        };
        let refunded = match (charge.as_ref().and_then(|charge| charge.amount_refunded), state) {
            (Some(cents), _) => Some(Cents::from_cents(cents)),
            (None, IntentState::Succeeded) => self.sum_refunds(budget, id).await?,
            (None, _) => None,
        };
        Ok(Some(Intent {
            id: intent.id,
            state,
            amount_received: Cents::from_cents(intent.amount_received.unwrap_or(intent.amount)),
            currency: intent.currency.to_lowercase(),
            livemode: intent.livemode,
            checkout_id,
            billing: charge.and_then(billing_address),
            refunded,
        }))
    }

    pub async fn cancel_intent(&self, budget: Budget, id: &str) -> Result<Cancellation, Error> {
        let request = CancelPaymentIntent::new(id);
        let failure = match self.send(budget, request, Some(format!("cancel:{id}"))).await {
            Ok(responses::PaymentIntent { status, .. }) => match state_of(&status) {
                IntentState::Canceled => return Ok(Cancellation::Canceled),
                IntentState::Succeeded => return Ok(Cancellation::AlreadyPaid),
                IntentState::Unpaid => Failure::Unreadable(format!("cancelled, but {status}")),
            },
            Err(failure) => failure,
        };
        // A refusal has many reasons and words; how the intent stands decides.
        match self.find_intent(budget, id).await {
            Ok(Some(intent)) if intent.state == IntentState::Canceled => Ok(Cancellation::Canceled),
            Ok(Some(intent)) if intent.state == IntentState::Succeeded => Ok(Cancellation::AlreadyPaid),
            Ok(None) => Ok(Cancellation::Unknown),
            _ => Err(failure.into_error(
                Code::PaymentProviderUnavailable,
                "This payment is being worked on. Please try again in a minute.",
            )),
        }
    }

    /// True unless the provider says that an intent is of the other mode, live or test, than our keys.
    pub fn same_mode(&self, intent: &Intent) -> bool {
        intent.livemode.is_none_or(|livemode| livemode == self.live)
    }

    /// True for a payment with which real money moved.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// None when the provider does not know of charges.
    async fn find_charge(&self, budget: Budget, id: &str) -> Result<Option<Charge>, Error> {
        known(self.send(budget, RetrieveCharge::new(id), None).await)
    }
}

/// Not to know such a call is an answer too.
pub(super) fn known<T>(answer: Result<T, Failure>) -> Result<Option<T>, Error> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Failure::Refused(_) | Failure::Unreadable(_)) => Ok(None),
        Err(failure) => Err(unavailable(failure)),
    }
}

fn state_of(status: &str) -> IntentState {
    match status {
        "succeeded" => IntentState::Succeeded,
        "canceled" => IntentState::Canceled,
        _ => IntentState::Unpaid,
    }
}

fn shipping_of(address: &Address) -> CreatePaymentIntentShipping {
    let postal = &address.address;
    let mut to = CreatePaymentIntentShippingAddress::new();
    to.line1 = Some(postal.line1.clone());
    to.line2 = postal.line2.clone();
    to.city = Some(postal.city.clone());
    to.state = Some(postal.state.clone());
    to.postal_code = Some(postal.postal_code.clone());
    to.country = Some(postal.country.clone());
    let mut shipping = CreatePaymentIntentShipping::new(to, &address.name);
    shipping.phone = address.phone.clone();
    shipping
}

/// The payer's own name and address, when both are complete. Whoever holds the publishable key decides what is in them,
/// and the payment is made by now: what a shipping address is refused for is taken out.
fn billing_address(charge: Charge) -> Option<Address> {
    let details = charge.billing_details?;
    let address = details.address?;
    Some(Address {
        name: tidy(details.name, LINE)?,
        phone: tidy(details.phone, PHONE),
        address: PostalAddress {
            line1: tidy(address.line1, LINE)?,
            line2: tidy(address.line2, LINE),
            city: tidy(address.city, LINE)?,
            state: tidy(address.state, LINE)?,
            postal_code: tidy(address.postal_code, PHONE)?,
            country: tidy(address.country, PHONE)?,
        },
    })
}

/// As long as a line of a shipping address may be, in characters.
const LINE: usize = 100;
/// As long as a phone number may be.
const PHONE: usize = 32;

/// One line without control characters and direction marks, of at most so many characters; none where nothing is left.
fn tidy(text: Option<String>, max: usize) -> Option<String> {
    let shown =
        |c: char| !matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let text = text?;
    let text: String = text.chars().filter(|c| shown(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    // Line and paragraph separators are whitespace too.
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(max).collect();
    let line = line.trim_end();
    (!line.is_empty()).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_payer_typed_is_one_short_line_that_reads_as_it_is_written() {
        let tidied = |text: &str| tidy(Some(text.to_owned()), LINE);
        assert_eq!(tidied(" Ada\r\nBcc: eve@example.com ").as_deref(), Some("Ada Bcc: eve@example.com"));
        assert_eq!(tidied("Ada\u{202e}ecalevoL\u{2069}").as_deref(), Some("AdaecalevoL"));
        assert_eq!(tidied("two\u{2028}lines\u{85}three\u{0}").as_deref(), Some("two lines three"));
        assert_eq!(tidied(&"é".repeat(20_000)), Some("é".repeat(100)));
        assert_eq!(tidied("André-Marie 李 d’Ампер").as_deref(), Some("André-Marie 李 d’Ампер"));
        for nothing in ["", " ", "\r\n", "\u{202e}", "\u{0}"] {
            assert_eq!(tidied(nothing), None, "{nothing:?}");
        }
    }
}
