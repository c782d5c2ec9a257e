//! `/v1/payment_intents`: create, retrieve, list, update, confirm, cancel.
//!
//! The secret key may call all of them. A publishable key may retrieve and confirm the intent whose
//! `client_secret` it shows, and sees only the intent's public part.

use serde_json::Value;
use sqlx::AnyConnection;

use super::call::{Answer, Call};
use super::expand::{self, Expansion};
use super::fault::{Fault, Halt};
use super::intent::{self, Intent};
use super::intent_input;
use super::intent_progress::{self, Wish};
use super::intent_state::{Decided, Step};
use super::keys::KeyKind;
use super::{lists, store};

pub async fn create(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let view = View::take(&mut call)?;
    let creation = intent_input::creation(std::mem::take(&mut call.form), call.origin.now_ms)?;
    let mut wish = Wish::new(&call.stripe, &call.origin);
    wish.offered = creation.offered;
    wish.step =
        creation.confirm.then_some(Step::Confirm { return_url: creation.return_url, presence: creation.presence });
    let intent = creation.intent;
    call.perform(move |tx| {
        let (intent, wish, view) = (intent.clone(), wish.clone(), view.clone());
        Box::pin(async move {
            let decided = intent_progress::begin(tx, &intent, &wish).await?;
            view.of(tx, decided).await
        })
    })
    .await
}

pub async fn retrieve(mut call: Call) -> Result<Answer, Halt> {
    let view = View::take(&mut call)?;
    let shown = call.form.take_text("client_secret")?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let intent: Intent = expand::load(&mut connection, "payment_intent", &call.id, "intent").await?;
    view.authorize(&intent, shown.as_deref())?;
    Ok(Answer::ok(&view.render(&mut connection, &intent).await?))
}

pub async fn list(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "payment_intent")?;
    let stretch = lists::take_stretch(&mut call.form)?;
    if let Some(id) = call.form.take_text("customer")? {
        return Err(Fault::no_such("customer", &id, "customer").into());
    }
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let found: Vec<Intent> = store::list(&mut connection, &stretch.with_one_more()).await?;
    let mut page = lists::page("/v1/payment_intents", found.iter().map(Intent::to_json).collect(), &stretch);
    expansion.apply(&mut connection, &mut page).await?;
    Ok(Answer::ok(&page))
}

pub async fn update(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let mut wish = Wish::new(&call.stripe, &call.origin);
    let view = View::take(&mut call)?;
    let (changes, offered) = intent_input::update(std::mem::take(&mut call.form), call.origin.now_ms)?;
    wish.changes = changes;
    wish.offered = offered;
    advance(call, view, wish, None).await
}

pub async fn confirm(mut call: Call) -> Result<Answer, Halt> {
    let mut wish = Wish::new(&call.stripe, &call.origin);
    let view = View::take(&mut call)?;
    let shown = call.form.take_text("client_secret")?;
    let confirmation = intent_input::confirmation(std::mem::take(&mut call.form), call.origin.now_ms)?;
    wish.changes = confirmation.changes;
    wish.offered = confirmation.offered;
    wish.step = Some(Step::Confirm { return_url: confirmation.return_url, presence: confirmation.presence });
    advance(call, view, wish, shown).await
}

pub async fn cancel(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let mut wish = Wish::new(&call.stripe, &call.origin);
    let view = View::take(&mut call)?;
    let reason = intent_input::cancellation(std::mem::take(&mut call.form))?;
    wish.step = Some(Step::Cancel { reason });
    advance(call, view, wish, None).await
}

/// Takes the intent in the path one step on. `shown` is the client secret, where the call may carry one.
async fn advance(call: Call, view: View, wish: Wish, shown: Option<String>) -> Result<Answer, Halt> {
    let id = call.id.clone();
    call.perform(move |tx| {
        let (id, view, wish, shown) = (id.clone(), view.clone(), wish.clone(), shown.clone());
        Box::pin(async move {
            let intent: Intent =
                store::take(tx, &id).await?.ok_or_else(|| Fault::not_found("payment_intent", &id, "intent"))?;
            view.authorize(&intent, shown.as_deref())?;
            match intent_progress::advance(tx, &intent, &wish).await {
                Ok(decided) => view.of(tx, decided).await,
                Err(Halt::Refused(fault)) => Err(view.refuse(tx, fault, &intent).await?),
                Err(failed) => Err(failed),
            }
        })
    })
    .await
}

/// How much of an intent the caller sees.
#[derive(Clone, Debug)]
struct View {
    caller: KeyKind,
    expansion: Expansion,
}

impl View {
    fn take(call: &mut Call) -> Result<Self, Fault> {
        Ok(Self { caller: call.caller, expansion: Expansion::of(&mut call.form, "payment_intent")? })
    }

    /// A publishable key needs the client secret; whoever shows one must show the right one.
    fn authorize(&self, intent: &Intent, shown: Option<&str>) -> Result<(), Fault> {
        match (self.caller, shown) {
            (KeyKind::Publishable, None) => Err(Fault::missing("client_secret")),
            (_, Some(secret)) if !intent.is_known_by(secret) => Err(Fault::invalid(
                "The client_secret provided does not match the client_secret associated with the PaymentIntent.",
            )
            .param("client_secret")),
            _ => Ok(()),
        }
    }

    async fn render(&self, connection: &mut AnyConnection, intent: &Intent) -> Result<Value, Halt> {
        let mut shown = intent.to_json();
        self.expansion.apply(connection, &mut shown).await?;
        Ok(match self.caller {
            KeyKind::Secret => shown,
            KeyKind::Publishable => intent::public_view(shown),
        })
    }

    async fn of(&self, tx: &mut AnyConnection, decided: Decided) -> Result<Value, Halt> {
        match decided.refusal {
            None => self.render(tx, &decided.intent).await,
            Some(fault) => Err(self.refuse(tx, fault, &decided.intent).await?),
        }
    }

    /// The refusal with the intent as it is now.
    async fn refuse(&self, tx: &mut AnyConnection, fault: Fault, intent: &Intent) -> Result<Halt, Halt> {
        let shown = self.render(tx, intent).await?;
        Ok(Halt::Refused(fault.with("payment_intent", shown)))
    }
}
