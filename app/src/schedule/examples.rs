//! Example schedules.

/// Example rules, without settings.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    pub name: &'static str,
    pub rules: &'static str,
}

/// The examples that the Lab offers.
pub const EXAMPLES: [Example; 5] = [
    Example {
        name: "Stand up",
        rules: "# On while you work. Blinks twice an hour: time to stand up.\n\
                on    09:00-17:00 weekdays 30%\n\
                blink every 30m 09:00-17:00 for 10s weekdays\n",
    },
    Example {
        name: "Medicine",
        rules: "# One pill in the morning, one in the evening.\n\
                blink 08:00 for 5m fast\n\
                blink 20:00 for 5m fast\n",
    },
    Example {
        name: "Trash night",
        rules: "# Take the trash out on Tuesday evening.\n\
                on    18:00-23:00 tue 60%\n\
                blink 22:30 for 10m tue fast\n",
    },
    Example {
        name: "Night light",
        rules: "# Dim at night, brighter when it's time to get up.\n\
                on 21:00-06:30 5%\n\
                on 06:30-07:00 weekdays 60%\n",
    },
    Example {
        name: "School bell",
        rules: "# Blinks when each class starts. Off during the holidays.\n\
                blink 08:00 for 20s weekdays\n\
                blink every 1h 09:00-13:00 for 20s weekdays\n\
                off   00:00-24:00 2026-12-21..2027-01-03\n",
    },
];

impl Example {
    /// The example as a complete schedule in a time zone.
    #[must_use]
    pub fn file(&self, zone: &str) -> String {
        format!("timezone = {zone}\n\n{}", self.rules)
    }
}
