//! The settings in force in this process.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use sqlx::AnyConnection;

use super::announcement::ShownAnnouncement;
use super::store::{self, Stored};
use super::values::{Settings, SettingsVersion, locked};
use crate::config::EnvSettings;
use crate::db::Db;
use crate::error::Error;
use crate::shop::Shop;

/// Interval at which a process looks for changes by other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
const QUERY_TIMEOUT: Duration = Duration::from_secs(10);

/// The settings of a running shop: loaded at startup and after every change.
pub struct CurrentSettings {
    environment: EnvSettings,
    latest: RwLock<Loaded>,
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
    pub async fn start(db: &Db, environment: EnvSettings) -> Result<Self, Error> {
        let mut connection = db.read().acquire().await?;
        let loaded = Loaded::of(store::load(&mut connection).await?, &environment);
        Ok(Self { environment, latest: RwLock::new(loaded) })
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

/// Loads the settings, and empties the response cache if they have changed.
pub async fn reload(shop: &Shop) -> Result<(), Error> {
    let mut connection = shop.db.read().acquire().await?;
    let stored = store::load(&mut connection).await?;
    drop(connection);
    if shop.settings.replace(stored) {
        shop.catalog.clear_responses().await;
        shop.time_zone_changed.notify_one();
    }
    Ok(())
}

/// Loads changes by other processes until the shop stops, and takes an announcement from the pages when it ends.
pub async fn run(shop: Arc<Shop>) {
    let mut shown = shown_announcement(&shop);
    loop {
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
        match tokio::time::timeout(QUERY_TIMEOUT, reload_if_changed(&shop)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "loading the settings failed; the previous ones stay in force"),
            Err(_) => tracing::warn!("the database did not respond in time; the previous settings stay in force"),
        }
        let before = std::mem::replace(&mut shown, shown_announcement(&shop));
        if before != shown {
            shop.catalog.clear_responses().await;
        }
    }
}

fn shown_announcement(shop: &Shop) -> Option<ShownAnnouncement> {
    shop.settings().announcement_at(shop.clock.now_ms())
}

async fn reload_if_changed(shop: &Shop) -> Result<(), Error> {
    let version = store::find_version(shop.db.read()).await?.unwrap_or(0);
    if version > shop.settings.latest().version { reload(shop).await } else { Ok(()) }
}
