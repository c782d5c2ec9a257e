//! The parameters of the calls about payment intents.

use super::fault::Fault;
use super::form::Form;
use super::ids;
use super::intent::{Intent, Status};
use super::intent_state::{Changes, Presence};
use super::metadata::{self, Metadata};
use super::payment_method::PaymentMethod;
use super::postal::Shipping;
use crate::infra::clock;

/// Stripe's limits for a payment, in cents.
const SMALLEST: i64 = 50;
const LARGEST: i64 = 99_999_999;
const CURRENCIES: &[&str] = &["usd", "cad"];
const METHOD_TYPES: &[&str] = &["card", "link"];
const REASONS: &[&str] = &["duplicate", "fraudulent", "requested_by_customer", "abandoned"];

/// Taken as Stripe takes them; they change nothing here.
const HABITS: &[&str] = &[
    "amount_details",
    "client_attribution_metadata",
    "excluded_payment_method_types",
    "expected_payment_method_type",
    "hooks",
    "mandate_data",
    "payment_details",
    "payment_method_options",
    "payment_user_agent",
    "radar_options",
    "transfer_group",
    "use_stripe_sdk",
];

/// Parameters that name an object, with Stripe's noun for it: this account has none of these.
const ABSENT: &[(&str, &str)] = &[
    ("confirmation_token", "confirmation_token"),
    ("customer", "customer"),
    ("customer_account", "account"),
    ("mandate", "mandate"),
    ("on_behalf_of", "account"),
    ("payment_method_configuration", "payment_method_configuration"),
];

/// A payment method as a caller gives it.
#[derive(Clone, Debug)]
pub enum Offered {
    /// Typed in, or one of Stripe's names for a test card: it is made by this call.
    New(Box<PaymentMethod>),
    /// Made by an earlier call.
    Kept(String),
}

#[derive(Clone, Debug)]
pub struct Creation {
    pub intent: Intent,
    pub offered: Option<Offered>,
    pub confirm: bool,
    pub return_url: Option<String>,
    pub presence: Presence,
}

#[derive(Clone, Debug)]
pub struct Confirmation {
    pub changes: Changes,
    pub offered: Option<Offered>,
    pub return_url: Option<String>,
    pub presence: Presence,
}

pub fn creation(mut form: Form, now_ms: i64) -> Result<Creation, Fault> {
    let amount = form.take_integer("amount")?.ok_or_else(|| Fault::missing("amount"))?;
    let currency = form.take_text("currency")?.ok_or_else(|| Fault::missing("currency"))?;
    let confirm = form.take_flag("confirm")?.unwrap_or(false);
    let return_url = take_url(&mut form)?;
    let presence = take_presence(&mut form)?;
    let offered = take_offered(&mut form, now_ms)?;
    let capture_method = form.take_choice("capture_method", &["automatic", "automatic_async"])?;
    let confirmation_method = form.take_choice("confirmation_method", &["automatic", "manual"])?;
    let listed = take_method_types(&mut form)?;
    let automatic_redirects = take_automatic(&mut form)?;
    let mut changes = take_changes(&mut form)?;
    finish(form)?;
    if !listed.is_empty() && automatic_redirects.is_some() {
        let message = "You may only specify one of these parameters: automatic_payment_methods, \
            payment_method_types.";
        return Err(Fault::invalid(message));
    }
    let currency = checked_currency(&currency)?;
    let id = ids::new_id("pi");
    let intent = Intent {
        client_secret: ids::client_secret(&id),
        id,
        status: Status::RequiresPaymentMethod,
        amount: checked_amount(amount, &currency)?,
        currency,
        created: now_ms / clock::SECOND,
        description: changes.description.take().flatten(),
        metadata: metadata::merged(&Metadata::new(), changes.metadata.take().unwrap_or_default())?,
        receipt_email: changes.receipt_email.take().flatten(),
        setup_future_usage: changes.setup_future_usage.take().flatten(),
        shipping: changes.shipping.take(),
        statement_descriptor: changes.statement_descriptor.take().flatten(),
        statement_descriptor_suffix: changes.statement_descriptor_suffix.take().flatten(),
        capture_method: capture_method.unwrap_or_else(|| "automatic_async".to_owned()),
        confirmation_method: confirmation_method.unwrap_or_else(|| "automatic".to_owned()),
        // Without a list of types Stripe takes whatever the account allows, with redirects.
        automatic_redirects: automatic_redirects.or_else(|| listed.is_empty().then(|| "always".to_owned())),
        payment_method_types: if listed.is_empty() { vec!["card".to_owned()] } else { listed },
        payment_method: None,
        latest_charge: None,
        last_payment_error: None,
        amount_received: 0,
        canceled_at: None,
        cancellation_reason: None,
        return_url: None,
        challenge_url: None,
    };
    Ok(Creation { intent, offered, confirm, return_url, presence })
}

