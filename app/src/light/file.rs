//! The file for the light: the schedule's rules, with the settings of this light.

use serde::Serialize;
use wasm_core::schedule::{self, MAX_BYTES, Problem, Schedule, Severity};

use crate::schedule::{WIFI_REMINDER, explain};

/// The settings of a light. A setting that isn't in the file is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct LightSettings {
    pub wifi: String,
    pub password: String,
    pub timezone: String,
    pub time_server: String,
}

/// A setting of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub enum Setting {
    Wifi,
    Password,
    Timezone,
    TimeServer,
}

/// A value that the light can't use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SettingProblem {
    pub setting: Setting,
    pub message: String,
}

/// The file, and what the light will do with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FileForLight {
    pub text: String,
    /// Settings that must be corrected before the file is saved.
    pub problems: Vec<SettingProblem>,
    /// Number of rules that the light follows.
    pub rules: usize,
    /// Number of lines that the light skips.
    pub skipped: usize,
    pub bytes: usize,
    pub max_bytes: usize,
}

const SETTINGS: [(Setting, &str); 4] = [
    (Setting::Wifi, "wifi"),
    (Setting::Password, "password"),
    (Setting::Timezone, "timezone"),
    (Setting::TimeServer, "time-server"),
];

impl LightSettings {
    fn value(&self, setting: Setting) -> &str {
        match setting {
            Setting::Wifi => &self.wifi,
            Setting::Password => &self.password,
            Setting::Timezone => &self.timezone,
            Setting::TimeServer => &self.time_server,
        }
        .trim_matches([' ', '\t'])
    }
}

/// The settings in a file.
#[must_use]
pub fn settings_of(file: &str) -> LightSettings {
    let mut has_zone = true;
    let schedule = schedule::parse(file, &mut |diagnostic| has_zone &= diagnostic.problem != Problem::NoTimeZone);
    let zone = if has_zone { schedule.time_zone().name() } else { "" };
    LightSettings { timezone: zone.to_owned(), ..network_of(&schedule) }
}

fn network_of(schedule: &Schedule) -> LightSettings {
    let network = schedule.network();
    LightSettings {
        wifi: network.wifi().unwrap_or_default().to_owned(),
        password: network.password().unwrap_or_default().to_owned(),
        timezone: String::new(),
        time_server: network.time_server().unwrap_or_default().to_owned(),
    }
}

/// The schedule in `text` with these settings instead of its own. Rules and comments are unchanged. The Wi-Fi
/// reminder is removed once a network is set.
#[must_use]
pub fn file_for_light(text: &str, settings: &LightSettings) -> FileForLight {
    let is_set = |(setting, _): &(Setting, &str)| !settings.value(*setting).is_empty();
    let written: Vec<(Setting, &str)> = SETTINGS.into_iter().filter(is_set).collect();
    let has_wifi = !settings.value(Setting::Wifi).is_empty();
    let text = text.strip_prefix(WIFI_REMINDER).filter(|_| has_wifi).unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| is_setting(line)).unwrap_or_default();
    let (before, after) = lines.split_at_checked(first).unwrap_or((&lines, &[]));
    let mut file = String::new();
    let mut push = |line: &str| {
        file.push_str(line);
        file.push('\n');
    };
    before.iter().for_each(|line| push(line));
    written.iter().for_each(|(setting, name)| push(&format!("{name} = {}", settings.value(*setting))));
    after.iter().filter(|line| !is_setting(line)).for_each(|line| push(line));

    let mut problems = Vec::new();
    let mut skipped = 0_usize;
    let schedule = schedule::parse(&file, &mut |diagnostic| {
        let index = usize::from(diagnostic.line).checked_sub(first.saturating_add(1));
        let setting = index.and_then(|index| written.get(index));
        let is_error = diagnostic.severity() == Severity::Error;
        match setting {
            Some((setting, _)) if is_error || diagnostic.problem == Problem::ShortPassword => {
                let value = file.get(diagnostic.span.start..diagnostic.span.end).unwrap_or_default();
                problems.push(SettingProblem { setting: *setting, message: explain(diagnostic.problem, value) });
            }
            _ if is_error => skipped = skipped.saturating_add(1),
            _ => {}
        }
    });
    let (rules, bytes) = (schedule.rules().len(), file.len());
    FileForLight { text: file, problems, rules, skipped, bytes, max_bytes: MAX_BYTES }
}

