//! Payment intents: create, find and cancel.

use std::collections::{BTreeMap, HashMap};

use stripe_core::charge::RetrieveCharge;
use stripe_core::payment_intent::{
    CancelPaymentIntent, CreatePaymentIntent, CreatePaymentIntentShipping, CreatePaymentIntentShippingAddress,
    ListPaymentIntent, RetrievePaymentIntent,
};
use stripe_types::Currency;
use wasm_core::money::Cents;
use wasm_core::orders::Card;
use wasm_core::validation::{Address, PostalAddress};

use super::client::{Deadline, Lookup, Provider, ProviderError, lookup, unavailable};
use super::pages::{Filter, PAGE_SIZE, PageCursor, created_since, is_since};
use super::responses::{self, Charge, Reference};
use crate::error::{Code, Error};

/// Parameters of a new payment intent.
pub struct NewPayment<'a> {
    pub checkout_id: &'a str,
    pub user_id: &'a str,
    pub amount: Cents,
    /// Besides the two ids.
    pub metadata: BTreeMap<String, String>,
    /// Shown in the provider's dashboard and cut to 1,000 characters. If the provider rejects the request, it is sent
    /// again without `metadata`, `description` and `shipping`.
    pub description: &'a str,
    pub shipping: &'a Address,
}

/// Stripe's limit.
const MAX_DESCRIPTION: usize = 1_000;

/// A new intent, to be confirmed by the browser.
#[derive(Clone, Debug)]
pub struct NewIntent {
    pub id: String,
    pub client_secret: String,
}

/// A payment intent, reduced to the members that the shop uses.
#[derive(Debug)]
pub struct Intent {
    pub id: String,
    pub state: IntentState,
    pub amount_received: Cents,
    /// In lowercase.
    pub currency: String,
    /// None if the provider has no such member.
    pub livemode: Option<bool>,
    /// None if the provider stores no metadata.
    pub checkout_id: Option<String>,
    /// Billing address of the payment method, if complete.
    pub billing: Option<Address>,
    /// None if the provider does not report it.
    pub card: Option<Card>,
    /// Refunded amount so far. None if the provider does not report it.
    pub refunded: Option<Cents>,
}

/// A payment intent with what the shop stored at the provider.
#[derive(Clone, Debug)]
pub struct Payment {
    pub id: String,
    pub state: IntentState,
    pub amount_received: Cents,
    pub metadata: BTreeMap<String, String>,
    pub shipping: Option<Address>,
}

