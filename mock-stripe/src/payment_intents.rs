//! `/v1/payment_intents`: create, retrieve, list, update, confirm, cancel.
//!
//! The secret key may use every operation. A publishable key may retrieve and confirm an intent with its
//! `client_secret`, and sees only the public members.

use serde_json::Value;
use sqlx::AnyConnection;

use crate::api_error::{ApiError, CallError};
use crate::api_response::ApiResponse;
use crate::call::Call;
use crate::expand::{self, Expansion};
use crate::intent::{self, Intent};
use crate::intent_input;
use crate::intent_progress::{self, IntentRequest};
use crate::intent_state::{Step, Transition};
use crate::keys::KeyKind;
use crate::store::Resource as _;
use crate::{lists, resources, store};

pub async fn create(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let view = View::take(&mut call)?;
    let creation = intent_input::creation(std::mem::take(&mut call.form), call.origin.now_ms)?;
    let mut request = IntentRequest::new(&call.stripe, &call.origin);
    request.offered = creation.offered;
    request.step =
        creation.confirm.then_some(Step::Confirm { return_url: creation.return_url, presence: creation.presence });
    let intent = creation.intent;
    call.perform((intent, request, view), |tx, (intent, request, view)| {
        Box::pin(async move {
            let transition = intent_progress::begin(tx, intent, request).await?;
            view.of(tx, transition).await
        })
    })
    .await
}

pub async fn retrieve(mut call: Call) -> Result<ApiResponse, CallError> {
    let view = View::take(&mut call)?;
    let shown = call.form.take_text("client_secret")?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let intent: Intent = expand::load(&mut connection, "payment_intent", &call.id, "intent").await?;
    view.authorize(&intent, shown.as_deref())?;
    Ok(ApiResponse::ok(&view.render(&mut connection, &intent).await?))
}

pub async fn list(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "payment_intent")?;
    let range = lists::take_range(&mut call.form)?;
    if let Some(id) = call.form.take_text("customer")? {
        return Err(ApiError::no_such("customer", &id, "customer").into());
    }
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    resources::page::<Intent>(&mut connection, &range, &expansion).await
}

pub async fn update(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let mut request = IntentRequest::new(&call.stripe, &call.origin);
    let view = View::take(&mut call)?;
    let (changes, offered) = intent_input::update(std::mem::take(&mut call.form), call.origin.now_ms)?;
    request.changes = changes;
    request.offered = offered;
    advance(call, view, request, None).await
}

pub async fn confirm(mut call: Call) -> Result<ApiResponse, CallError> {
    let mut request = IntentRequest::new(&call.stripe, &call.origin);
    let view = View::take(&mut call)?;
    let shown = call.form.take_text("client_secret")?;
    let confirmation = intent_input::confirmation(std::mem::take(&mut call.form), call.origin.now_ms)?;
    request.changes = confirmation.changes;
    request.offered = confirmation.offered;
    request.step = Some(Step::Confirm { return_url: confirmation.return_url, presence: confirmation.presence });
    advance(call, view, request, shown).await
}

pub async fn cancel(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let mut request = IntentRequest::new(&call.stripe, &call.origin);
    let view = View::take(&mut call)?;
    let reason = intent_input::cancellation(std::mem::take(&mut call.form))?;
    request.step = Some(Step::Cancel { reason });
    advance(call, view, request, None).await
}

/// Advances the intent in the path. `shown` is the client secret, if the request may carry one.
async fn advance(
    call: Call,
    view: View,
    request: IntentRequest,
    shown: Option<String>,
) -> Result<ApiResponse, CallError> {
    let id = call.id.clone();
    call.perform((id, view, request, shown), |tx, (id, view, request, shown)| {
        Box::pin(async move {
            let intent: Intent =
                store::lock(tx, id).await?.ok_or_else(|| ApiError::not_found("payment_intent", id, "intent"))?;
            view.authorize(&intent, shown.as_deref())?;
            match intent_progress::advance(tx, &intent, request).await {
                Ok(transition) => view.of(tx, transition).await,
                Err(CallError::Api(error)) => Err(view.with_intent(tx, error, &intent).await?),
                Err(failed) => Err(failed),
            }
        })
    })
    .await
}

/// The members of an intent that the caller may see.
#[derive(Clone, Debug)]
struct View {
    caller: KeyKind,
    expansion: Expansion,
}

impl View {
    fn take(call: &mut Call) -> Result<Self, ApiError> {
        Ok(Self { caller: call.caller, expansion: Expansion::of(&mut call.form, "payment_intent")? })
    }

    /// A publishable key needs the client secret; a given client secret must be correct.
    fn authorize(&self, intent: &Intent, shown: Option<&str>) -> Result<(), ApiError> {
        match (self.caller, shown) {
            (KeyKind::Publishable, None) => Err(ApiError::missing("client_secret")),
            (_, Some(secret)) if !intent.is_known_by(secret) => Err(ApiError::invalid(
                "The client_secret provided does not match the client_secret associated with the PaymentIntent.",
            )
            .param("client_secret")),
            _ => Ok(()),
        }
    }

    async fn render(&self, connection: &mut AnyConnection, intent: &Intent) -> Result<Value, CallError> {
        let mut shown = intent.to_json();
        self.expansion.apply(connection, &mut shown).await?;
        Ok(match self.caller {
            KeyKind::Secret => shown,
            KeyKind::Publishable => intent::public_view(shown),
        })
    }

    async fn of(&self, tx: &mut AnyConnection, transition: Transition) -> Result<Value, CallError> {
        match transition.error {
            None => self.render(tx, &transition.intent).await,
            Some(error) => Err(self.with_intent(tx, error, &transition.intent).await?),
        }
    }

    /// The error with the current intent.
    async fn with_intent(
        &self,
        tx: &mut AnyConnection,
        error: ApiError,
        intent: &Intent,
    ) -> Result<CallError, CallError> {
        let shown = self.render(tx, intent).await?;
        Ok(CallError::Api(error.with("payment_intent", shown)))
    }
}
