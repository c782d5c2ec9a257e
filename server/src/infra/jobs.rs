//! Background jobs: repeated until the shop stops, with one shutdown, one log line and one metric for all of them.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use prometheus::{IntCounterVec, Opts, Registry};
use tokio::sync::Notify;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, interval_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The time that a run still gets when the shop stops. What it leaves undone is done after the next start.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

/// Longest additional pause of a job that keeps failing.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

#[derive(Clone)]
pub struct Jobs {
    stopping: CancellationToken,
    tasks: TaskTracker,
    runs: IntCounterVec,
}

impl Jobs {
    /// # Errors
    /// If the registry already has the metric.
    pub fn new(stopping: CancellationToken, tasks: TaskTracker, registry: &Registry) -> prometheus::Result<Self> {
        let runs = Opts::new("shop_job_runs_total", "Runs of background jobs.");
        let runs = IntCounterVec::new(runs, &["job_name", "outcome"])?;
        registry.register(Box::new(runs.clone()))?;
        Ok(Self { stopping, tasks, runs })
    }

    /// Runs `work` now and then at this interval. A run that takes longer delays the next one.
    pub fn every<T, W, E>(&self, job: &'static str, pause: Duration, state: &Arc<T>, work: fn(Arc<T>) -> W)
    where
        T: Send + Sync + 'static,
        W: Future<Output = Result<(), E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        self.spawn(job, interval(pause), Arc::default(), state, work);
    }

    /// Like [`Jobs::every`], but the first run is one interval after the start.
    pub fn after_every<T, W, E>(&self, job: &'static str, pause: Duration, state: &Arc<T>, work: fn(Arc<T>) -> W)
    where
        T: Send + Sync + 'static,
        W: Future<Output = Result<(), E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        self.spawn(job, interval_at(Instant::now() + pause, pause), Arc::default(), state, work);
    }

    /// Like [`Jobs::every`], and also when `wake` is notified.
    pub fn every_or_when<T, W, E>(
        &self,
        job: &'static str,
        pause: Duration,
        wake: Arc<Notify>,
        state: &Arc<T>,
        work: fn(Arc<T>) -> W,
    ) where
        T: Send + Sync + 'static,
        W: Future<Output = Result<(), E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        self.spawn(job, interval(pause), wake, state, work);
    }

    fn spawn<T, W, E>(
        &self,
        job: &'static str,
        mut tick: Interval,
        wake: Arc<Notify>,
        state: &Arc<T>,
        work: fn(Arc<T>) -> W,
    ) where
        T: Send + Sync + 'static,
        W: Future<Output = Result<(), E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        let state = state.clone();
        let (stopping, runs) = (self.stopping.clone(), self.runs.clone());
        // Counters start at 0: a missing series would look like a missing metric.
        let [ok, failed] = ["ok", "failed"].map(|outcome| runs.with_label_values(&[job, outcome]));
        self.tasks.spawn(async move {
            tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut failures = 0;
            loop {
                tokio::select! {
                    () = stopping.cancelled() => return,
                    () = pause_after(failures) => {}
                }
                tokio::select! {
                    () = stopping.cancelled() => return,
                    _ = tick.tick() => {}
                    () = wake.notified() => {}
                }
                let result = tokio::select! {
                    result = work(state.clone()) => result,
                    () = grace_period_ends(&stopping) => return,
                };
                match result {
                    Ok(()) => {
                        ok.inc();
                        if failures > 0 {
                            tracing::info!(job, failures, "a background job works again");
                        }
                        failures = 0;
                    }
                    Err(error) => {
                        failed.inc();
                        // Once, however long the database is away.
                        if failures == 0 {
                            tracing::error!(job, %error, "a background job failed; it will be retried");
                        } else {
                            tracing::debug!(job, %error, failures, "a background job failed again");
                        }
                        failures += 1;
                    }
                }
            }
        });
    }
}

/// Backoff: a second longer after each failure in a row, at most [`LONGEST_PAUSE`].
async fn pause_after(failures: u32) {
    tokio::time::sleep(Duration::from_secs(u64::from(failures.saturating_sub(1))).min(LONGEST_PAUSE)).await;
}

async fn grace_period_ends(stopping: &CancellationToken) {
    stopping.cancelled().await;
    tokio::time::sleep(SHUTDOWN_GRACE).await;
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::sync::Semaphore;

    use super::*;

    fn jobs() -> (Jobs, CancellationToken, TaskTracker) {
        let (stopping, tasks) = (CancellationToken::new(), TaskTracker::new());
        (Jobs::new(stopping.clone(), tasks.clone(), &Registry::new()).unwrap(), stopping, tasks)
    }

    #[tokio::test]
    async fn a_job_runs_at_once_at_its_interval_and_when_it_is_woken() {
        let (jobs, stopping, tasks) = jobs();
        let (rare, wake) = (Arc::new(Semaphore::new(0)), Arc::new(Notify::new()));
        jobs.every_or_when("rare", Duration::from_hours(1), wake.clone(), &rare, |rare| async move {
            rare.add_permits(1);
            Ok::<_, String>(())
        });
        rare.acquire().await.unwrap().forget();
        wake.notify_one();
        rare.acquire().await.unwrap().forget();
        let often = Arc::new(Semaphore::new(0));
        jobs.every("often", Duration::from_millis(1), &often, |often| async move {
            often.add_permits(1);
            Ok::<_, String>(())
        });
        often.acquire_many(3).await.unwrap().forget();
        stopping.cancel();
        tasks.close();
        tasks.wait().await;
        assert_eq!(jobs.runs.with_label_values(&["rare", "ok"]).get(), 2);
        assert!(jobs.runs.with_label_values(&["often", "ok"]).get() >= 3);
    }

    #[tokio::test]
    async fn a_run_that_fails_is_counted_and_one_that_hangs_ends_with_the_shop() {
        let (jobs, stopping, tasks) = jobs();
        let failed = Arc::new(Semaphore::new(0));
        jobs.every("fail", Duration::from_millis(1), &failed, |failed| async move {
            failed.add_permits(1);
            Err("no")
        });
        jobs.every("hang", Duration::from_hours(1), &failed, |_| pending::<Result<(), String>>());
        failed.acquire_many(2).await.unwrap().forget();
        stopping.cancel();
        tasks.close();
        tasks.wait().await;
        assert!(jobs.runs.with_label_values(&["fail", "failed"]).get() >= 1);
    }
}
