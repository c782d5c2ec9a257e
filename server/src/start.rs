//! Startup and shutdown: from a configuration to a running shop.

use std::net::SocketAddr;
use std::os::unix::net::UnixDatagram;
use std::sync::Arc;

use listenfd::ListenFd;
use mock_stripe::{Keys as MockStripeKeys, MockStripe};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::accounts::bot_check::BotCheck;
use crate::accounts::{Accounts, Keys};
use crate::catalog::Catalog;
use crate::checkout::Checkout;
use crate::checkout::provider::Provider;
use crate::config::{Config, Payments};
use crate::db::{Db, shop_metadata};
use crate::fulfillment::Fulfillment;
use crate::http::response_cache::{PageVersion, ResponseCaches};
use crate::http::{Http, security_headers, serve};
use crate::infra::clock::Clock;
use crate::infra::memory::return_freed_memory;
use crate::infra::private_files;
use crate::limits::Limits;
use crate::mail::{self, Mail};
use crate::money::Money;
use crate::operations::Operations;
use crate::operations::seed::{self, Seeded};
use crate::orders::Orders;
use crate::orders::daily_totals::OrderTotals;
use crate::platform::Platform;
use crate::router;
use crate::settings::{self, CurrentSettings, SettingsState};
use crate::shop::{PublicResponses, Shop};
use crate::storefront::pages::start_renderer;
use crate::storefront::{Storefront, analytics};
use crate::test_mode;

/// A running shop. [`Running::stop`] stops it; dropping does not.
pub struct Running {
    pub addr: SocketAddr,
    pub shop: Arc<Shop>,
    /// Demo data of a first start.
    pub seeded: Option<Seeded>,
    /// Keys of the mock Stripe, in test mode.
    pub mock_stripe_keys: Option<MockStripeKeys>,
    /// Separate address of the mock Stripe, if configured.
    pub mock_stripe_addr: Option<SocketAddr>,
    server: tokio::task::JoinHandle<()>,
}

impl Running {
    /// Opens the database, starts the server and the background tasks.
    ///
    /// # Errors
    /// A message for the operator that names the variable.
    pub async fn start(config: Config, clock: Clock) -> Result<Self, String> {
        start_renderer();
        private_files::secure_folder(&config.data_dir)
            .map_err(|error| format!("SHOP_DATA_DIR: {} cannot be used: {error}", config.data_dir.display()))?;
        private_files::narrow(&config.mail_dir());
        let db = Db::open(&config.database_url).await?;
        db.migrate().await?;
        reject_test_mode_after_live(&db, &config).await?;
        settings::import_shop_toml(&db, &config.settings, &OrderTotals, clock.now_ms()).await?;
        bring_zone_into_force(&db, &config).await?;
        let delivery = mail::Delivery::new(&config)?;
        let keys = Keys::load(&config, &db, &clock).await.map_err(|error| error.to_string())?;

        let listener = match inherited_listener()? {
            Some(inherited) => {
                reject_public_demo(&config, &inherited)?;
                inherited
            }
            None => listen("SHOP_ADDR", config.addr).await?,
        };
        let addr = listener.local_addr().map_err(|error| format!("SHOP_ADDR: {error}"))?;
        let mock_stripe_listener = match config.mock_stripe_addr {
            None => None,
            Some(wanted) => Some(listen("SHOP_TEST_STRIPE_ADDR", wanted).await?),
        };
        let mock_stripe_addr = mock_stripe_listener.as_ref().and_then(|listener| listener.local_addr().ok());
        let own_url = format!("http://{}", reachable(addr));
        let public_url = config.public_url.clone().unwrap_or_else(|| own_url.clone());
        let (provider, publishable_key, mock) = payments(&config, &db, &clock, &own_url, &public_url).await?;
        let (mock_stripe, mock_stripe_keys) = mock.unzip();
        let seeded = seed_demo(&db, &clock, &config).await?;
        let platform = Platform::new(config, db, clock, &public_url)?;
        let composed = compose(platform, keys, provider, publishable_key, mock_stripe).await?;
        let (shop, mail) = (composed.shop, composed.mail);

        let server = tokio::spawn(serve::serve(listener, router::router(&shop), shop.http.clone()));
        let platform = &shop.platform;
        if let Some((stripe, keys)) = shop.mock_stripe.as_ref().zip(mock_stripe_keys.as_ref()) {
            test_mode::spawn(platform, stripe, keys, &own_url);
            if let Some(listener) = mock_stripe_listener {
                platform.tasks.spawn(serve_mock_stripe(listener, shop.clone(), stripe.clone()));
            }
        }
        platform.tasks.spawn(mail::run(mail, delivery));
        shop.start_jobs();
        return_freed_memory();
        Ok(Self { addr, shop, seeded, mock_stripe_keys, mock_stripe_addr, server })
    }

