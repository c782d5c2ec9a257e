//! Password hashes: argon2id, on threads of their own, of which there are as many as the machine has cores. They give
//! way to everything else that the shop does: whoever looks at a page does not wait for those who log in.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::{Semaphore, oneshot};

use crate::http::error::{Code, Error};
use crate::infra::random;

/// OWASP's first choice: 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// A hash from the database that asks for more than this is damage, not caution.
const MOST_MEMORY_KIB: u32 = 4 * MEMORY_KIB;
const MOST_PASSES: u32 = 10;
const MOST_LANES: u32 = 4;

/// Nobody waits longer for a thread. With what comes before the password is looked at, whoever is refused is told so
/// within two and a half seconds.
const PATIENCE: Duration = Duration::from_millis(1_500);
const RETRY_AFTER_SECONDS: u64 = 2;
/// Of the threads: the higher, the later their turn.
const NICE: i32 = 10;

/// What a thread has to compute, in memory that it has for all of them.
type Job = Box<dyn FnOnce(&mut Vec<Block>) + Send>;

pub struct Passwords {
    permits: Arc<Semaphore>,
    jobs: Sender<Job>,
    threads: usize,
    /// How many wait for a thread.
    waiting: AtomicUsize,
    /// How many microseconds a hash took lately; 0 where none was made yet.
    lately: Arc<AtomicU64>,
    /// Compared with when there is no account, so that the answer takes as long as for a known one.
    nobodys: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Right,
    /// Right, but hashed with weaker parameters than today's.
    RightButWeak,
    Wrong,
}

impl Default for Passwords {
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self::with_permits(cores)
    }
}

impl Passwords {
    fn with_permits(permits: usize) -> Self {
        // A well-formed hash of no password anybody knows.
        let nobodys =
            format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}${}${}", "A".repeat(22), "A".repeat(43),);
        Self {
            permits: Arc::new(Semaphore::new(permits)),
            jobs: start_threads(permits),
            threads: permits,
            waiting: AtomicUsize::new(0),
            lately: Arc::default(),
            nobodys,
        }
    }

    /// Whether there is a thread in time for one more who comes now, asked before anything is done for them.
    ///
    /// # Errors
    /// 503 when those who wait already take longer than anybody is let wait.
    pub fn admit(&self) -> Result<(), Error> {
        let waiting = u64::try_from(self.waiting.load(Ordering::Relaxed)).unwrap_or(u64::MAX);
        let threads = u64::try_from(self.threads).unwrap_or(1).max(1);
        let wait = Duration::from_micros(self.lately.load(Ordering::Relaxed).saturating_mul(waiting) / threads);
        if wait > PATIENCE { Err(overloaded()) } else { Ok(()) }
    }

    /// The password's hash in PHC form, with a salt of its own.
    ///
    /// # Errors
    /// 503 when a thread cannot be had in time.
    pub async fn hash(&self, password: &str) -> Result<String, Error> {
        let password = password.to_owned();
        self.run(move |memory| hash(&password, memory)).await
    }

    /// Whether `password` made the hash `stored`. Without one it takes as long and says `Wrong`.
    ///
    /// # Errors
    /// 503 when a thread cannot be had in time.
    pub async fn verify(&self, password: &str, stored: Option<&str>) -> Result<Verdict, Error> {
        let password = password.to_owned();
        let compared = stored.unwrap_or(&self.nobodys).to_owned();
        let verdict = self.run(move |memory| verify(&password, &compared, memory)).await?;
        Ok(if stored.is_some() { verdict } else { Verdict::Wrong })
    }

    /// The permit belongs to the work, not to whoever waits for it: a caller who hangs up leaves the
    /// work running, and it goes on counting.
    async fn run<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut Vec<Block>) -> Result<T, Error> + Send + 'static,
    {
        self.admit()?;
        let in_line = InLine::of(&self.waiting);
        let permit = match tokio::time::timeout(PATIENCE, self.permits.clone().acquire_owned()).await {
            Ok(permit) => permit.map_err(Error::internal)?,
            Err(_) => return Err(overloaded()),
        };
        drop(in_line);
        let (done, result) = oneshot::channel();
        let lately = self.lately.clone();
        let job = move |memory: &mut Vec<Block>| {
            let begun = Instant::now();
            let result = work(memory);
            note_duration(&lately, begun.elapsed());
            drop(permit);
            // Whoever asked may have hung up.
            let _ = done.send(result);
        };
        self.jobs.send(Box::new(job)).map_err(Error::internal)?;
        result.await.map_err(Error::internal)?
    }
}