/// An update: the members to change, and a payment method to attach.
pub fn update(mut form: Form, now_ms: i64) -> Result<(Changes, Option<Offered>), Fault> {
    let offered = take_offered(&mut form, now_ms)?;
    let amount = form.take_integer("amount")?;
    let currency = form.take_text("currency")?;
    let mut changes = take_changes(&mut form)?;
    // What the intent was made with stays; it is read to refuse what is none of Stripe's words.
    form.take_choice("capture_method", &["automatic", "automatic_async"])?;
    take_method_types(&mut form)?;
    finish(form)?;
    changes.currency = currency.as_deref().map(checked_currency).transpose()?;
    let unit = changes.currency.as_deref().unwrap_or("usd");
    changes.amount = amount.map(|amount| checked_amount(amount, unit)).transpose()?;
    Ok((changes, offered))
}

pub fn confirmation(mut form: Form, now_ms: i64) -> Result<Confirmation, Fault> {
    let offered = take_offered(&mut form, now_ms)?;
    let return_url = take_url(&mut form)?;
    let presence = take_presence(&mut form)?;
    let changes = Changes {
        receipt_email: form.take_change("receipt_email")?,
        setup_future_usage: take_future_usage(&mut form)?,
        shipping: form.take_form("shipping")?.map(Shipping::from_form).transpose()?,
        ..Changes::default()
    };
    form.take_choice("capture_method", &["automatic", "automatic_async"])?;
    take_method_types(&mut form)?;
    finish(form)?;
    Ok(Confirmation { changes, offered, return_url, presence })
}

/// Why an intent is cancelled.
pub fn cancellation(mut form: Form) -> Result<Option<String>, Fault> {
    let reason = form.take_choice("cancellation_reason", REASONS)?;
    form.refuse_rest()?;
    Ok(reason)
}

fn finish(mut form: Form) -> Result<(), Fault> {
    for (param, noun) in ABSENT {
        if let Some(id) = form.take_text(param)? {
            return Err(Fault::no_such(noun, &id, param));
        }
    }
    for habit in HABITS {
        form.ignore(habit);
    }
    form.refuse_rest()
}

fn take_changes(form: &mut Form) -> Result<Changes, Fault> {
    Ok(Changes {
        amount: None,
        currency: None,
        description: form.take_change("description")?,
        metadata: metadata::take_metadata(form)?,
        receipt_email: form.take_change("receipt_email")?,
        setup_future_usage: take_future_usage(form)?,
        shipping: form.take_form("shipping")?.map(Shipping::from_form).transpose()?,
        statement_descriptor: form.take_change("statement_descriptor")?,
        statement_descriptor_suffix: form.take_change("statement_descriptor_suffix")?,
    })
}

fn take_future_usage(form: &mut Form) -> Result<Option<Option<String>>, Fault> {
    match form.take_change("setup_future_usage")? {
        Some(Some(usage)) if !matches!(usage.as_str(), "on_session" | "off_session") => {
            let message = "Invalid setup_future_usage: must be one of on_session, off_session";
            Err(Fault::invalid(message).param("setup_future_usage"))
        }
        other => Ok(other),
    }
}

