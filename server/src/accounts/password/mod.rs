//! Password hashing on a dedicated thread pool with one thread per core. The threads have a lower priority than the rest
//! of the server, so that logins do not slow down page views.

mod hash;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{mem, thread};

use argon2::{Block, Params};
use tokio::sync::{Semaphore, oneshot};

pub use self::hash::{PasswordCheck, is_set};
use self::hash::{hash, verify};
use crate::error::{Code, Error};
use crate::infra::memory::return_freed_memory;

/// The maximum time in the queue. With the rest of a login, a rejection takes at most two and a half seconds.
const MAX_WAIT: Duration = Duration::from_millis(1_500);
const RETRY_AFTER_SECONDS: u64 = 2;
/// The nice value of the threads.
const NICE: i32 = 10;

/// How long the memory of hashes is kept for the next ones.
const KEEP_MEMORY: Duration = Duration::from_secs(10);

/// A computation that reuses the memory of earlier ones.
type Job = Box<dyn FnOnce(&mut Vec<Block>) + Send>;

/// Memory for the next hashes. If each hash allocated its own, the allocator would retain several times as much.
type SpareMemory = Mutex<Vec<Vec<Block>>>;

pub struct Passwords {
    permits: Arc<Semaphore>,
    jobs: Sender<Job>,
    threads: usize,
    /// The number of jobs in the queue.
    queued: AtomicUsize,
    /// The moving average of a hash's duration in microseconds; 0 before the first hash.
    average_micros: Arc<AtomicU64>,
    /// The cost of new hashes.
    cost: Params,
    /// A hash without a known password, verified when there is no account, so that the response takes equally long.
    dummy_hash: String,
}

impl Passwords {
    /// A thread pool for hashes of this cost.
    pub fn new(cost: Params) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self::with_permits(cost, cores)
    }

    fn with_permits(cost: Params, permits: usize) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(permits)),
            jobs: start_threads(permits, KEEP_MEMORY, Arc::default()),
            threads: permits,
            queued: AtomicUsize::new(0),
            average_micros: Arc::default(),
            dummy_hash: hash::dummy(&cost),
            cost,
        }
    }

    /// Load shedding: rejects a request whose expected time in the queue is too long.
    ///
    /// # Errors
    /// 503 when the expected wait exceeds [`MAX_WAIT`].
    pub fn ensure_capacity(&self) -> Result<(), Error> {
        let queued = u64::try_from(self.queued.load(Ordering::Relaxed)).unwrap_or(u64::MAX);
        let threads = u64::try_from(self.threads).unwrap_or(1).max(1);
        let wait = Duration::from_micros(self.average_micros.load(Ordering::Relaxed).saturating_mul(queued) / threads);
        if wait > MAX_WAIT { Err(overloaded()) } else { Ok(()) }
    }

    /// The password's hash in PHC string format, with a random salt.
    ///
    /// # Errors
    /// 503 when no thread is free in time.
    pub async fn hash(&self, password: &str) -> Result<String, Error> {
        let (password, cost) = (password.to_owned(), self.cost.clone());
        self.run(move |memory| hash(&password, &cost, memory)).await
    }

    /// The stored hash of an account without a password: no password matches it, and it is verified in the same time as
    /// every other hash, by this version and by earlier ones.
    ///
    /// # Errors
    /// Never in practice: 500 if the marker is no valid salt.
    pub fn unknown_hash(&self) -> Result<String, Error> {
        hash::unknown(&self.cost)
    }

    /// Verifies `password` against the stored hash. Without a hash the result is `Wrong`, after the same time.
    ///
    /// # Errors
    /// 503 when no thread is free in time.
    pub async fn verify(&self, password: &str, stored: Option<&str>) -> Result<PasswordCheck, Error> {
        let (password, cost) = (password.to_owned(), self.cost.clone());
        let compared = stored.unwrap_or(&self.dummy_hash).to_owned();
        let check = self.run(move |memory| verify(&password, &compared, &cost, memory)).await?;
        Ok(if stored.is_some() { check } else { PasswordCheck::Wrong })
    }

    /// Runs `work` on the thread pool. The work holds the permit, not the request: after a dropped connection it still
    /// counts until it ends.
    async fn run<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut Vec<Block>) -> Result<T, Error> + Send + 'static,
    {
        self.ensure_capacity()?;
        let ticket = QueueTicket::of(&self.queued);
        let permit = match tokio::time::timeout(MAX_WAIT, self.permits.clone().acquire_owned()).await {
            Ok(permit) => permit.map_err(Error::internal)?,
            Err(_) => return Err(overloaded()),
        };
        drop(ticket);
        let (sender, result) = oneshot::channel();
        let average_micros = self.average_micros.clone();
        let job = move |memory: &mut Vec<Block>| {
            let started = Instant::now();
            let result = work(memory);
            record_duration(&average_micros, started.elapsed());
            drop(permit);
            // The connection may have been dropped.
            let _ = sender.send(result);
        };
        self.jobs.send(Box::new(job)).map_err(Error::internal)?;
        result.await.map_err(Error::internal)?
    }
}

