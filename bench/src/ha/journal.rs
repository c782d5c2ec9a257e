//! What the load experienced.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bench::http::{Cause, HttpError, Response};
use xtask::process::Failure;

use crate::haproxy::OWN_ERROR;
use crate::wait;

/// A shopper repeats the request for its order for up to two minutes, after a quote and a payment.
const TIMEOUT: Duration = Duration::from_secs(240);

#[derive(Default)]
pub struct Journal {
    is_stopped: AtomicBool,
    is_paused: AtomicBool,
    /// Shoppers and visitors in the middle of something.
    active: AtomicUsize,
    purchases: Mutex<Vec<Instant>>,
    acknowledged: Mutex<BTreeSet<String>>,
    requests: Mutex<Requests>,
}

/// Requests since the last count.
#[derive(Default)]
pub struct Requests {
    pub total: u64,
    /// Failures by kind.
    pub failures: BTreeMap<String, u64>,
    /// Requests of the catalog that failed at the shop.
    pub catalog_failures: u64,
    /// Requests of the catalog whose connection broke.
    pub catalog_broken: u64,
    /// Responses 5xx without `Retry-After`.
    pub without_retry_after: u64,
}

impl Journal {
    /// Records a request and passes its response on.
    pub fn record_request(&self, name: &str, result: Result<Response, HttpError>) -> Option<Response> {
        let mut requests = locked(&self.requests);
        requests.total += 1;
        if let Some(kind) = kind(&result) {
            *requests.failures.entry(format!("{name}: {kind}")).or_default() += 1;
        }
        let response = result.ok()?;
        if response.status >= 500 && response.header("retry-after").is_none() {
            requests.without_retry_after += 1;
        }
        Some(response)
    }

    /// Records a request of the catalog.
    pub fn record_catalog_request(&self, name: &str, result: Result<Response, HttpError>) {
        let (is_broken, is_failed) = match &result {
            Ok(response) => (false, response.status != 200 && !is_haproxys(response)),
            Err(error) => (error.cause == Cause::Broken, error.cause == Cause::TimedOut),
        };
        self.record_request(name, result);
        let mut requests = locked(&self.requests);
        requests.catalog_broken += u64::from(is_broken);
        requests.catalog_failures += u64::from(is_failed);
    }

    /// Records a purchase whose order was acknowledged.
    pub fn record_purchase(&self, intent_id: &str) {
        locked(&self.acknowledged).insert(intent_id.to_owned());
        locked(&self.purchases).push(Instant::now());
    }

    pub fn purchases(&self) -> Vec<Instant> {
        locked(&self.purchases).clone()
    }

    /// The payment intents of all acknowledged orders.
    pub fn acknowledged(&self) -> BTreeSet<String> {
        locked(&self.acknowledged).clone()
    }

    /// The requests since the last call.
    pub fn take_requests(&self) -> Requests {
        mem::take(&mut *locked(&self.requests))
    }

    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
    }

    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    /// Runs `work`, unless the load is paused.
    pub fn unless_paused(&self, work: impl FnOnce()) {
        self.active.fetch_add(1, Ordering::SeqCst);
        if !self.is_paused.load(Ordering::SeqCst) {
            work();
        }
        self.active.fetch_sub(1, Ordering::SeqCst);
    }

    /// Runs `work` without load.
    pub fn while_paused<T>(&self, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        self.is_paused.store(true, Ordering::SeqCst);
        let idle = wait::until_true("the shoppers' last orders", TIMEOUT, || self.active.load(Ordering::SeqCst) == 0);
        let result = idle.and_then(|()| work());
        self.is_paused.store(false, Ordering::SeqCst);
        result
    }
}

/// The kind of a failure: no response, or a status from 400.
fn kind(result: &Result<Response, HttpError>) -> Option<String> {
    match result {
        Err(error) => Some(format!("{:?}", error.cause).to_lowercase()),
        Ok(response) if is_haproxys(response) => Some(format!("{} of HAProxy", response.status)),
        Ok(response) => (response.status >= 400).then(|| response.status.to_string()),
    }
}

fn is_haproxys(response: &Response) -> bool {
    response.status >= 500 && response.body == OWN_ERROR
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
