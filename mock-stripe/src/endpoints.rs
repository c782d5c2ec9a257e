//! `/v1/webhook_endpoints`: create, list and delete endpoints besides the shop's own.

use serde_json::{Value, json};

use crate::api_error::{ApiError, CallError};
use crate::api_response::ApiResponse;
use crate::call::Call;
use crate::clock;
use crate::queue::{self, Endpoint};
use crate::{API_VERSION, ids, lists};

/// The secret is returned only in this response.
pub async fn create(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let mut form = std::mem::take(&mut call.form);
    let url = form.take_text("url")?.ok_or_else(|| ApiError::missing("url"))?;
    let enabled_events = form.take_texts("enabled_events")?;
    for unused in ["api_version", "description", "metadata"] {
        form.ignore(unused);
    }
    form.reject_unknown()?;
    if enabled_events.is_empty() {
        return Err(ApiError::missing("enabled_events").into());
    }
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(ApiError::invalid("Invalid URL: An explicit scheme (such as https) must be provided.")
            .code("url_invalid")
            .param("url")
            .into());
    }
    let endpoint = Endpoint {
        id: ids::new_id("we"),
        url,
        secret: format!("whsec_{}", ids::letters(40)),
        enabled_events,
        created_at: call.origin.now_ms,
    };
    call.perform(endpoint, |tx, endpoint| {
        Box::pin(async move {
            queue::insert_endpoint(tx, endpoint).await?;
            let mut shown = show(endpoint);
            shown["secret"] = json!(endpoint.secret);
            Ok(shown)
        })
    })
    .await
}

pub async fn list(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let range = lists::take_range(&mut call.form)?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let newest_first = queue::list_endpoints(&mut connection).await?.iter().rev().map(show).collect();
    Ok(ApiResponse::ok(&lists::part("/v1/webhook_endpoints", newest_first, &range)))
}

pub async fn delete(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let id = call.id.clone();
    call.perform(id, |tx, id| {
        Box::pin(async move {
            if !queue::delete_endpoint(tx, id).await? {
                return Err(ApiError::not_found("webhook endpoint", id, "id").into());
            }
            Ok(json!({ "id": id, "object": "webhook_endpoint", "deleted": true }))
        })
    })
    .await
}

fn show(endpoint: &Endpoint) -> Value {
    json!({
        "id": endpoint.id,
        "object": "webhook_endpoint",
        "api_version": API_VERSION,
        "application": null,
        "created": endpoint.created_at / clock::SECOND,
        "description": null,
        "enabled_events": endpoint.enabled_events,
        "livemode": false,
        "metadata": {},
        "status": "enabled",
        "url": endpoint.url,
    })
}
