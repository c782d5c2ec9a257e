//! The ID of the request that a task handles, and the IDs of its payment and order for the log.

use tracing::Span;

tokio::task_local! {
    static REQUEST_ID: String;
}

/// ID of the request that this task handles; `None` in background tasks.
pub fn current() -> Option<String> {
    REQUEST_ID.try_with(Clone::clone).ok()
}

/// Runs `work` with the ID of its request.
pub async fn with<T>(id: String, work: impl Future<Output = T>) -> T {
    REQUEST_ID.scope(id, work).await
}

/// Adds the payment to the log lines of the current request.
pub fn record_payment(id: &str) {
    Span::current().record("payment", id);
}

/// Adds the order to the log lines of the current request.
pub fn record_order(id: &str) {
    Span::current().record("order", id);
}
