//! A temporary demo shop: the server on a free port, with demo products and accounts.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fs_err as fs;
use regex::Regex;

use crate::process::{Failure, Finished, cannot_start, log_line, remove_cargo_variables};
use crate::workspace::{Workspace, variables};

/// The password of both demo accounts.
pub const PASSWORD: &str = "a lamp for the browser tests";
const TIMEOUT: Duration = Duration::from_secs(30);
const LOG: &str = "server.log";
/// What the server prints at startup.
const URL: &str = r"listening on (\S+).*\n";
const PUBLISHABLE_KEY: &str = r"Stripe: \S+ with \S+ and (\S+)\n";
/// Prefixes of settings that must not be inherited from the environment.
const SETTINGS: [&str; 6] = ["SHOP_", "STRIPE_", "SMTP_", "BOT_CHECK_", "ANALYTICS_", "DATABASE_URL"];

/// A running shop, stopped on drop.
pub struct Shop {
    server: Child,
    pub url: String,
    pub data: PathBuf,
}

impl Shop {
    /// Starts the release build with additional settings.
    pub fn open(workspace: &Workspace, suite: &str, settings: &[(&str, &str)]) -> Result<Self, Failure> {
        Self::open_program(&workspace.server(), workspace, suite, settings)
    }

    /// Starts another build of the server.
    pub fn open_program(
        program: &Path,
        workspace: &Workspace,
        suite: &str,
        settings: &[(&str, &str)],
    ) -> Result<Self, Failure> {
        let data = workspace.target.join("xtask").join(format!("{suite}-{}", std::process::id()));
        fs::create_dir_all(&data)?;
        let log = fs::File::create(data.join(LOG))?.into_file();
        let mut command = Command::new(program);
        for setting in variables(&SETTINGS) {
            command.env_remove(setting);
        }
        remove_cargo_variables(&mut command);
        command
            .current_dir(&data)
            .env("SHOP_ADDR", "127.0.0.1:0")
            .env("SHOP_DATA_DIR", &data)
            .env("SHOP_DEMO", "1")
            .env("SHOP_DEMO_PASSWORD", PASSWORD)
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        let server = command.spawn().map_err(|error| cannot_start("nudgelight", &error))?;
        let mut shop = Self { server, url: String::new(), data };
        shop.url = shop.wait_until_open()?;
        Ok(shop)
    }

    fn wait_until_open(&mut self) -> Result<String, Failure> {
        let began = Instant::now();
        while began.elapsed() < TIMEOUT {
            let text = fs::read_to_string(self.data.join(LOG))?;
            if let Some(url) = find(URL, &text)? {
                return Ok(url);
            }
            if let Ok(Some(status)) = self.server.try_wait() {
                return Err(Failure::new(format!("the server ended: {status}\n{text}")));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(Failure::new(format!("the server did not listen within {TIMEOUT:?}; see {}", self.data.display())))
    }

    /// The server's process ID.
    pub fn process(&self) -> u32 {
        self.server.id()
    }

    /// The publishable key of the mock Stripe, which the server prints at startup.
    pub fn publishable_key(&self) -> Result<String, Failure> {
        let key = find(PUBLISHABLE_KEY, &fs::read_to_string(self.data.join(LOG))?)?;
        key.ok_or_else(|| Failure::new("the server printed no keys of its mock Stripe"))
    }

    /// Stops the shop. Keeps its data and log only if the run failed.
    pub fn close_after(mut self, finished: &Finished) {
        self.close();
        if finished.status.success() {
            // Leftovers only take disk space in the target folder.
            let _ = fs::remove_dir_all(&self.data);
        } else {
            log_line(&format!("the shop's data and log are in {}", self.data.display()));
        }
    }

    fn close(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        self.close();
    }
}

/// The pattern's group.
fn find(pattern: &str, log: &str) -> Result<Option<String>, Failure> {
    Ok(Regex::new(pattern)?.captures(log).map(|found| found[1].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{PUBLISHABLE_KEY, URL, find};

    #[test]
    fn the_address_and_the_key_are_read_once_their_line_is_complete() {
        let log =
            "mock Stripe: http://127.0.0.1:1/test-stripe with sk_test_1 and pk_test_1\nlistening on http://127.0.0.1:4";
        assert_eq!(find(PUBLISHABLE_KEY, log).unwrap().as_deref(), Some("pk_test_1"));
        assert_eq!(find(URL, log).unwrap(), None);
        let log = format!("{log}0123\nmail: data/mail\n");
        assert_eq!(find(URL, &log).unwrap().as_deref(), Some("http://127.0.0.1:40123"));
    }
}
