//! A temporary demo shop: the server on a free port, with demo products and accounts.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{Failure, Finished, cannot_start, log_line, remove_cargo_variables};
use crate::workspace::{Workspace, variables};

/// The password of both demo accounts.
pub const PASSWORD: &str = "a lamp for the browser tests";
const TIMEOUT: Duration = Duration::from_secs(30);
/// Prefixes of settings that must not be inherited from the environment.
const SETTINGS: [&str; 6] = ["SHOP_", "STRIPE_", "SMTP_", "BOT_CHECK_", "ANALYTICS_", "DATABASE_URL"];

/// Address and keys of the mock Stripe in a shop without Stripe keys.
#[derive(Debug, PartialEq, Eq)]
pub struct MockStripe {
    pub url: String,
    pub secret_key: String,
    pub publishable_key: String,
}

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
        fs::create_dir_all(&data).map_err(|error| Failure::new(format!("{}: {error}", data.display())))?;
        let log = data.join("server.log");
        let file = File::create(&log).and_then(|file| Ok((file.try_clone()?, file)));
        let (out, err) = file.map_err(|error| Failure::new(format!("{}: {error}", log.display())))?;

        let mut command = Command::new(program);
        for setting in variables(&SETTINGS) {
            command.env_remove(setting);
        }
        remove_cargo_variables(&mut command);
        let server = command
            .current_dir(&data)
            .env("SHOP_ADDR", "127.0.0.1:0")
            .env("SHOP_DATA_DIR", &data)
            .env("SHOP_DEMO", "1")
            .env("SHOP_DEMO_PASSWORD", PASSWORD)
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(err)
            .spawn()
            .map_err(|error| cannot_start("nudgelight", &error))?;
        let mut shop = Self { server, url: String::new(), data };
        shop.url = shop.wait_until_open(&log)?;
        Ok(shop)
    }

    fn wait_until_open(&mut self, log: &Path) -> Result<String, Failure> {
        let began = Instant::now();
        while began.elapsed() < TIMEOUT {
            let text = fs::read_to_string(log).unwrap_or_default();
            if let Some(url) = listening_on(&text) {
                return Ok(url);
            }
            if let Ok(Some(status)) = self.server.try_wait() {
                return Err(Failure::new(format!("the server ended: {status}\n{text}")));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(Failure::new(format!("the server did not listen within {TIMEOUT:?}; see {}", log.display())))
    }

    /// The server's process ID.
    pub fn process(&self) -> u32 {
        self.server.id()
    }

    pub fn mock_stripe(&self) -> Result<MockStripe, Failure> {
        let log = fs::read_to_string(self.data.join("server.log")).unwrap_or_default();
        mock_stripe_in(&log).ok_or_else(|| Failure::new("the server printed no address of its mock Stripe"))
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

/// The URL in the line `listening on URL`.
fn listening_on(log: &str) -> Option<String> {
    let (_, rest) = log.split_once("listening on ")?;
    let (line, _) = rest.split_once('\n')?;
    line.split_whitespace().next().map(str::to_owned)
}

/// Parses the line `mock Stripe: URL with SECRET and PUBLISHABLE`.
fn mock_stripe_in(log: &str) -> Option<MockStripe> {
    let (_, rest) = log.split_once("mock Stripe: ")?;
    let (line, _) = rest.split_once('\n')?;
    let (url, keys) = line.split_once(" with ")?;
    let (secret, publishable) = keys.split_once(" and ")?;
    let [url, secret_key, publishable_key] = [url, secret, publishable].map(str::to_owned);
    Some(MockStripe { url, secret_key, publishable_key })
}

#[cfg(test)]
mod tests {
    use super::{MockStripe, listening_on, mock_stripe_in};

    #[test]
    fn the_keys_of_the_test_mode_stripe_are_read() {
        let [url, secret_key, publishable_key] =
            ["http://127.0.0.1:1/test-stripe", "sk_test_1", "pk_test_1"].map(str::to_owned);
        let log = format!("mock Stripe: {url} with {secret_key} and {publishable_key}\nlistening on");
        assert_eq!(mock_stripe_in(&log), Some(MockStripe { url, secret_key, publishable_key }));
        assert_eq!(mock_stripe_in("listening on http://127.0.0.1:1\n"), None);
    }

    #[test]
    fn the_address_is_read_once_its_line_is_complete() {
        assert_eq!(listening_on("migrated\nlistening on http://127.0.0.1:40"), None);
        let log = "migrated\nlistening on http://127.0.0.1:40123\nmail: data/mail\n";
        assert_eq!(listening_on(log).as_deref(), Some("http://127.0.0.1:40123"));
    }
}
