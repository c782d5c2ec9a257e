//! Durability: an order is on disk before the response confirms it, proven by a system call trace.
//!
//! This requires strace and permission to trace another process. Otherwise the test is skipped and counts 0 runs.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::json;

use super::run::Runs;
use crate::configuration::serve;
use crate::harness::{ADMIN, CUSTOMER, Client, Folder, Intent, Light, PASSWORD, Person, form, product};

const SYSCALLS: &str = "trace=pwrite64,write,writev,sendto,sendmsg,fdatasync,fsync";
/// The write-ahead log, which commits are written to.
const WAL: &str = "shop.db-wal>";

/// A running strace of one process.
struct Trace {
    strace: Child,
    file: PathBuf,
    /// Kept open: strace reports new threads there and would block or fail on a closed pipe.
    _stderr: BufReader<ChildStderr>,
}

impl Trace {
    /// None if strace is not installed or not permitted.
    fn of(process: &Child, folder: &Path) -> Option<Self> {
        let file = folder.join("calls");
        let mut strace = Command::new("strace")
            .args(["-f", "-y", "-s", "4200", "-e", SYSCALLS, "-o"])
            .arg(&file)
            .args(["-p", &process.id().to_string()])
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let (mut said, mut line) = (BufReader::new(strace.stderr.take()?), String::new());
        let _ = said.read_line(&mut line);
        if line.contains(" attached") {
            return Some(Self { strace, file, _stderr: said });
        }
        let _ = strace.wait();
        None
    }

    /// Detaches strace and returns its output.
    fn stop(mut self) -> String {
        let id = self.strace.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        self.strace.wait().unwrap();
        String::from_utf8_lossy(&std::fs::read(&self.file).unwrap()).into_owned()
    }
}

/// Whether the log was synced between the first write with this text and the response with it.
fn is_synced_before_response(calls: &str, text: &str) -> bool {
    let lines: Vec<&str> = calls.lines().collect();
    let written = lines.iter().position(|line| line.contains(WAL) && line.contains("pwrite64(") && line.contains(text));
    let said = lines.iter().position(|line| line.contains("HTTP/1.1 2") && line.contains(text));
    let (written, said) =
        (written.expect("the order was not written to the log"), said.expect("no response with the order was sent"));
    let mut syncing = Vec::new();
    lines[written..said].iter().any(|line| {
        let thread = line.split_whitespace().next().unwrap_or_default();
        if line.contains("sync(") && line.contains(WAL) {
            if line.ends_with("<unfinished ...>") {
                syncing.push(thread);
                return false;
            }
            return line.ends_with("= 0");
        }
        line.contains("sync resumed") && syncing.contains(&thread) && line.ends_with("= 0")
    })
}

async fn logs_in(client: &Client, email: &str) -> Person {
    let body = json!({ "username": email, "password": PASSWORD, "recaptchaToken": "" });
    Person::of(client, &client.post("/api/auth/login", &body).await.gives(200))
}

async fn buys(buyer: &Person, publishable_key: &str, light: &Light) -> String {
    let intent = Intent::of(buyer.asks_to_pay(&Person::cart(&[(light, 1)])).await.gives(200));
    let fields = [("client_secret", intent.client_secret.as_str()), ("payment_method", "pm_card_visa")];
    let path = format!("/test-stripe/v1/payment_intents/{}/confirm", intent.id);
    let request = buyer.signed_out().request("POST", &path).bearer_auth(publishable_key);
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(form(&fields));
    buyer.send(request).await.gives(200);
    let answer = buyer.asks_for_order(&intent.id).await;
    assert!(matches!(answer.status, 200 | 201), "{answer}");
    answer.json()["orderId"].as_str().unwrap().to_owned()
}

// invariant: durability
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_is_on_the_disk_before_anybody_is_told_of_it() {
    let folder = Folder::new();
    let vars = [
        ("SHOP_ADDR", "127.0.0.1:0"),
        ("SHOP_DEMO_PASSWORD", PASSWORD),
        ("SHOP_BOT_CHECK", "off"),
        ("SHOP_RATE_LIMITS", "off"),
    ];
    let (process, url, _) = tokio::task::block_in_place(|| serve(folder.path(), &vars));
    let client = Client::new(&url);
    let (buyer, admin) = (logs_in(&client, CUSTOMER).await, logs_in(&client, ADMIN).await);
    let key = client.get("/api/config").await.gives(200)["payments"]["publishable_key"].as_str().unwrap().to_owned();
    let light = admin.adds(product().name("Written Down").stock(1_000_000)).await;
    let mut runs = Runs::of("orders synced to disk before the response", 3);
    loop {
        let trace = tokio::task::block_in_place(|| Trace::of(&process.0, folder.path()));
        let Some(trace) = trace else {
            println!("skipped: strace is not installed (`apt-get install strace`) or may not trace other processes");
            return;
        };
        if runs.next().is_none() {
            trace.stop();
            return;
        }
        let order = buys(&buyer, &key, &light).await;
        let calls = tokio::task::block_in_place(|| trace.stop());
        assert!(is_synced_before_response(&calls, &order), "{order} was confirmed before it was on disk");
    }
}
