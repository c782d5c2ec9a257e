//! The command line. `nudgelight` alone serves.

mod arguments;
mod backups;
mod database;
mod output;

use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser as _;
use tracing_subscriber::EnvFilter;

use crate::accounts;
use crate::checkout;
use crate::checkout::release::{IfCancelFails, ReleaseResult, release};
use crate::checkout::{Checkout, ReconcileReport};
use crate::checkout::{confirmation, reconcile};
use crate::config::{Config, MailTo};
use crate::db::Db;
use crate::error::Error;
use crate::infra::clock::{Clock, rfc3339};
use crate::operations::sample_data;
use crate::operations::schedule;
use crate::operations::seed;
use crate::orders::daily_totals::OrderTotals;
use crate::settings;
use crate::start::{self, Running};

use self::arguments::{AdminCommand, CheckoutCommand, Cli, Command, KeysCommand, SettingsCommand};
use self::backups::{back_up, drill, restore, run_audit};
use self::database::open;
use self::output::{message, progress, say};

pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match &cli.command {
        Some(Command::Openapi) => return print_document(),
        Some(Command::Schedule { command }) => return schedule::run(command),
        _ => (),
    }
    if let Err(message) = log() {
        return fail(&message);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.to_string()),
    };
    match runtime.block_on(run(cli.command.unwrap_or(Command::Serve))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

/// Needs no configuration: the document is the same for every shop.
fn print_document() -> ExitCode {
    match crate::router::document().to_pretty_json() {
        Ok(json) => {
            say(&json);
            ExitCode::SUCCESS
        }
        Err(error) => fail(&error.to_string()),
    }
}

#[expect(clippy::print_stderr, reason = "output of a command")]
fn fail(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}

/// Logs JSON lines to standard error, filtered by `RUST_LOG`.
#[expect(clippy::disallowed_methods, reason = "the log begins before the configuration is read")]
fn log() -> Result<(), String> {
    let directives = std::env::var(EnvFilter::DEFAULT_ENV).ok().filter(|directives| !directives.trim().is_empty());
    let filter = EnvFilter::try_new(directives.as_deref().unwrap_or("info,sqlx=warn"))
        .map_err(|error| format!("{} is invalid: {error}", EnvFilter::DEFAULT_ENV))?;
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_writer(std::io::stderr)
        .with_env_filter(filter)
        .init();
    Ok(())
}

async fn run(command: Command) -> Result<(), String> {
    let config = Config::from_env()?;
    match command {
        Command::Serve => serve(config).await,
        Command::Migrate => {
            let db = open(&config).await?;
            let newer = db.find_newer_schema().await;
            db.close().await;
            say(&match newer? {
                None => "The database schema is up to date.".to_owned(),
                Some(newer) => format!("The database has the newer schema {newer}; nothing was changed."),
            });
            Ok(())
        }
        Command::Seed(arguments) => seed(&config, arguments.options()).await,
        Command::Admin { command } => {
            let db = open(&config).await?;
            let result = match command {
                AdminCommand::Grant { email } => grant(&config, &db, &email).await?,
                AdminCommand::Revoke { email } => {
                    accounts::revoke_admin(&db, &email).await.map_err(message)?;
                    format!("{email} is no longer an administrator.")
                }
            };
            say(&result);
            db.close().await;
            Ok(())
        }
        Command::Settings { command: SettingsCommand::Import { file } } => import_settings(&config, &file).await,
        Command::Keys { command: KeysCommand::Rotate } => rotate_keys(&config).await,
        // Handled before the configuration was read.
        Command::Openapi | Command::Schedule { .. } => Ok(()),
        Command::Check => check(&config).await,
        Command::Reconcile => {
            let running = Running::start(one_off_config(config), Clock::default()).await?;
            let compared = reconcile::run_once(&running.shop.checkout, 0).await;
            running.stop().await;
            report_comparison(&compared.map_err(message)?)
        }
        Command::Checkout { command } => {
            let running = Running::start(one_off_config(config), Clock::default()).await?;
            let done = match command {
                CheckoutCommand::List => list_checkouts(&running.shop.checkout).await,
                CheckoutCommand::Release { id, force } => release_checkout(&running.shop.checkout, &id, force).await,
            };
            running.stop().await;
            done
        }
        Command::Audit => run_audit(&config).await,
        Command::Backup { file, keep } => back_up(&config, &file, keep).await,
        Command::Drill { file } => drill(&config, &file).await,
        Command::Restore { file, drill } => restore(&config, &file, drill).await,
        Command::Confirm => confirm(&config).await,
    }
}

async fn seed(config: &Config, past: Option<sample_data::SeedOptions>) -> Result<(), String> {
    let db = open(config).await?;
    let seeded = seed::seed_if_empty(&db, &Clock::default(), config).await.map_err(message)?;
    say(match (&seeded, past) {
        (Some(_), _) => "Demo products and accounts inserted.",
        (None, Some(_)) => "The database is not empty; existing data was not changed.",
        (None, None) => "The database is not empty; nothing was changed.",
    });
    if let Some(seeded) = &seeded {
        announce_accounts(seeded);
    }
    let filled = match past {
        Some(wanted) => fill(&db, config, wanted).await,
        None => Ok(()),
    };
    db.close().await;
    filled.map_err(message)?;
    if let Some(wanted) = past {
        say(&format!("{} orders inserted, dated over three years up to midnight (UTC).", wanted.orders));
    }
    Ok(())
}

async fn fill(db: &Db, config: &Config, options: sample_data::SeedOptions) -> Result<(), Error> {
    let shop_name = shop_name(db, config).await?;
    sample_data::fill(db, config, shop_name, Clock::default().now_ms(), options, progress).await
}

async fn shop_name(db: &Db, config: &Config) -> Result<String, Error> {
    let mut connection = db.read().acquire().await?;
    Ok(settings::load(&mut connection, &config.settings).await?.shop_name)
}

async fn check(config: &Config) -> Result<(), String> {
    let results = crate::operations::check::check(config, &Clock::default()).await;
    for result in &results {
        say(&result.to_string());
    }
    match results.iter().filter(|result| !result.status.is_good()).count() {
        0 => Ok(()),
        failed => Err(format!("{failed} of {} checks failed", results.len())),
    }
}

async fn grant(config: &Config, db: &Db, email: &str) -> Result<String, String> {
    let clock = Clock::default();
    let keys = accounts::Keys::load(config, db, &clock).await?;
    let shop_name = shop_name(db, config).await.map_err(message)?;
    let setup = accounts::grant_admin(config, &shop_name, &keys, db, email, clock.now_ms()).await.map_err(message)?;
    Ok(match setup {
        None => format!("{email} is an administrator."),
        Some(setup) => format!("{email} is an administrator and has been logged out everywhere.\n{setup}"),
    })
}

async fn import_settings(config: &Config, file: &Path) -> Result<(), String> {
    let db = open(config).await?;
    let imported = settings::import_file(&db, file, &config.settings, &OrderTotals, Clock::default().now_ms()).await;
    db.close().await;
    imported?;
    say("Settings imported.");
    Ok(())
}

async fn rotate_keys(config: &Config) -> Result<(), String> {
    let db = open(config).await?;
    let rotated = accounts::rotate_keys(config, &db, &Clock::default()).await;
    db.close().await;
    say(&rotated?.to_string());
    Ok(())
}

/// Commands start a shop on a free port, because the server may use the configured one. Links in emails still point to
/// the server.
fn one_off_config(mut config: Config) -> Config {
    if config.public_url.is_none() && config.addr.port() != 0 {
        config.public_url = Some(format!("http://{}", config.addr));
    }
    config.addr = SocketAddr::from(([127, 0, 0, 1], 0));
    config.mock_stripe_addr = None;
    config
}

fn report_comparison(compared: &ReconcileReport) -> Result<(), String> {
    for failure in &compared.failures {
        say(failure);
    }
    let payments = match compared.payments {
        1 => "1 open payment".to_owned(),
        many => format!("{many} open payments"),
    };
    match compared.failures.len() {
        0 => {
            let verb = if compared.payments == 1 { "was" } else { "were" };
            say(&format!("{payments} {verb} reconciled with the payment provider, and recent refunds and disputes."));
            Ok(())
        }
        1 => Err("1 reconciliation with the payment provider failed".to_owned()),
        failed => Err(format!("{failed} reconciliations with the payment provider failed")),
    }
}

async fn list_checkouts(state: &Arc<Checkout>) -> Result<(), String> {
    let open = checkout::store::list_open(state.db.read()).await.map_err(message)?;
    for checkout in &open {
        let intent = checkout.payment_intent_id.as_deref().unwrap_or("(no payment intent)");
        let total = checkout.total.map_or_else(|| "(no total)".to_owned(), |total| total.to_string());
        say(&format!("{intent}  {}  {total}  expires {}", checkout.id, rfc3339(checkout.expires_at)));
    }
    if open.is_empty() {
        say("No open checkouts.");
    }
    Ok(())
}

async fn release_checkout(state: &Arc<Checkout>, id: &str, force: bool) -> Result<(), String> {
    let otherwise = if force { IfCancelFails::CloseAnyway } else { IfCancelFails::Abort };
    let released = release(state, id, otherwise).await.map_err(message)?;
    say(&match released {
        ReleaseResult::Canceled => "Payment canceled, checkout closed.".to_owned(),
        ReleaseResult::Ordered(order) => format!("The checkout was paid: order {order} was created."),
        ReleaseResult::Unknown => {
            "The payment provider does not know the payment. The checkout is closed, and an alert was raised."
                .to_owned()
        }
        ReleaseResult::Unconfirmed => {
            "The payment couldn't be canceled. The checkout is closed, and an alert was raised: check the payment at \
             the payment provider."
                .to_owned()
        }
    });
    Ok(())
}

async fn confirm(config: &Config) -> Result<(), String> {
    let db = open(config).await?;
    let confirmed = confirmation::confirm(&db, config).await;
    db.close().await;
    confirmed.map_err(message)?;
    say(&match config.shop_address() {
        Some(address) => format!("This database is the shop at {address}."),
        None => "This database is a shop. SHOP_PUBLIC_URL is not a public address.".to_owned(),
    });
    Ok(())
}

async fn serve(config: Config) -> Result<(), String> {
    let shutdown = start::shutdown_signal()?;
    let running = Running::start(config, Clock::default()).await?;
    if let Some(keys) = &running.mock_stripe_keys {
        let (secret, publishable) = (&keys.secret_key, &keys.publishable_key);
        say(&format!("mock Stripe: http://{}/test-stripe with {secret} and {publishable}", running.addr));
        if let Some(addr) = running.mock_stripe_addr {
            say(&format!("mock Stripe, at the root path: http://{addr}"));
        }
    }
    say(&format!("listening on http://{}", running.addr));
    if let Some(origin) = passkey_address(&running) {
        say(&format!("for passkeys, open {origin}"));
    }
    if let Some(seeded) = &running.seeded {
        announce_accounts(seeded);
    } else if running.shop.platform.config.demo {
        say(&format!("demo accounts: {} and {}", seed::ADMIN, seed::CUSTOMER));
    }
    match &running.shop.platform.config.mail {
        MailTo::Files => say(&format!("emails are written to {}", running.shop.platform.config.mail_dir().display())),
        MailTo::Smtp(server) => say(&format!("emails are sent through {}", server.host_str().unwrap_or_default())),
    }
    start::notify_systemd()?;
    shutdown.await;
    running.stop().await;
    Ok(())
}

/// The address with passkeys, if it isn't the one that was announced: an IP address can't have any.
fn passkey_address(running: &Running) -> Option<&str> {
    let party = running.shop.accounts.relying_party.as_ref()?;
    let is_announced = party.origin() == running.shop.platform.public_url.trim_end_matches('/');
    (party.host() == "localhost" && !is_announced).then(|| party.origin())
}

fn announce_accounts(seeded: &seed::Seeded) {
    say(&format!("demo administrator: {}  password: {}", seed::ADMIN, seeded.password));
    say(&format!("demo customer:      {}  password: {}", seed::CUSTOMER, seeded.password));
}
