//! Startup and shutdown: from a configuration to a running shop.

use std::net::SocketAddr;
use std::sync::Arc;

use mock_stripe::{Keys as MockStripeKeys, MockStripe};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::accounts;
use crate::accounts::bot_check::BotCheck;
use crate::accounts::{Keys, Passwords};
use crate::catalog::back_in_stock;
use crate::catalog::images::Bitmaps;
use crate::catalog::low_stock;
use crate::catalog::photos::Photos;
use crate::checkout::provider::Provider;
use crate::checkout::{PaymentLocks, reconcile, tax_records};
use crate::config::{Config, Payments};
use crate::db::Db;
use crate::db::shop_metadata;
use crate::http::load_shedding::LoadShedding;
use crate::http::overload_log::{self, OverloadLog};
use crate::http::security_headers;
use crate::http::serve;
use crate::infra::clock::{Clock, MINUTE};
use crate::infra::private_files;
use crate::limits;
use crate::mail;
use crate::money::payouts;
use crate::operations::health::Readiness;
use crate::operations::metrics::Metrics;
use crate::operations::retention;
use crate::operations::seed::{self, Seeded};
use crate::orders::daily_totals;
use crate::router;
use crate::settings::{self, CurrentSettings};
use crate::shop::Shop;
use crate::storefront::analytics;
use crate::storefront::analytics::PageViews;
use crate::storefront::pages::{Firmware, start_renderer};
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
        settings::import_shop_toml(&db, clock.now_ms()).await?;
        let settings = CurrentSettings::start(&db, config.settings.clone()).await.map_err(|error| error.to_string())?;
        let delivery = mail::Delivery::new(&config)?;
        let keys = Keys::load(&config, &db, &clock).await.map_err(|error| error.to_string())?;

        let listener = listen("SHOP_ADDR", config.addr).await?;
        let addr = listener.local_addr().map_err(|error| format!("SHOP_ADDR: {error}"))?;
        let mock_stripe_listener = match config.mock_stripe_addr {
            None => None,
            Some(wanted) => Some(listen("SHOP_TEST_STRIPE_ADDR", wanted).await?),
        };
        let mock_stripe_addr = mock_stripe_listener.as_ref().and_then(|listener| listener.local_addr().ok());
        let own_url = format!("http://{}", reachable(addr));
        let public_url = config.public_url.clone().unwrap_or_else(|| own_url.clone());
        let bot_check = BotCheck::new(&config, &public_url)?;
        let (provider, publishable_key, mock) = payments(&config, &db, &clock, &own_url, &public_url).await?;
        let (mock_stripe, mock_stripe_keys) = mock.unzip();
        let seeded = seed_demo(&db, &clock, &config).await?;

        let metrics = Metrics::new()?;
        let common_headers = security_headers::security_headers(&public_url);
        let catalog = metrics.catalog(db.clone(), common_headers.clone());
        let shop = Arc::new(Shop {
            catalog: Arc::new(catalog),
            photos: Photos::default(),
            bitmaps: Bitmaps::default(),
            documents: metrics.response_cache(common_headers.clone()),
            common_headers,
            metrics,
            cors: router::cors(&config.cors_origins),
            load_shedding: LoadShedding::default(),
            readiness: Readiness::default(),
            page_views: PageViews::default(),
            limits: limits::RejectionCache::default(),
            overload_log: OverloadLog::default(),
            public_url,
            bot_check,
            passwords: Passwords::default(),
            payment_locks: PaymentLocks::default(),
            seen_refunds: reconcile::SeenRefunds::default(),
            mock_stripe,
            firmware: Firmware::find(&config.data_dir),
            mail_enqueued: Arc::new(Notify::new()),
            payouts_changed: Notify::new(),
            time_zone_changed: Notify::new(),
            stopping: CancellationToken::new(),
            tasks: TaskTracker::new(),
            config,
            db,
            clock,
            keys,
            provider,
            publishable_key,
            settings,
        });
        let server = tokio::spawn(serve::serve(listener, shop.clone()));
        if let Some((stripe, keys)) = shop.mock_stripe.as_ref().zip(mock_stripe_keys.as_ref()) {
            test_mode::spawn(&shop, stripe, keys, &own_url);
            if let Some(listener) = mock_stripe_listener {
                shop.tasks.spawn(serve_mock_stripe(listener, shop.clone(), stripe.clone()));
            }
        }
        shop.tasks.spawn(mail::run(shop.clone(), delivery));
        spawn_background(&shop);
        Ok(Self { addr, shop, seeded, mock_stripe_keys, mock_stripe_addr, server })
    }

    /// Graceful shutdown: stops accepting connections, finishes running requests and closes the database.
    pub async fn stop(self) {
        self.shop.stopping.cancel();
        if let Err(failure) = self.server.await {
            tracing::error!(%failure, "the server broke off");
        }
        self.shop.tasks.close();
        self.shop.tasks.wait().await;
        analytics::flush(&self.shop).await;
        self.shop.overload_log.report();
        self.shop.db.close().await;
    }
}

async fn listen(variable: &str, addr: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(addr).await.map_err(|error| format!("{variable}: cannot listen on {addr}: {error}"))
}

async fn seed_demo(db: &Db, clock: &Clock, config: &Config) -> Result<Option<Seeded>, String> {
    if !config.demo {
        return Ok(None);
    }
    seed::seed_if_empty(db, clock, config).await.map_err(|error| format!("setting up the demo failed: {error}"))
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

fn spawn_background(shop: &Arc<Shop>) {
    shop.tasks.spawn(reconcile::run(shop.clone()));
    shop.tasks.spawn(tax_records::run(shop.clone()));
    shop.tasks.spawn(payouts::run(shop.clone()));
    shop.tasks.spawn(sweep(shop.clone()));
    shop.tasks.spawn(analytics::run(shop.clone()));
    shop.tasks.spawn(overload_log::run(shop.clone()));
    shop.tasks.spawn(retention::run(shop.clone()));
    shop.tasks.spawn(back_in_stock::run(shop.clone()));
    shop.tasks.spawn(low_stock::run(shop.clone()));
    shop.tasks.spawn(settings::run(shop.clone()));
    shop.tasks.spawn(daily_totals::rebuild::run(shop.clone()));
}

/// Test mode only, so it needs no protection against slow clients.
async fn serve_mock_stripe(listener: TcpListener, shop: Arc<Shop>, stripe: MockStripe) {
    let stopping = shop.stopping.clone();
    let served = axum::serve(listener, router::mock_stripe_router(shop, stripe))
        .with_graceful_shutdown(stopping.cancelled_owned());
    if let Err(error) = served.await {
        tracing::error!(%error, "serving the mock Stripe's address failed");
    }
}

/// Once a minute, deletes expired codes, sessions and rate limits, and reloads the signing keys.
async fn sweep(shop: Arc<Shop>) {
    let mut tick = tokio::time::interval(std::time::Duration::from_millis(MINUTE.unsigned_abs()));
    loop {
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            _ = tick.tick() => {}
        }
        if let Err(error) = accounts::sweep(&shop.db, shop.clock.now_ms()).await {
            tracing::error!(%error, "deleting expired rows failed");
        }
        if let Err(message) = accounts::refresh_keys(&shop).await {
            tracing::error!(message, "reloading the signing keys failed");
        }
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

/// A loopback address of the server, also if it listens on all interfaces.
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
