//! A temporary demo shop: the server on a free port, with demo products and accounts.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fs_err as fs;

use crate::process::{Failure, Finished, cannot_start, log_line, remove_cargo_variables};
use crate::workspace::{Workspace, variables};

/// The password of both demo accounts.
pub const PASSWORD: &str = "a lamp for the browser tests";
const TIMEOUT: Duration = Duration::from_secs(30);
/// The log file in the data folder.
pub const LOG: &str = "server.log";
/// Prefixes of settings that must not be inherited from the environment.
const SETTINGS: [&str; 6] = ["SHOP_", "STRIPE_", "SMTP_", "BOT_CHECK_", "ANALYTICS_", "DATABASE_URL"];

/// A running shop, stopped on drop.
pub struct Shop {
    pub server: Child,
    pub url: String,
    pub data: PathBuf,
}

impl Shop {
    /// Starts a build of the server with additional settings.
    pub fn open(
        program: &Path,
        workspace: &Workspace,
        suite: &str,
        settings: &[(&str, &str)],
    ) -> Result<Self, Failure> {
        let data = workspace.target.join("xtask").join(format!("{suite}-{}", std::process::id()));
        fs::create_dir_all(&data)?;
        let log = fs::File::create(data.join(LOG))?.into_file();
        let mut command = Command::new(program);
        remove_settings(&mut command);
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
            if let Some(url) = listening_url(&text) {
                return Ok(url.to_owned());
            }
            if let Ok(Some(status)) = self.server.try_wait() {
                return Err(Failure::new(format!("the server ended: {status}\n{text}")));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Err(Failure::new(format!("the server did not listen within {TIMEOUT:?}; see {}", self.data.display())))
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

/// Removes the variables that a shop would inherit as its settings.
pub fn remove_settings(command: &mut Command) {
    for setting in variables(&SETTINGS) {
        command.env_remove(setting);
    }
    remove_cargo_variables(command);
}

/// The address in the server's output, once its line is complete.
fn listening_url(log: &str) -> Option<&str> {
    let (_, rest) = log.split_once("listening on ")?;
    rest.split_once('\n')?.0.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_address_is_read_once_its_line_is_complete() {
        assert_eq!(super::listening_url("mock Stripe\nlistening on http://127.0.0.1:4"), None);
        let log = "listening on http://127.0.0.1:40123 (demo)\nmail: data/mail\n";
        assert_eq!(super::listening_url(log), Some("http://127.0.0.1:40123"));
    }
}