/// Counts one job in the queue until it is dropped.
struct QueueTicket<'a>(&'a AtomicUsize);

impl<'a> QueueTicket<'a> {
    fn of(queued: &'a AtomicUsize) -> Self {
        queued.fetch_add(1, Ordering::Relaxed);
        Self(queued)
    }
}

impl Drop for QueueTicket<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Updates the exponential moving average, with a weight of one eighth. A concurrent update may be lost.
fn record_duration(average_micros: &AtomicU64, took: Duration) {
    let (before, took) = (average_micros.load(Ordering::Relaxed), u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    let average = if before == 0 { took } else { before.saturating_mul(7).saturating_add(took) / 8 };
    average_micros.store(average, Ordering::Relaxed);
}

/// Starts the thread pool. After `keep` without a job, the spare memory is returned to the operating system.
fn start_threads(count: usize, keep: Duration, spare: Arc<SpareMemory>) -> Sender<Job> {
    let (jobs, receiver) = mpsc::channel();
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..count {
        let (receiver, spare) = (receiver.clone(), spare.clone());
        thread::spawn(move || {
            lower_priority();
            loop {
                match next_job(&receiver, keep) {
                    Ok(job) => run_job(job, &spare),
                    Err(RecvTimeoutError::Timeout) => release(&spare),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
    }
    jobs
}

fn run_job(job: Job, spare: &SpareMemory) {
    let mut memory = lock(spare).pop().unwrap_or_default();
    // A panic must not reduce the pool.
    let _ = catch_unwind(AssertUnwindSafe(|| job(&mut memory)));
    lock(spare).push(memory);
}

fn release(spare: &SpareMemory) {
    let released = mem::take(&mut *lock(spare));
    if !released.is_empty() {
        drop(released);
        return_freed_memory();
    }
}

/// Lowers the priority of the current thread. On Linux the call affects only this thread, and never raises a priority.
fn lower_priority() {
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE) {
        tracing::debug!(%error, "cannot lower the priority of password hashing");
    }
}

/// The next job. Disconnected after the sender is dropped.
fn next_job(receiver: &Mutex<Receiver<Job>>, wait: Duration) -> Result<Job, RecvTimeoutError> {
    lock(receiver).recv_timeout(wait)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn overloaded() -> Error {
    Error::new(Code::Overloaded, "The shop is very busy. Please try again in a moment.")
        .retry_after(RETRY_AFTER_SECONDS)
        .with_cause("password hashing queue is full")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PASSWORD_COST as COST;

    // invariant: password-hashing
    #[tokio::test]
    async fn an_account_without_a_password_has_none_that_matches_and_its_hash_is_verified_like_every_other() {
        let passwords = Passwords::new(COST);
        let (unknown, known) = (passwords.unknown_hash().unwrap(), passwords.hash("four small lamps").await.unwrap());
        assert!(!is_set(&unknown) && is_set(&known));
        assert_ne!(unknown, passwords.unknown_hash().unwrap());
        assert_eq!(unknown.len(), known.len(), "{unknown} {known}");
        assert_eq!(unknown[..30], known[..30]);
        for typed in ["", "no password set!", "four small lamps"] {
            assert_eq!(passwords.verify(typed, Some(&unknown)).await.unwrap(), PasswordCheck::Wrong);
        }
    }

    // invariant: password-hashing
    #[tokio::test]
    async fn a_hash_knows_its_password_and_no_other() {
        let passwords = Passwords::new(COST);
        let stored = passwords.hash("four small lamps 💡").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        let check = |typed| passwords.verify(typed, Some(&stored));
        assert_eq!(check("four small lamps 💡").await.unwrap(), PasswordCheck::Right);
        assert_eq!(check("four small lamps").await.unwrap(), PasswordCheck::Wrong);
        assert_ne!(stored, passwords.hash("four small lamps 💡").await.unwrap());
    }

    // invariant: account-enumeration
    #[tokio::test]
    async fn nobody_has_no_password() {
        let passwords = Passwords::new(COST);
        for typed in ["", "A", "four small lamps"] {
            assert_eq!(passwords.verify(typed, None).await.unwrap(), PasswordCheck::Wrong);
        }
    }

    // invariant: hashing-concurrency
    #[tokio::test]
    async fn abandoned_work_keeps_its_permit() {
        let passwords = Passwords::with_permits(COST, 1);
        let (begun_tx, begun) = std::sync::mpsc::channel();
        let (end, end_rx) = std::sync::mpsc::channel::<()>();
        let work = passwords.run(move |_| {
            begun_tx.send(()).map_err(Error::internal)?;
            end_rx.recv().map_err(Error::internal)
        });
        let abandoned = tokio::time::timeout(Duration::from_millis(50), work).await;
        assert!(abandoned.is_err());
        begun.recv().unwrap();
        assert_eq!(passwords.permits.available_permits(), 0);

        let rejected = passwords.hash("four small lamps").await.unwrap_err();
        assert_eq!(rejected.code(), Code::Overloaded);

        end.send(()).unwrap();
        assert!(passwords.hash("four small lamps").await.is_ok());
    }

    #[test]
    fn memory_is_kept_for_the_next_hash_and_released_after_a_pause() {
        let memory_after_a_hash = |keep| {
            let jobs = start_threads(1, keep, Arc::default());
            move || {
                let (sizes, size) = mpsc::channel();
                let job = move |memory: &mut Vec<Block>| {
                    let found = memory.len();
                    hash("four small lamps", &COST, memory).unwrap();
                    sizes.send(found).unwrap();
                };
                jobs.send(Box::new(job)).unwrap();
                size.recv().unwrap()
            }
        };
        let kept = memory_after_a_hash(Duration::from_secs(3_600));
        assert_eq!((kept(), kept()), (0, COST.block_count()));
        let released = memory_after_a_hash(Duration::from_millis(1));
        released();
        let is_released = || {
            thread::sleep(Duration::from_millis(20));
            released() == 0
        };
        assert!((0..1_000).any(|_| is_released()));
    }

    /// The nice value of the current thread.
    fn niceness() -> i32 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        // The second field is a name in parentheses that may contain anything; the 19th is the nice value.
        let (_, fields) = stat.rsplit_once(')').unwrap();
        fields.split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn hashing_threads_give_way_and_no_others() {
        let passwords = Passwords::with_permits(COST, 2);
        let before = niceness();
        assert_eq!(passwords.run(|_| Ok(niceness())).await.unwrap(), before.max(NICE));
        assert_eq!(niceness(), before);
    }

    #[tokio::test]
    async fn whoever_would_wait_too_long_is_refused_at_once() {
        let passwords = Arc::new(Passwords::with_permits(COST, 1));
        let (end, end_rx) = std::sync::mpsc::channel::<()>();
        let at_work = tokio::spawn({
            let passwords = passwords.clone();
            async move { passwords.run(move |_| end_rx.recv().map_err(Error::internal)).await }
        });
        passwords.average_micros.store(400_000, Ordering::Relaxed);
        let queue: Vec<_> = (0..3).map(|_| QueueTicket::of(&passwords.queued)).collect();
        passwords.ensure_capacity().unwrap();
        let one_more = QueueTicket::of(&passwords.queued);
        assert_eq!(passwords.ensure_capacity().unwrap_err().code(), Code::Overloaded);
        // The rejection does not wait for the thread, which is busy until the end of this test.
        assert_eq!(passwords.hash("four small lamps").await.unwrap_err().code(), Code::Overloaded);
        drop((queue, one_more));
        passwords.ensure_capacity().unwrap();
        end.send(()).unwrap();
        at_work.await.unwrap().unwrap();
    }
}
