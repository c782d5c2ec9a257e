//! Parser of settings: `wifi`, `password`, `timezone`, `time-server`.

use super::clock_time::Word;
use super::error::{LineError, Span};
use super::problem::Problem;
use super::store::Schedule;
use super::suggest::closest;
use super::timezone::{ParsedZone, TimeZone};
use super::zones;

/// Shortest password of a WPA network, in bytes.
const SHORTEST_PASSWORD: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Wifi,
    Password,
    TimeZone,
    TimeServer,
}

/// Settings by name.
pub(super) const SETTINGS: [(&str, Setting); 4] = [
    ("wifi", Setting::Wifi),
    ("password", Setting::Password),
    ("timezone", Setting::TimeZone),
    ("time-server", Setting::TimeServer),
];

pub(super) const SETTING_NAMES: [&str; 4] = ["wifi", "password", "timezone", "time-server"];

pub(super) fn setting(name: &str) -> Option<Setting> {
    SETTINGS.into_iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|(_, setting)| setting)
}

/// Setting that was probably meant by another name.
pub(super) fn likely_setting(name: &str) -> Option<&'static str> {
    const OTHER_NAMES: [(&str, &str); 9] = [
        ("ssid", "wifi"),
        ("network", "wifi"),
        ("pass", "password"),
        ("psk", "password"),
        ("key", "password"),
        ("tz", "timezone"),
        ("zone", "timezone"),
        ("ntp", "time-server"),
        ("server", "time-server"),
    ];
    let known = OTHER_NAMES.into_iter().find(|(other, _)| name.eq_ignore_ascii_case(other));
    known.map(|(_, meant)| meant).or_else(|| closest(name, &SETTING_NAMES))
}

/// Settings that have occurred in the file so far.
#[derive(Default)]
pub(super) struct SeenSettings {
    settings: [Option<Setting>; SETTINGS.len()],
}

impl SeenSettings {
    pub fn has(&self, setting: Setting) -> bool {
        self.settings.contains(&Some(setting))
    }

    fn add(&mut self, setting: Setting) {
        if let Some(place) = self.settings.iter_mut().find(|place| place.is_none_or(|named| named == setting)) {
            *place = Some(setting);
        }
    }
}

/// Stores the value of a line, which is literal. Warnings go to `warn` and do not skip the line.
pub(super) fn set(
    name: Word<'_>,
    value: Word<'_>,
    schedule: &mut Schedule,
    seen: &mut SeenSettings,
    warn: &mut impl FnMut(LineError),
) -> Result<(), LineError> {
    let Some(setting) = setting(name.text) else {
        let error = name.error(Problem::UnknownSetting);
        return Err(likely_setting(name.text).map_or(error, |meant| error.suggest_text(meant)));
    };
    let twice = seen.has(setting);
    seen.add(setting);
    store(setting, value, schedule, warn)?;
    match (setting, value.text.len()) {
        (Setting::Wifi | Setting::TimeServer, 0) => warn(name.error(Problem::NoValue)),
        (Setting::Password, 1..SHORTEST_PASSWORD) => warn(value.error(Problem::ShortPassword)),
        _ => (),
    }
    if twice {
        warn(name.error(Problem::SettingTwice));
    }
    Ok(())
}

fn store(
    setting: Setting,
    value: Word<'_>,
    schedule: &mut Schedule,
    warn: &mut impl FnMut(LineError),
) -> Result<(), LineError> {
    let network = &mut schedule.network;
    let stored = match setting {
        Setting::TimeZone => return time_zone(value, schedule, warn),
        Setting::Wifi => network.set_wifi(value.text),
        Setting::Password => network.set_password(value.text),
        Setting::TimeServer => network.set_time_server(value.text),
    };
    stored.ok_or_else(|| value.error(Problem::ValueTooLong))
}

fn time_zone(value: Word<'_>, schedule: &mut Schedule, warn: &mut impl FnMut(LineError)) -> Result<(), LineError> {
    match TimeZone::parse_with_warnings(value.text) {
        Some(ParsedZone { zone, without_rule, reversed }) => {
            if without_rule {
                let end = Span::empty(value.span().end);
                warn(value.error(Problem::NoSummerRule).suggest_at(end, ",M3.2.0,M11.1.0"));
            }
            if reversed {
                let error = value.error(Problem::SignOfOffset);
                warn(zones::likely_offset(value.text).map_or(error, |meant| error.suggest(meant)));
            }
            schedule.set_time_zone(zone);
            Ok(())
        }
        None => {
            let error = value.error(Problem::BadTimeZone);
            let meant = zones::likely_offset(value.text).or_else(|| zones::likely_zone(value.text));
            Err(meant.map_or(error, |meant| error.suggest(meant)))
        }
    }
}