fn take_offered(form: &mut Form, now_ms: i64) -> Result<Option<Offered>, Fault> {
    let named = form.take_text("payment_method")?;
    let typed = form.take_form("payment_method_data")?;
    match (named, typed) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => {
            Err(Fault::invalid("You may only specify one of these parameters: payment_method, payment_method_data."))
        }
        (None, Some(data)) => {
            let method = PaymentMethod::from_form(data, now_ms)?;
            Ok(Some(Offered::New(Box::new(method))))
        }
        (Some(id), None) => Ok(Some(match PaymentMethod::named(&id, now_ms) {
            Some(method) => Offered::New(Box::new(method)),
            None => Offered::Kept(id),
        })),
    }
}

/// `off_session` is a flag or one of two words for the kind of payment.
fn take_presence(form: &mut Form) -> Result<Presence, Fault> {
    let off_session = form.take_choice("off_session", &["true", "false", "one_off", "recurring"])?;
    let fails = form.take_flag("error_on_requires_action")?.unwrap_or(false);
    Ok(match off_session.as_deref() {
        None | Some("false") if fails => Presence::NotAsked,
        None | Some("false") => Presence::There,
        Some(_) => Presence::Away,
    })
}

fn take_method_types(form: &mut Form) -> Result<Vec<String>, Fault> {
    let types = form.take_texts("payment_method_types")?;
    match types.iter().find(|kind| !METHOD_TYPES.contains(&kind.as_str())) {
        None => Ok(types),
        Some(kind) => {
            let message = format!("The payment method type \"{kind}\" is invalid.");
            Err(Fault::invalid(message).param("payment_method_types"))
        }
    }
}

/// Stripe's `allow_redirects` when automatic payment methods are asked for.
fn take_automatic(form: &mut Form) -> Result<Option<String>, Fault> {
    let Some(mut automatic) = form.take_form("automatic_payment_methods")? else {
        return Ok(None);
    };
    let enabled =
        automatic.take_flag("enabled")?.ok_or_else(|| Fault::missing("automatic_payment_methods[enabled]"))?;
    let redirects = automatic.take_choice("allow_redirects", &["always", "never"])?;
    automatic.refuse_rest()?;
    Ok(enabled.then(|| redirects.unwrap_or_else(|| "always".to_owned())))
}

/// A web address; anything else could not be gone back to, or would run as a script.
fn take_url(form: &mut Form) -> Result<Option<String>, Fault> {
    let Some(text) = form.take_text("return_url")? else {
        return Ok(None);
    };
    match reqwest::Url::parse(&text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Some(text)),
        _ => Err(Fault::invalid("Not a valid URL").code("url_invalid").param("return_url")),
    }
}

fn checked_currency(text: &str) -> Result<String, Fault> {
    let currency = text.to_ascii_lowercase();
    if CURRENCIES.contains(&currency.as_str()) {
        return Ok(currency);
    }
    let message = format!("Invalid currency: {text}. Test mode supports these currencies: {}", CURRENCIES.join(", "));
    Err(Fault::invalid(message).param("currency"))
}

fn checked_amount(amount: i64, currency: &str) -> Result<i64, Fault> {
    if amount < 1 {
        let fault = Fault::invalid("This value must be greater than or equal to 1.");
        return Err(fault.code("parameter_invalid_integer").param("amount"));
    }
    if amount < SMALLEST {
        let fault = Fault::invalid(format!("Amount must be at least $0.50 {currency}"));
        return Err(fault.code("amount_too_small").param("amount"));
    }
    if amount > LARGEST {
        let fault = Fault::invalid("Amount must be no more than $999,999.99");
        return Err(fault.code("amount_too_large").param("amount"));
    }
    Ok(amount)
}
