//! The platform: what every domain is built on.

use std::sync::Arc;

use prometheus::Registry;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::Config;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::infra::jobs::Jobs;

/// Each domain takes from it what it needs; all members are cheap to clone.
#[derive(Clone)]
pub struct Platform {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    /// Base URL of links in emails and of canonical URLs, without a trailing slash.
    pub public_url: Arc<str>,
    /// The metrics of the process: each domain registers its own.
    pub registry: Registry,
    pub jobs: Jobs,
    /// Canceled at the beginning of the shutdown, while the shop still takes requests: load balancers send it no more.
    pub draining: CancellationToken,
    /// Canceled when the shop stops.
    pub stopping: CancellationToken,
    /// Background tasks; shutdown waits for them.
    pub tasks: TaskTracker,
}

impl Platform {
    /// # Errors
    /// A message for the operator.
    pub fn new(config: Config, db: Db, clock: Clock, public_url: &str) -> Result<Self, String> {
        let (registry, stopping, tasks) = (Registry::new(), CancellationToken::new(), TaskTracker::new());
        let draining = CancellationToken::new();
        let jobs = Jobs::new(stopping.clone(), tasks.clone(), &registry).map_err(|error| error.to_string())?;
        Ok(Self {
            config: Arc::new(config),
            db,
            clock,
            public_url: public_url.into(),
            registry,
            jobs,
            draining,
            stopping,
            tasks,
        })
    }
}
