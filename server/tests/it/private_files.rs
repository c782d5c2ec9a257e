//! File permissions: only the shop's own user can read what it writes, independent of the umask.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::configuration::{Process, binary, run_to_end, spawn_server};
use crate::harness::{Client, Folder, PASSWORD, eventually};

const VARS: [(&str, &str); 2] = [("SHOP_ADDR", "127.0.0.1:0"), ("SHOP_BOT_CHECK", "off")];
const FOLDERS: [&str; 2] = ["data", "data/mail"];
const FILES: [&str; 4] = ["data/shop.db", "data/shop.db-wal", "data/shop.db-shm", "data/signing-key.pem"];

/// Starts the shop under umask 022, the usual default, which makes new files world-readable.
fn start_shop(folder: &Folder) -> (Process, Client) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "umask 022; exec \"$0\"", env!("CARGO_BIN_EXE_nudgelight")]);
    command.current_dir(folder.path()).env_clear().envs(VARS).stdin(Stdio::null());
    let (process, url, _) = spawn_server(command);
    (process, Client::new(&url))
}

async fn signs_up(visitor: &Client, email: &str) {
    let body = json!({ "email": email, "password": PASSWORD, "recaptchaToken": "" });
    visitor.post("/api/auth/signup", &body).await.gives(201);
}

fn mode(folder: &Folder, path: &str) -> u32 {
    std::fs::metadata(folder.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}")).permissions().mode()
        & 0o777
}

fn set_mode(folder: &Folder, path: &str, mode: u32) {
    std::fs::set_permissions(folder.path().join(path), Permissions::from_mode(mode)).unwrap();
}

fn mails(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("data/mail")).into_iter().flatten();
    let names = entries.map(|entry| format!("data/mail/{}", entry.unwrap().file_name().display()));
    names.filter(|name| name.ends_with(".eml")).collect()
}

#[track_caller]
fn everything_is_private(folder: &Folder) {
    for path in FOLDERS {
        assert_eq!(mode(folder, path), 0o700, "{path}");
    }
    for path in FILES {
        assert_eq!(mode(folder, path), 0o600, "{path}");
    }
}

/// Failed checks of `nudgelight check`.
fn failed_checks(folder: &Folder) -> Vec<String> {
    let mut command = binary(folder.path(), &VARS);
    command.arg("check");
    let output = run_to_end(command);
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().filter_map(|line| line.strip_prefix("FAILS  ")).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_first_start_makes_is_readable_by_its_owner_alone() {
    let folder = Folder::new();
    let (_process, visitor) = start_shop(&folder);
    signs_up(&visitor, "ada@example.com").await;
    let mail = eventually("the email file", async || mails(folder.path()).pop()).await;
    assert_eq!(mode(&folder, &mail), 0o600);
    everything_is_private(&folder);
    assert_eq!(tokio::task::block_in_place(|| failed_checks(&folder)), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_earlier_version_left_readable_is_named_by_check_and_closed_by_the_next_start() {
    let folder = Folder::new();
    let (process, visitor) = start_shop(&folder);
    signs_up(&visitor, "ada@example.com").await;
    eventually("the email file", async || mails(folder.path()).pop()).await;
    // A killed process leaves its write-ahead log behind.
    drop(process);
    for path in FOLDERS {
        set_mode(&folder, path, 0o755);
    }
    for path in ["data/shop.db", "data/shop.db-wal", "data/shop.db-shm"] {
        set_mode(&folder, path, 0o644);
    }
    let found = tokio::task::block_in_place(|| failed_checks(&folder));
    let [database, mail] = found.as_slice() else { panic!("{found:?}") };
    assert!(database.starts_with("database: ") && database.contains("shop.db has mode 0644"), "{database}");
    assert!(mail.starts_with("mail: ") && mail.contains("data/mail has mode 0755"), "{mail}");

    let (_process, visitor) = start_shop(&folder);
    everything_is_private(&folder);
    assert_eq!(tokio::task::block_in_place(|| failed_checks(&folder)), Vec::<String>::new());
    // Permissions were changed without opening the files: closing one would have released SQLite's locks.
    signs_up(&visitor, "bea@example.com").await;
    assert_eq!(visitor.get("/readyz").await.status, 200);
}
