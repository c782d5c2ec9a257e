//! The settings in force in this process.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use app::mail::ShopInfo;
use sqlx::AnyConnection;

use super::announcement::ShownAnnouncement;
use super::store::{self, Stored};
use super::values::{Settings, SettingsVersion, locked};
use crate::config::EnvSettings;
use crate::db::Db;
use crate::error::Error;
use crate::http::response_cache::PageVersion;
use crate::infra::clock::Clock;
use crate::infra::jobs::Jobs;
use crate::mail::Letterhead;
use crate::platform::Platform;
use crate::time_zone::ShopZone;

/// Interval at which a process looks for changes by other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
const QUERY_TIMEOUT: Duration = Duration::from_secs(10);

/// The settings of a running shop: loaded at startup and after every change.
pub struct CurrentSettings {
    db: Db,
    clock: Clock,
    public_url: Arc<str>,
    environment: EnvSettings,
    latest: RwLock<Loaded>,
    /// The announcement in force, which ends by time.
    announced: Mutex<Option<ShownAnnouncement>>,
    /// Emptied when the settings in force have changed, because every page shows some of them.
    pages: PageVersion,
}

#[derive(Clone)]
struct Loaded {
    version: i64,
    settings: Arc<Settings>,
}

/// The settings in force, for commands.
///
/// # Errors
/// If the database cannot be read.
pub async fn load(connection: &mut AnyConnection, environment: &EnvSettings) -> Result<Settings, Error> {
    Ok(store::load(connection).await?.settings.with_environment(environment))
}

impl CurrentSettings {
    /// # Errors
    /// If the database cannot be read.
    pub async fn start(platform: &Platform, pages: PageVersion) -> Result<Self, Error> {
        let Platform { config, db, clock, public_url, .. } = platform.clone();
        let environment = config.settings.clone();
        let mut connection = db.read().acquire().await?;
        let loaded = Loaded::of(store::load(&mut connection).await?, &environment);
        drop(connection);
        let announced = loaded.settings.announcement_at(clock.now_ms());
        let (latest, announced) = (RwLock::new(loaded), Mutex::new(announced));
        Ok(Self { db, clock, public_url, environment, latest, announced, pages })
    }

    pub fn mail_shop(&self) -> ShopInfo {
        let settings = self.get();
        ShopInfo {
            name: settings.shop_name.clone(),
            public_url: self.public_url.to_string(),
            support_email: settings.support_email.clone(),
            seller: settings.seller(),
            return_terms: settings.return_days().map(|days| settings.return_shipping.terms(days)),
            delivery: settings.delivery_times,
        }
    }

    /// Loads the settings in force.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn reload(&self) -> Result<(), Error> {
        let mut connection = self.db.read().acquire().await?;
        let stored = store::load(&mut connection).await?;
        drop(connection);
        if self.replace(stored) {
            self.pages.change();
        }
        Ok(())
    }

    /// Loads changes by other processes, and takes an announcement from the pages when it ends.
    async fn poll(&self) -> Result<(), String> {
        let reloaded = tokio::time::timeout(QUERY_TIMEOUT, self.reload_if_changed()).await;
        let announcement = self.get().announcement_at(self.clock.now_ms());
        let mut announced = self.announced.lock().unwrap_or_else(PoisonError::into_inner);
        if *announced != announcement {
            *announced = announcement;
            self.pages.change();
        }
        match reloaded {
            Ok(reloaded) => reloaded.map_err(|error| format!("{error}; the previous settings stay in force")),
            Err(_) => Err("the database did not respond in time; the previous settings stay in force".to_owned()),
        }
    }

    async fn reload_if_changed(&self) -> Result<(), Error> {
        let version = store::find_version(self.db.read()).await?.unwrap_or(0);
        if version > self.latest().version { self.reload().await } else { Ok(()) }
    }

    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        jobs.every("reload_settings", POLL_INTERVAL, self, |settings| async move { settings.poll().await });
    }

    /// The settings in force.
    pub fn get(&self) -> Arc<Settings> {
        self.latest().settings
    }

    /// The settings that were in force at this time, with today's environment variables.
    pub async fn at(&self, connection: &mut AnyConnection, time: i64) -> Result<Settings, Error> {
        Ok(store::load_at(connection, time).await?.with_environment(&self.environment))
    }

    pub fn environment(&self) -> &EnvSettings {
        &self.environment
    }

    pub fn version(&self) -> SettingsVersion {
        let Loaded { version, settings } = self.latest();
        SettingsVersion { version, settings: Settings::clone(&settings), locked: locked(&self.environment) }
    }

    fn latest(&self) -> Loaded {
        self.latest.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// True if the settings in force are other ones now. An older version than the current one changes nothing: loads
    /// can overtake each other.
    fn replace(&self, stored: Stored) -> bool {
        let loaded = Loaded::of(stored, &self.environment);
        let mut latest = self.latest.write().unwrap_or_else(PoisonError::into_inner);
        if loaded.version <= latest.version {
            return false;
        }
        let is_changed = loaded.settings != latest.settings;
        *latest = loaded;
        is_changed
    }
}

impl Loaded {
    fn of(Stored { version, settings }: Stored, environment: &EnvSettings) -> Self {
        Self { version, settings: Arc::new(settings.with_environment(environment)) }
    }
}

impl Letterhead for CurrentSettings {
    fn shop(&self) -> ShopInfo {
        self.mail_shop()
    }

    fn zone(&self) -> ShopZone {
        self.get().zone()
    }

    fn notification_email(&self) -> Option<String> {
        self.get().orders_email.clone()
    }
}
