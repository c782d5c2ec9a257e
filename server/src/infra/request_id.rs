//! The ID of the request that a task handles.

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
