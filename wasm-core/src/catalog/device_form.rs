//! Form of a device: the shape in which it is drawn.

use serde::{Deserialize, Serialize};

/// Form of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum DeviceForm {
    /// A stick with a USB plug and one dome.
    #[default]
    Stick,
    /// A short stick, almost flush with the port.
    Mini,
    /// A stick with two domes.
    Duo,
    /// A ring on a cable.
    Halo,
}

impl DeviceForm {
    /// Every form, in the order of the form's select box.
    pub const ALL: [Self; 4] = [Self::Stick, Self::Mini, Self::Duo, Self::Halo];

    /// The form in JSON and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stick => "stick",
            Self::Mini => "mini",
            Self::Duo => "duo",
            Self::Halo => "halo",
        }
    }

    /// Parses the form of [`DeviceForm::as_str`].
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.as_str() == text)
    }
}
