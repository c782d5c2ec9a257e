//! Three shop processes on one database.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bench::http;
use xtask::process::{Failure, run};
use xtask::shop::{PASSWORD, remove_settings};

use crate::daemon::Daemon;
use crate::ports::Ports;
use crate::provider::Provider;
use crate::template::loopback;
use crate::wait;

const TIMEOUT: Duration = Duration::from_secs(60);
/// The key that all processes of a shop share.
const SIGNING_KEY: &str = "signing-key.pem";

pub struct Shops {
    processes: Vec<Daemon>,
    urls: Vec<String>,
}

impl Shops {
    /// The first one sets up the database, and creates the signing key.
    pub fn start(
        server: &Path,
        scratch: &Path,
        ports: &Ports,
        database_url: &str,
        provider: &Provider,
    ) -> Result<Self, Failure> {
        let webhook_secret = provider.add_webhook(&format!("http://{}", loopback(ports.front)))?;
        let key = scratch.join("shop1").join(SIGNING_KEY);
        let shop = |(number, port): (usize, u16)| {
            let mut shop = Daemon::new(&scratch.join(format!("shop{number}")), server, None)?;
            if number > 1 {
                fs::copy(&key, shop.folder.join(SIGNING_KEY))?;
            }
            let settings = [
                ("SHOP_ADDR", loopback(port)),
                ("SHOP_DATA_DIR", shop.folder.display().to_string()),
                ("DATABASE_URL", database_url.to_owned()),
                ("SHOP_DEMO", "1".to_owned()),
                ("SHOP_DEMO_PASSWORD", PASSWORD.to_owned()),
                ("SHOP_RATE_LIMITS", "off".to_owned()),
                ("SHOP_BOT_CHECK", "off".to_owned()),
                ("STRIPE_API_BASE", format!("{}/test-stripe", provider.url)),
                ("STRIPE_SECRET_KEY", provider.secret_key.clone()),
                ("STRIPE_PUBLISHABLE_KEY", provider.publishable_key.clone()),
                ("STRIPE_WEBHOOK_SECRET", webhook_secret.clone()),
            ];
            shop.variables = settings.map(|(name, value)| (name.to_owned(), value)).to_vec();
            shop.start()?;
            let url = format!("http://{}", loopback(port));
            wait::until_true("a shop process", TIMEOUT, || is_ready(&url))?;
            Ok((shop, url))
        };
        let started = (1..).zip(ports.shops).map(shop).collect::<Result<Vec<_>, Failure>>()?;
        let (processes, urls) = started.into_iter().unzip();
        Ok(Self { processes, urls })
    }

    pub fn first(&self) -> Result<&Daemon, Failure> {
        self.processes.first().ok_or_else(|| Failure::new("there is no shop"))
    }

    /// Whether each process can write to the database.
    pub fn are_ready(&self) -> bool {
        self.urls.iter().all(|url| is_ready(url))
    }

    /// Runs a command of the server with the settings of the first process.
    pub fn run(&self, command: &str) -> Result<(), Failure> {
        let shop = self.first()?;
        let mut server = Command::new(&shop.program);
        remove_settings(&mut server);
        run(server.arg(command).envs(shop.variables.iter().cloned()).current_dir(&shop.folder))
    }
}

fn is_ready(url: &str) -> bool {
    http::get(url, "/readyz/database", &[]).is_ok_and(|response| response.status == 200)
}
