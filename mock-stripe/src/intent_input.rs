//! Parameters of payment intents.

use crate::api_error::ApiError;
use crate::clock;
use crate::form::Form;
use crate::ids;
use crate::intent::{Intent, Status};
use crate::intent_state::{Changes, Presence};
use crate::metadata::{self, Metadata};
use crate::payment_method::PaymentMethod;
use crate::postal::Shipping;

/// Stripe's limits for a payment, in cents.
const SMALLEST: i64 = 50;
const LARGEST: i64 = 99_999_999;
const CURRENCIES: &[&str] = &["usd", "cad"];
const METHOD_TYPES: &[&str] = &["card", "link"];
const REASONS: &[&str] = &["duplicate", "fraudulent", "requested_by_customer", "abandoned"];

/// Accepted as by Stripe, without effect.
const IGNORED: &[&str] = &[
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

/// Unsupported parameters: they refer to objects that the mock does not have. The second name is Stripe's noun.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("confirmation_token", "confirmation_token"),
    ("customer", "customer"),
    ("customer_account", "account"),
    ("mandate", "mandate"),
    ("on_behalf_of", "account"),
    ("payment_method_configuration", "payment_method_configuration"),
];

/// A given payment method.
#[derive(Clone, Debug)]
pub enum Offered {
    /// Card data or the name of a test card: created by this request.
    New(Box<PaymentMethod>),
    /// Created by an earlier request.
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

pub fn creation(mut form: Form, now_ms: i64) -> Result<Creation, ApiError> {
    let amount = form.take_integer("amount")?.ok_or_else(|| ApiError::missing("amount"))?;
    let currency = form.take_text("currency")?.ok_or_else(|| ApiError::missing("currency"))?;
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
        return Err(ApiError::invalid(message));
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
        // Without a list of types Stripe uses the account's payment methods, including redirects.
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

/// An update: the changed members, and a payment method to attach.
pub fn update(mut form: Form, now_ms: i64) -> Result<(Changes, Option<Offered>), ApiError> {
    let offered = take_offered(&mut form, now_ms)?;
    let amount = form.take_integer("amount")?;
    let currency = form.take_text("currency")?;
    let mut changes = take_changes(&mut form)?;
    // Immutable members; parsed only to reject invalid values.
    form.take_choice("capture_method", &["automatic", "automatic_async"])?;
    take_method_types(&mut form)?;
    finish(form)?;
    changes.currency = currency.as_deref().map(checked_currency).transpose()?;
    let unit = changes.currency.as_deref().unwrap_or("usd");
    changes.amount = amount.map(|amount| checked_amount(amount, unit)).transpose()?;
    Ok((changes, offered))
}

pub fn confirmation(mut form: Form, now_ms: i64) -> Result<Confirmation, ApiError> {
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

/// Cancellation reasons.
pub fn cancellation(mut form: Form) -> Result<Option<String>, ApiError> {
    let reason = form.take_choice("cancellation_reason", REASONS)?;
    form.reject_unknown()?;
    Ok(reason)
}

fn finish(mut form: Form) -> Result<(), ApiError> {
    for (param, noun) in UNSUPPORTED {
        if let Some(id) = form.take_text(param)? {
            return Err(ApiError::no_such(noun, &id, param));
        }
    }
    for param in IGNORED {
        form.ignore(param);
    }
    form.reject_unknown()
}

fn take_changes(form: &mut Form) -> Result<Changes, ApiError> {
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

fn take_future_usage(form: &mut Form) -> Result<Option<Option<String>>, ApiError> {
    match form.take_change("setup_future_usage")? {
        Some(Some(usage)) if !matches!(usage.as_str(), "on_session" | "off_session") => {
            let message = "Invalid setup_future_usage: must be one of on_session, off_session";
            Err(ApiError::invalid(message).param("setup_future_usage"))
        }
        other => Ok(other),
    }
}

fn take_offered(form: &mut Form, now_ms: i64) -> Result<Option<Offered>, ApiError> {
    let named = form.take_text("payment_method")?;
    let typed = form.take_form("payment_method_data")?;
    match (named, typed) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => {
            Err(ApiError::invalid("You may only specify one of these parameters: payment_method, payment_method_data."))
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

/// `off_session` is a flag or one of two payment types.
fn take_presence(form: &mut Form) -> Result<Presence, ApiError> {
    let off_session = form.take_choice("off_session", &["true", "false", "one_off", "recurring"])?;
    let fails = form.take_flag("error_on_requires_action")?.unwrap_or(false);
    Ok(match off_session.as_deref() {
        None | Some("false") if fails => Presence::NotAsked,
        None | Some("false") => Presence::There,
        Some(_) => Presence::Away,
    })
}

fn take_method_types(form: &mut Form) -> Result<Vec<String>, ApiError> {
    let types = form.take_texts("payment_method_types")?;
    match types.iter().find(|kind| !METHOD_TYPES.contains(&kind.as_str())) {
        None => Ok(types),
        Some(kind) => {
            let message = format!("The payment method type \"{kind}\" is invalid.");
            Err(ApiError::invalid(message).param("payment_method_types"))
        }
    }
}

/// Stripe's `allow_redirects` for automatic payment methods.
fn take_automatic(form: &mut Form) -> Result<Option<String>, ApiError> {
    let Some(mut automatic) = form.take_form("automatic_payment_methods")? else {
        return Ok(None);
    };
    let enabled =
        automatic.take_flag("enabled")?.ok_or_else(|| ApiError::missing("automatic_payment_methods[enabled]"))?;
    let redirects = automatic.take_choice("allow_redirects", &["always", "never"])?;
    automatic.reject_unknown()?;
    Ok(enabled.then(|| redirects.unwrap_or_else(|| "always".to_owned())))
}

/// An HTTP URL. Other URLs cannot be redirect targets, or would run as a script.
fn take_url(form: &mut Form) -> Result<Option<String>, ApiError> {
    let Some(text) = form.take_text("return_url")? else {
        return Ok(None);
    };
    match url::Url::parse(&text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Some(text)),
        _ => Err(ApiError::invalid("Not a valid URL").code("url_invalid").param("return_url")),
    }
}

fn checked_currency(text: &str) -> Result<String, ApiError> {
    let currency = text.to_ascii_lowercase();
    if CURRENCIES.contains(&currency.as_str()) {
        return Ok(currency);
    }
    let message = format!("Invalid currency: {text}. Test mode supports these currencies: {}", CURRENCIES.join(", "));
    Err(ApiError::invalid(message).param("currency"))
}

fn checked_amount(amount: i64, currency: &str) -> Result<i64, ApiError> {
    if amount < 1 {
        let error = ApiError::invalid("This value must be greater than or equal to 1.");
        return Err(error.code("parameter_invalid_integer").param("amount"));
    }
    if amount < SMALLEST {
        let error = ApiError::invalid(format!("Amount must be at least $0.50 {currency}"));
        return Err(error.code("amount_too_small").param("amount"));
    }
    if amount > LARGEST {
        let error = ApiError::invalid("Amount must be no more than $999,999.99");
        return Err(error.code("amount_too_large").param("amount"));
    }
    Ok(amount)
}