    /// Graceful shutdown: drains, stops accepting connections, finishes running requests and closes the database.
    ///
    /// While it drains, the shop serves as before, but isn't ready, and closes each connection with its next response.
    pub async fn stop(self) {
        let Platform { config, draining, stopping, tasks, db, .. } = &self.shop.platform;
        draining.cancel();
        tokio::time::sleep(config.drain).await;
        stopping.cancel();
        if let Err(failure) = self.server.await {
            tracing::error!(%failure, "the server broke off");
        }
        tasks.close();
        tasks.wait().await;
        if let Err(error) = analytics::flush(&self.shop.storefront).await {
            tracing::warn!(%error, "the last page views could not be written");
        }
        self.shop.http.overload_log.report();
        db.close().await;
    }
}

/// The socket that systemd passes to the service (`LISTEN_FDS`). It stays open while the service restarts.
fn inherited_listener() -> Result<Option<TcpListener>, String> {
    let failed = |error: std::io::Error| format!("LISTEN_FDS: the socket cannot be used: {error}");
    let mut passed = ListenFd::from_env();
    if passed.len() > 1 {
        return Err("LISTEN_FDS: the shop listens on one socket only".to_owned());
    }
    let Some(inherited) = passed.take_tcp_listener(0).map_err(failed)? else {
        return Ok(None);
    };
    inherited.set_nonblocking(true).map_err(failed)?;
    TcpListener::from_std(inherited).map(Some).map_err(failed)
}

/// Without `SHOP_DEMO`, a shop on a loopback address is a demo, which the address of the socket may contradict.
fn reject_public_demo(config: &Config, inherited: &TcpListener) -> Result<(), String> {
    let addr = inherited.local_addr().map_err(|error| format!("LISTEN_FDS: {error}"))?;
    if config.demo && config.addr.ip().is_loopback() && !addr.ip().is_loopback() {
        return Err(format!("SHOP_ADDR: set it to {addr}, the address of the socket that was passed"));
    }
    Ok(())
}

async fn listen(variable: &str, addr: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(addr).await.map_err(|error| format!("{variable}: cannot listen on {addr}: {error}"))
}

async fn bring_zone_into_force(db: &Db, config: &Config) -> Result<(), String> {
    let done = settings::bring_zone_into_force(db, &config.settings, &OrderTotals).await;
    done.map_err(|error| format!("DATABASE_URL: the daily totals could not be counted for the time zone: {error}"))
}

async fn seed_demo(db: &Db, clock: &Clock, config: &Config) -> Result<Option<Seeded>, String> {
    if !config.demo {
        return Ok(None);
    }
    seed::seed_if_empty(db, clock, config).await.map_err(|error| format!("setting up the demo failed: {error}"))
}

/// Tells systemd that the shop is ready (`Type=notify` in `deploy/nudgelight.service`). Does nothing without systemd.
///
/// # Errors
/// If systemd doesn't take the message.
#[expect(clippy::disallowed_methods, reason = "set by systemd, not by the operator")]
pub fn notify_systemd() -> Result<(), String> {
    let Some(socket) = std::env::var_os("NOTIFY_SOCKET") else { return Ok(()) };
    let sent = UnixDatagram::unbound().and_then(|unbound| unbound.send_to(b"READY=1", socket));
    sent.map(drop).map_err(|error| format!("NOTIFY_SOCKET: systemd can't be told that the shop is ready: {error}"))
}

/// Listens for SIGTERM and Ctrl-C from this call on, so that a signal during startup is not lost. The future resolves at
/// the first signal; a second one ends the process immediately.
///
/// # Errors
/// If signal handlers cannot be installed.
pub fn shutdown_signal() -> Result<impl Future<Output = ()>, String> {
    let mut signals = Signals::listen().map_err(|error| format!("cannot receive signals: {error}"))?;
    Ok(async move {
        signals.next().await;
        tokio::spawn(async move {
            signals.next().await;
            std::process::exit(1);
        });
    })
}

struct Signals {
    interrupted: tokio::signal::unix::Signal,
    terminated: tokio::signal::unix::Signal,
}

impl Signals {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupted: signal(SignalKind::interrupt())?, terminated: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupted.recv() => {}
            _ = self.terminated.recv() => {}
        }
    }
}

struct Composed {
    shop: Arc<Shop>,
    mail: Arc<Mail>,
}