/// Somebody who waits for a thread, until they have one or hang up.
struct InLine<'a>(&'a AtomicUsize);

impl<'a> InLine<'a> {
    fn of(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for InLine<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The mean, in which the last eight weigh most. Of two that end at once one may be lost.
fn note_duration(lately: &AtomicU64, took: Duration) {
    let (before, took) = (lately.load(Ordering::Relaxed), u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    let mean = if before == 0 { took } else { before.saturating_mul(7).saturating_add(took) / 8 };
    lately.store(mean, Ordering::Relaxed);
}

/// An allocator that is asked for the memory of a hash again and again keeps several times as much, and that for each
/// thread: these are few, and the same, and each asks once.
fn start_threads(count: usize) -> Sender<Job> {
    let (jobs, waiting) = mpsc::channel();
    let waiting = Arc::new(Mutex::new(waiting));
    for _ in 0..count {
        let waiting = waiting.clone();
        thread::spawn(move || {
            give_way();
            let mut memory = Vec::new();
            while let Some(job) = next(&waiting) {
                // A thread less would be a place less for good.
                let _ = catch_unwind(AssertUnwindSafe(|| job(&mut memory)));
            }
        });
    }
    jobs
}

/// Lowers the priority of this thread alone, as Linux has it. A process that was started with a lower one keeps it.
fn give_way() {
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE) {
        tracing::debug!(%error, "passwords are hashed at the priority of everything else");
    }
}

/// One thread waits for a job, the others for their turn; `None` once nobody can ask any more.
fn next(waiting: &Mutex<Receiver<Job>>) -> Option<Job> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

fn overloaded() -> Error {
    Error::new(Code::Overloaded, "The shop is very busy. Please try again in a moment.")
        .retry_after(RETRY_AFTER_SECONDS)
        .with_cause("too many passwords wait to be hashed")
}

fn hash(password: &str, memory: &mut Vec<Block>) -> Result<String, Error> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(Error::internal)?;
    let salt = Salt::new(&random::random_bytes::<16>()).map_err(Error::internal)?;
    let output = compute(password, &salt, &params, memory)?;
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&params).map_err(Error::internal)?,
        salt: Some(salt),
        hash: Some(output),
    };
    Ok(hash.to_string())
}

fn verify(password: &str, stored: &str, memory: &mut Vec<Block>) -> Result<Verdict, Error> {
    let damaged = || Error::internal("a stored password hash cannot be used");
    let stored = PasswordHash::new(stored).map_err(|_| damaged())?;
    let params = Params::try_from(&stored).map_err(|_| damaged())?;
    let affordable =
        params.m_cost() <= MOST_MEMORY_KIB && params.t_cost() <= MOST_PASSES && params.p_cost() <= MOST_LANES;
    let is_todays_kind = stored.algorithm.as_str() == "argon2id" && stored.version == Some(Version::V0x13.into());
    let (Some(salt), Some(expected), true, true) = (&stored.salt, &stored.hash, is_todays_kind, affordable) else {
        return Err(damaged());
    };
    let weak = params.m_cost() < MEMORY_KIB || params.t_cost() < PASSES;
    // Outputs are compared in constant time.
    match compute(password, salt, &params, memory)? == *expected {
        true if weak => Ok(Verdict::RightButWeak),
        true => Ok(Verdict::Right),
        false => Ok(Verdict::Wrong),
    }
}