/// Whether a line sets one of the settings.
fn is_setting(line: &str) -> bool {
    let Some((name, _)) = line.split_once('=') else { return false };
    SETTINGS.iter().any(|(_, known)| name.trim().eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(wifi: &str, password: &str, timezone: &str, time_server: &str) -> LightSettings {
        let [wifi, password, timezone, time_server] = [wifi, password, timezone, time_server].map(str::to_owned);
        LightSettings { wifi, password, timezone, time_server }
    }

    #[test]
    fn the_lights_settings_replace_those_of_the_text_and_the_rest_stays() {
        let text = "# Mine\ntimezone = UTC\n\n# Evening\non 18:00-23:00 # home\nWIFI=Other\n#wifi = Comment\nhello\n";
        let file = file_for_light(text, &settings("Home", "a = # b", "America/Toronto", ""));
        let expected = "# Mine\nwifi = Home\npassword = a = # b\ntimezone = America/Toronto\n\n# Evening\n\
                        on 18:00-23:00 # home\n#wifi = Comment\nhello\n";
        assert_eq!(file.text, expected);
        assert_eq!((file.rules, file.skipped, file.bytes), (1, 1, expected.len()));
        assert_eq!(settings_of(&file.text), settings("Home", "a = # b", "America/Toronto", ""));
    }

    #[test]
    fn a_text_without_settings_gets_them_at_its_start() {
        let file = file_for_light("on 18:00-23:00", &settings("", "", "UTC", "time.example"));
        assert_eq!(file.text, "timezone = UTC\ntime-server = time.example\non 18:00-23:00\n");
        assert_eq!(file_for_light("on 18:00-23:00\n", &LightSettings::default()).text, "on 18:00-23:00\n");
    }

    #[test]
    fn the_reminder_of_a_recipe_to_enter_the_wifi_goes_once_it_is_entered() {
        let recipe = format!("{WIFI_REMINDER}timezone = UTC\n\n# Mine\non 18:00-23:00\n");
        let with = |wifi| file_for_light(&recipe, &settings(wifi, "", "UTC", "")).text;
        assert_eq!(with("Home"), "wifi = Home\ntimezone = UTC\n\n# Mine\non 18:00-23:00\n");
        assert_eq!(with(""), recipe);
    }

    #[test]
    fn what_a_file_does_not_set_is_empty() {
        assert_eq!(settings_of("on 07:00-08:00\n"), LightSettings::default());
        assert_eq!(settings_of("\u{feff}TimeZone = UTC\n").timezone, "UTC");
    }

    #[test]
    fn a_value_that_the_light_cannot_use_is_reported_at_its_setting() {
        let file =
            file_for_light("on 18:00-23:00 wekdays\n", &settings(&"n".repeat(33), "short", "Tronto", &"s".repeat(254)));
        let problems: Vec<Setting> = file.problems.iter().map(|problem| problem.setting).collect();
        assert_eq!(problems, [Setting::Wifi, Setting::Password, Setting::Timezone, Setting::TimeServer]);
        assert_eq!(file.problems[2].message, "Unknown time zone: “Tronto”.");
        assert_eq!((file.rules, file.skipped), (0, 1));
    }

    #[test]
    fn every_case_of_the_schedule_stays_the_same_schedule() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../wasm-core/testdata/schedules");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for file in files.filter(|path| path.extension().is_some_and(|kind| kind == "txt")) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            if text.len() > MAX_BYTES || text.contains('\0') {
                continue;
            }
            let saved = file_for_light(&text, &settings_of(&text));
            let parse = |text: &str| schedule::parse(text, &mut |_| ());
            assert_eq!(parse(&saved.text).to_string(), parse(&text).to_string(), "{}", file.display());
        }
    }
}