/// The state of each domain, from the lowest to the highest.
async fn compose(
    platform: Platform,
    keys: Keys,
    provider: Provider,
    publishable_key: String,
    mock_stripe: Option<MockStripe>,
) -> Result<Composed, String> {
    let Platform { config, public_url, registry, .. } = &platform;
    let twice = |error: prometheus::Error| format!("registering the metrics failed: {error}");
    let pages = PageVersion::default();
    let caches =
        ResponseCaches::new(security_headers::security_headers(public_url, config.hsts), registry).map_err(twice)?;
    let bot_check = BotCheck::new(config, public_url)?;
    let cors = router::cors(&config.cors_origins);

    let enqueued = Arc::<Notify>::default();
    let limits = Arc::new(Limits::new(&platform));
    let started = CurrentSettings::start(&platform, pages.clone()).await;
    let current = Arc::new(started.map_err(|error| error.to_string())?);
    let accounts = Arc::new(Accounts::new(&platform, keys, bot_check, limits, current.clone(), enqueued.clone()));
    let settings = Arc::new(SettingsState::new(&platform, accounts.clone(), current.clone(), &OrderTotals));
    let catalog = Catalog::new(&platform, accounts.clone(), current.clone(), &caches, pages).map_err(twice)?;
    let catalog = Arc::new(catalog);
    let orders = Arc::new(Orders { db: platform.db.clone(), accounts: accounts.clone() });
    let checkout = Arc::new(Checkout::new(&platform, accounts.clone(), current.clone(), provider).map_err(twice)?);
    let money = Arc::new(Money::new(&platform, settings.clone(), checkout.clone()));
    let storefront = Storefront::new(&platform, settings.clone(), catalog.clone(), &caches, publishable_key);
    let storefront = Arc::new(storefront);
    let fulfillment = Arc::new(Fulfillment::new(&platform, checkout.clone(), storefront.clone()));
    let operations = Arc::new(Operations::new(&platform, checkout.clone()).map_err(twice)?);

    let documents = storefront.documents.clone();
    let cached = Arc::new(PublicResponses { accounts: accounts.clone(), catalog: catalog.clone(), documents });
    let http = Arc::new(Http::new(&platform, cors, caches.common_headers, cached).map_err(twice)?);
    let Platform { db, clock, stopping, .. } = platform.clone();
    let mail = Mail { db, clock, stopping, enqueued, letterhead: current, pictures: catalog.clone() };
    let mail = Arc::new(mail);
    let shop = Shop {
        platform,
        http,
        accounts,
        settings,
        catalog,
        orders,
        checkout,
        money,
        storefront,
        fulfillment,
        operations,
        mock_stripe,
    };
    Ok(Composed { shop: Arc::new(shop), mail })
}

/// Test mode only, so it needs no protection against slow clients.
async fn serve_mock_stripe(listener: TcpListener, shop: Arc<Shop>, stripe: MockStripe) {
    let stopping = shop.platform.stopping.clone();
    let served = axum::serve(listener, router::mock_stripe_router(&shop.http, stripe))
        .with_graceful_shutdown(stopping.cancelled_owned());
    if let Err(error) = served.await {
        tracing::error!(%error, "serving the mock Stripe's address failed");
    }
}

/// The provider, its publishable key, and in test mode the mock Stripe behind it.
async fn payments(
    config: &Config,
    db: &Db,
    clock: &Clock,
    own_url: &str,
    public_url: &str,
) -> Result<(Provider, String, Option<(MockStripe, MockStripeKeys)>), String> {
    match &config.payments {
        Payments::Stripe(keys) => {
            let provider = Provider::new(&keys.api_base, &keys.secret_key, keys.webhook_secret.clone(), clock.clone())?;
            Ok((provider, keys.publishable_key.clone(), None))
        }
        Payments::Test => {
            let stripe = test_mode::open(db, clock, public_url).await?;
            let keys = stripe.keys().await.map_err(|error| format!("DATABASE_URL: {error}"))?;
            let base = format!("{own_url}{}", test_mode::PATH);
            let provider = Provider::new(&base, &keys.secret_key, keys.webhook_secret.clone(), clock.clone())?;
            Ok((provider, keys.publishable_key.clone(), Some((stripe, keys))))
        }
    }
}

/// Rejects a database with live payments in test mode.
async fn reject_test_mode_after_live(db: &Db, config: &Config) -> Result<(), String> {
    if !config.test_mode() {
        return Ok(());
    }
    let live = shop_metadata::find(db.read(), shop_metadata::LIVE_PAYMENT)
        .await
        .map_err(|error| format!("DATABASE_URL: {error}"))?;
    match live {
        None => Ok(()),
        Some(_) => {
            Err("STRIPE_SECRET_KEY: this database has taken live payments and is not opened in test mode".to_owned())
        }
    }
}

/// A loopback address of the server, even if it listens on all interfaces.
fn reachable(addr: SocketAddr) -> SocketAddr {
    let mut own = addr;
    if addr.ip().is_unspecified() {
        own.set_ip(match addr {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    own
}
