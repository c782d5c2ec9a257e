//! What the network part of the device needs of a schedule, in a copy of its own: it runs beside whoever reads a new
//! schedule.

use wasm_core::schedule::{Schedule, Text};

/// The wireless network and the time server that the owner names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    wifi: Text<32>,
    password: Text<64>,
    time_server: Text<253>,
}

impl Settings {
    /// Nothing is named.
    pub const NONE: Self = Self { wifi: Text::EMPTY, password: Text::EMPTY, time_server: Text::EMPTY };

    #[must_use]
    pub fn of(schedule: &Schedule) -> Self {
        Self {
            wifi: schedule.wifi().and_then(Text::new).unwrap_or_default(),
            password: schedule.password().and_then(Text::new).unwrap_or_default(),
            time_server: schedule.time_server().and_then(Text::new).unwrap_or_default(),
        }
    }

    /// The network's name.
    #[must_use]
    pub fn wifi(&self) -> Option<&str> {
        Some(self.wifi.as_str()).filter(|name| !name.is_empty())
    }

    /// Its password; an open network has none.
    #[must_use]
    pub fn password(&self) -> Option<&str> {
        Some(self.password.as_str()).filter(|password| !password.is_empty())
    }

    /// The owner's own time server.
    #[must_use]
    pub fn time_server(&self) -> Option<&str> {
        Some(self.time_server.as_str()).filter(|server| !server.is_empty())
    }
}