impl From<responses::PaymentIntent> for Payment {
    fn from(intent: responses::PaymentIntent) -> Self {
        Self {
            state: state_of(&intent.status),
            amount_received: Cents::from_cents(intent.amount_received.unwrap_or(intent.amount)),
            metadata: intent.metadata_values(),
            shipping: intent.shipping.and_then(|shipping| serde_json::from_value(shipping).ok()),
            id: intent.id,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntentState {
    /// Needs a payment method, a confirmation or authentication.
    Unpaid,
    Succeeded,
    Canceled,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Cancellation {
    Canceled,
    AlreadyPaid,
    /// The provider has no such intent.
    Unknown,
}

impl Provider {
    /// Creates an intent, idempotent for each `checkout_id`. Its payment methods are configured at the provider.
    pub async fn create_intent(&self, deadline: Deadline, payment: NewPayment<'_>) -> Result<NewIntent, Error> {
        let NewPayment { checkout_id, user_id, amount, metadata, description, shipping } = payment;
        let ids = HashMap::from([
            ("checkout_id".to_owned(), checkout_id.to_owned()),
            ("user_id".to_owned(), user_id.to_owned()),
        ]);
        let minimal = CreatePaymentIntent::new(amount.cents(), Currency::USD).metadata(ids.clone());
        let full = minimal
            .clone()
            .metadata(ids.into_iter().chain(metadata).collect::<HashMap<_, _>>())
            .description(description.chars().take(MAX_DESCRIPTION).collect::<String>())
            .shipping(shipping_of(shipping));
        let intent = match self.send(deadline, full, Some(format!("intent:{checkout_id}"))).await {
            // Some providers reject unknown parameters, and these are optional.
            Err(ProviderError::Rejected { .. }) => {
                self.send(deadline, minimal, Some(format!("intent:{checkout_id}:bare"))).await
            }
            result => result,
        };
        let intent: responses::PaymentIntent = intent.map_err(unavailable)?;
        let Some(client_secret) = intent.client_secret else {
            return Err(unavailable(ProviderError::invalid("an intent without its client_secret")));
        };
        Ok(NewIntent { id: intent.id, client_secret })
    }

    /// None for an unknown intent: the provider's test data was deleted, or the keys belong to another account.
    pub async fn find_intent(&self, deadline: Deadline, id: &str) -> Result<Option<Intent>, Error> {
        let request = RetrievePaymentIntent::new(id).expand(vec!["latest_charge".to_owned()]);
        let intent: responses::PaymentIntent = match self.send(deadline, request, None).await {
            Ok(intent) => intent,
            Err(error) if error.is_missing() => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        let (state, checkout_id) = (state_of(&intent.status), intent.metadata_value("checkout_id"));
        let charge = match (state, intent.latest_charge) {
            (_, Some(Reference::Object(charge))) => Some(charge),
            (IntentState::Succeeded, Some(Reference::Id(charge_id))) => self.find_charge(deadline, &charge_id).await?,
            _ => None,
        };
        let refunded = match (charge.as_ref().and_then(|charge| charge.amount_refunded), state) {
            (Some(cents), _) => Some(Cents::from_cents(cents)),
            (None, IntentState::Succeeded) => self.sum_refunds(deadline, id).await?,
            (None, _) => None,
        };
        Ok(Some(Intent {
            id: intent.id,
            state,
            amount_received: Cents::from_cents(intent.amount_received.unwrap_or(intent.amount)),
            currency: intent.currency.to_lowercase(),
            livemode: intent.livemode,
            checkout_id,
            card: charge.as_ref().and_then(Charge::card),
            billing: charge.and_then(billing_address),
            refunded,
        }))
    }

    /// None for an unknown intent.
    pub async fn find_payment(&self, deadline: Deadline, id: &str) -> Result<Option<Payment>, Error> {
        match self.send(deadline, RetrievePaymentIntent::new(id), None).await {
            Ok(intent) => Ok(Some(responses::PaymentIntent::into(intent))),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// The next page of the intents that were created at this time or later. None for a provider that does not list
    /// them.
    pub async fn list_payments_page(
        &self,
        since_ms: i64,
        cursor: &mut PageCursor,
    ) -> Result<Option<Vec<Payment>>, Error> {
        let request = |filter, after: Option<&str>| {
            let request = match filter {
                Filter::On => ListPaymentIntent::new().created(created_since(since_ms)),
                Filter::Off => ListPaymentIntent::new(),
            };
            match after {
                Some(id) => request.limit(PAGE_SIZE).starting_after(id),
                None => request.limit(PAGE_SIZE),
            }
        };
        let is_wanted = |intent: &responses::PaymentIntent| is_since(intent.created, since_ms);
        let page: Option<Vec<responses::PaymentIntent>> = self.list_page(None, cursor, request, is_wanted).await?;
        Ok(page.map(|page| page.into_iter().map(Payment::from).collect()))
    }

    pub async fn cancel_intent(&self, deadline: Deadline, id: &str) -> Result<Cancellation, Error> {
        let request = CancelPaymentIntent::new(id);
        let error = match self.send(deadline, request, Some(format!("cancel:{id}"))).await {
            Ok(responses::PaymentIntent { status, .. }) => match state_of(&status) {
                IntentState::Canceled => return Ok(Cancellation::Canceled),
                IntentState::Succeeded => return Ok(Cancellation::AlreadyPaid),
                IntentState::Unpaid => ProviderError::invalid(format!("status {status} after a cancellation")),
            },
            Err(error) => error,
        };
        // The reasons of a rejection vary; the state of the intent decides.
        match self.find_intent(deadline, id).await {
            Ok(Some(intent)) if intent.state == IntentState::Canceled => Ok(Cancellation::Canceled),
            Ok(Some(intent)) if intent.state == IntentState::Succeeded => Ok(Cancellation::AlreadyPaid),
            Ok(None) => Ok(Cancellation::Unknown),
            _ => Err(error.into_error(
                Code::PaymentProviderUnavailable,
                "This payment is being processed. Please try again in a minute.",
            )),
        }
    }

    /// False if the intent is of the other mode, live or test, than the configured keys.
    pub fn same_mode(&self, intent: &Intent) -> bool {
        intent.livemode.is_none_or(|livemode| livemode == self.is_live())
    }

    /// None for an unknown charge, and for a provider without charges.
    async fn find_charge(&self, deadline: Deadline, id: &str) -> Result<Option<Charge>, Error> {
        match lookup(self.send(deadline, RetrieveCharge::new(id), None).await)? {
            Lookup::Found(charge) => Ok(Some(charge)),
            Lookup::Unknown | Lookup::NoEndpoint => Ok(None),
        }
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

/// The payer's name and address, if both are complete. Any holder of the publishable key can set them, and the payment
/// has already succeeded, so invalid characters are removed instead of rejected.
fn billing_address(charge: Charge) -> Option<Address> {
    let details = charge.billing_details?;
    let address = details.address?;
    Some(Address {
        name: sanitize(details.name, MAX_LINE)?,
        phone: sanitize(details.phone, MAX_PHONE),
        address: PostalAddress {
            line1: sanitize(address.line1, MAX_LINE)?,
            line2: sanitize(address.line2, MAX_LINE),
            city: sanitize(address.city, MAX_LINE)?,
            state: sanitize(address.state, MAX_LINE)?,
            postal_code: sanitize(address.postal_code, MAX_PHONE)?,
            country: sanitize(address.country, MAX_PHONE)?,
        },
    })
}

/// Maximum length of a line of an address, in characters.
const MAX_LINE: usize = 100;
/// Maximum length of a phone number.
const MAX_PHONE: usize = 32;

/// Cuts text to one line of `max` characters, without control characters and bidirectional marks. None if that is empty.
fn sanitize(text: Option<String>, max: usize) -> Option<String> {
    let is_visible =
        |c: char| !matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let text = text?;
    let text: String = text.chars().filter(|c| is_visible(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    // Line and paragraph separators count as whitespace.
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
        let sanitized = |text: &str| sanitize(Some(text.to_owned()), MAX_LINE);
        assert_eq!(sanitized(" Ada\r\nBcc: eve@example.com ").as_deref(), Some("Ada Bcc: eve@example.com"));
        assert_eq!(sanitized("Ada\u{202e}ecalevoL\u{2069}").as_deref(), Some("AdaecalevoL"));
        assert_eq!(sanitized("two\u{2028}lines\u{85}three\u{0}").as_deref(), Some("two lines three"));
        assert_eq!(sanitized(&"é".repeat(20_000)), Some("é".repeat(100)));
        assert_eq!(sanitized("André-Marie 李 d’Ампер").as_deref(), Some("André-Marie 李 d’Ампер"));
        for nothing in ["", " ", "\r\n", "\u{202e}", "\u{0}"] {
            assert_eq!(sanitized(nothing), None, "{nothing:?}");
        }
    }
}
