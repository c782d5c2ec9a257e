//! The light's functions for the shell.

use js_sys::Uint8Array;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::*;
use wasm_core::js::{self, JsText};
use wasm_core::status::LampSignal;
use wasm_core::uf2;

use super::{FileForLight, LightReport, LightSettings, file_for_light, read_report, settings_of};

#[wasm_bindgen]
extern "C" {
    /// A `Uint8Array`, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "Uint8Array")]
    pub type JsBytes;
}

/// A signal of the lamp.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Signal {
    /// What the lamp does.
    flashes: &'static str,
    meaning: &'static str,
    /// On and off times in milliseconds, alternating, starting with on.
    durations: &'static [u16],
    /// Whether the signal repeats until its reason is gone.
    is_repeated: bool,
}

/// The lamp's signals: the schedule is active, the schedule has errors, no Wi-Fi, no time.
#[wasm_bindgen(js_name = lampSignals)]
pub fn lamp_signals() -> Result<Vec<Ts<Signal>>, JsValue> {
    let signals = LampSignal::ALL.into_iter().map(|signal| Signal {
        flashes: signal.flashes(),
        meaning: signal.meaning(),
        durations: signal.durations_ms(),
        is_repeated: signal.is_repeated(),
    });
    signals.map(|signal| Ok(Ts::new_unchecked(js::write(&signal)?))).collect()
}

/// Reads `STATUS.TXT`. `undefined` if it isn't that of a light.
#[wasm_bindgen(js_name = readReport)]
pub fn read_report_of(text: JsText) -> Result<Option<Ts<LightReport>>, JsValue> {
    read_report(&js::read::<String>("text", &text)?)
        .map(|report| Ok(Ts::new_unchecked(js::write(&report)?)))
        .transpose()
}

/// The settings in `SCHEDULE.TXT`.
#[wasm_bindgen(js_name = lightSettings)]
pub fn light_settings(file: JsText) -> Result<Ts<LightSettings>, JsValue> {
    let file: String = js::read("file", &file)?;
    Ok(Ts::new_unchecked(js::write(&settings_of(&file))?))
}

/// The schedule in `text` with these settings instead of its own.
#[wasm_bindgen(js_name = fileForLight)]
pub fn file_with_settings(text: JsText, settings: Ts<LightSettings>) -> Result<Ts<FileForLight>, JsValue> {
    let (text, settings): (String, LightSettings) =
        (js::read("text", &text)?, js::read("settings", &settings.js_value())?);
    Ok(Ts::new_unchecked(js::write(&file_for_light(&text, &settings))?))
}

/// Checks a UF2 file and returns the version of its firmware. Throws an `Error` about a file that isn't a light's.
#[wasm_bindgen(js_name = firmwareVersion)]
pub fn firmware_version(file: JsBytes) -> Result<String, JsValue> {
    let file = file.dyn_ref::<Uint8Array>().ok_or_else(|| js::type_error("file", "expected a Uint8Array"))?.to_vec();
    uf2::version(&file).map(str::to_owned).map_err(|error| JsError::new(&error.to_string()).into())
}