/// The argon2id hash, as long as the parameters say or as usual.
fn compute(password: &str, salt: &Salt, params: &Params, memory: &mut Vec<Block>) -> Result<Output, Error> {
    let mut bytes = [0; Output::MAX_LENGTH];
    let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
    let out = bytes.get_mut(..length).ok_or_else(|| Error::internal("a password hash of no length"))?;
    if memory.len() < params.block_count() {
        memory.resize(params.block_count(), Block::new());
    }
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone())
        .hash_password_into_with_memory(password.as_bytes(), salt, out, memory)
        .map_err(Error::internal)?;
    Output::new(out).map_err(Error::internal)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use argon2::password_hash::PasswordHasher as _;

    use super::*;

    // rule 19
    #[tokio::test]
    async fn a_hash_knows_its_password_and_no_other() {
        let passwords = Passwords::default();
        let stored = passwords.hash("four small lamps 💡").await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        let verdict = |typed| passwords.verify(typed, Some(&stored));
        assert_eq!(verdict("four small lamps 💡").await.unwrap(), Verdict::Right);
        assert_eq!(verdict("four small lamps").await.unwrap(), Verdict::Wrong);
        assert_ne!(stored, passwords.hash("four small lamps 💡").await.unwrap());
    }

    // rule 21
    #[tokio::test]
    async fn nobody_has_no_password() {
        let passwords = Passwords::default();
        for typed in ["", "A", "four small lamps"] {
            assert_eq!(passwords.verify(typed, None).await.unwrap(), Verdict::Wrong);
        }
    }

    #[test]
    fn a_hash_with_old_parameters_is_right_but_weak() {
        let old = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(1_024, 1, 1, None).unwrap());
        let stored: PasswordHash = old.hash_password_with_salt(b"four small lamps", &[7; 16]).unwrap();
        // Memory that is left from another hash changes nothing.
        let mut memory = Vec::new();
        hash("another", &mut memory).unwrap();
        let verdict = verify("four small lamps", &stored.to_string(), &mut memory).unwrap();
        assert_eq!(verdict, Verdict::RightButWeak);
    }

    // rule 19
    #[test]
    fn a_stored_hash_that_asks_for_too_much_or_is_of_another_kind_is_not_computed() {
        let rest = format!("${}${}", "A".repeat(22), "A".repeat(43));
        for kind in [
            "$argon2id$v=19$m=4000000,t=2,p=1",
            "$argon2id$v=19$m=19456,t=4000000,p=1",
            "$argon2i$v=19$m=19456,t=2,p=1",
            "$scrypt$ln=15,r=8,p=1",
        ] {
            assert!(verify("any", &format!("{kind}{rest}"), &mut Vec::new()).is_err(), "{kind}");
        }
        assert!(verify("any", "plain text", &mut Vec::new()).is_err());
    }

    // rule 20
    #[tokio::test]
    async fn abandoned_work_keeps_its_permit() {
        let passwords = Passwords::with_permits(1);
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

        let refused = passwords.hash("four small lamps").await.unwrap_err();
        assert_eq!(refused.code(), Code::Overloaded);

        end.send(()).unwrap();
        assert!(passwords.hash("four small lamps").await.is_ok());
    }

    /// The nice value of the thread that asks.
    fn niceness() -> i32 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        // The second field is a name in brackets, and may hold anything; the 19th is the nice value.
        let (_, fields) = stat.rsplit_once(')').unwrap();
        fields.split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn hashing_threads_give_way_and_no_others() {
        let passwords = Passwords::with_permits(2);
        let before = niceness();
        assert_eq!(passwords.run(|_| Ok(niceness())).await.unwrap(), before.max(NICE));
        assert_eq!(niceness(), before);
    }

    #[tokio::test]
    async fn whoever_would_wait_too_long_is_refused_at_once() {
        let passwords = Arc::new(Passwords::with_permits(1));
        let (end, end_rx) = std::sync::mpsc::channel::<()>();
        let at_work = tokio::spawn({
            let passwords = passwords.clone();
            async move { passwords.run(move |_| end_rx.recv().map_err(Error::internal)).await }
        });
        passwords.lately.store(400_000, Ordering::Relaxed);
        let in_line: Vec<_> = (0..3).map(|_| InLine::of(&passwords.waiting)).collect();
        passwords.admit().unwrap();
        let one_more = InLine::of(&passwords.waiting);
        assert_eq!(passwords.admit().unwrap_err().code(), Code::Overloaded);
        // The thread is not asked for: it is busy for as long as this test likes.
        assert_eq!(passwords.hash("four small lamps").await.unwrap_err().code(), Code::Overloaded);
        drop((in_line, one_more));
        passwords.admit().unwrap();
        end.send(()).unwrap();
        at_work.await.unwrap().unwrap();
    }
}
