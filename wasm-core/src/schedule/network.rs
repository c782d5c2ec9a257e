//! Network settings.

use super::text::Text;

/// Wi-Fi network and time server of a file, in about 350 bytes without references: the device's clock keeps a copy
/// while the next file is parsed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Network {
    wifi: Text<32>,
    password: Text<64>,
    time_server: Text<253>,
}

impl Network {
    /// No settings.
    pub const NONE: Self = Self { wifi: Text::EMPTY, password: Text::EMPTY, time_server: Text::EMPTY };

    /// Name of the Wi-Fi network (SSID), if one is set.
    #[must_use]
    pub fn wifi(&self) -> Option<&str> {
        Some(self.wifi.as_str()).filter(|name| !name.is_empty())
    }

    /// Password of the Wi-Fi network; `None` for an open network.
    #[must_use]
    pub fn password(&self) -> Option<&str> {
        Some(self.password.as_str()).filter(|password| !password.is_empty())
    }

    /// Name or address of the time server, if one is set.
    #[must_use]
    pub fn time_server(&self) -> Option<&str> {
        Some(self.time_server.as_str()).filter(|server| !server.is_empty())
    }

    pub(super) fn set_wifi(&mut self, name: &str) -> Option<()> {
        self.wifi = Text::new(name)?;
        Some(())
    }

    pub(super) fn set_password(&mut self, password: &str) -> Option<()> {
        self.password = Text::new(password)?;
        Some(())
    }

    pub(super) fn set_time_server(&mut self, server: &str) -> Option<()> {
        self.time_server = Text::new(server)?;
        Some(())
    }
}

/// Omits the password, because debug output ends up in logs.
impl core::fmt::Debug for Network {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Network")
            .field("wifi", &self.wifi())
            .field("time_server", &self.time_server())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::super::parse;

    #[test]
    fn a_password_is_not_printed_for_debugging() {
        let schedule = parse("wifi = Home Network\npassword = correct horse\ntimezone = UTC\n", &mut |_| ());
        assert_eq!(schedule.network().password(), Some("correct horse"));
        let printed = format!("{schedule:?}");
        assert!(printed.contains("Home Network") && !printed.contains("correct horse"), "{printed}");
    }
}
