//! Exported functions of the schedule, called with JavaScript values.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use js_sys::{Array, JSON};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use wasm_core::schedule_bindings::{changes_between, deciding_line, display, light_at, next_change, parse, week};

const FILE: &str = "timezone = America/New_York\n# ☕ 𝄞\non 07:00-07:30 wekdays\nblink 09:00 for 30s 40% 200ms/800ms\n";

fn text<T: JsCast>(text: &str) -> T {
    JsValue::from_str(text).unchecked_into()
}

fn json(result: Result<impl Into<JsValue>, JsValue>) -> String {
    JSON::stringify(&result.unwrap().into()).unwrap().into()
}

#[wasm_bindgen_test]
fn a_light_has_its_action_and_what_belongs_to_it() {
    assert_eq!(
        json(light_at(text(FILE), text("2026-11-27T09:00:05"))),
        r#"{"action":"blink","lit_ms":200,"dark_ms":800,"brightness":40}"#
    );
    assert_eq!(json(light_at(text(FILE), text("2026-11-27T09:00:05Z"))), r#"{"action":"off"}"#);
    assert_eq!(deciding_line(text(FILE), text("2026-11-27T14:00:05Z")).unwrap(), Some(4));
    assert_eq!(deciding_line(text(FILE), text("2026-11-27T15:00:05Z")).unwrap(), None);
}

#[wasm_bindgen_test]
fn a_change_has_its_time_with_the_offset_of_the_file() {
    let next = next_change(text(FILE), text("2026-11-27T12:00:00Z")).map(|next| JsValue::from(next.unwrap()));
    assert_eq!(
        json(next),
        r#"{"at":"2026-11-27T09:00:00-05:00","light":{"action":"blink","lit_ms":200,"dark_ms":800,"brightness":40}}"#
    );
    let week = changes_between(text(FILE), text("2026-11-23T00:00"), text("2026-11-30T00:00")).unwrap();
    assert_eq!(week.into_iter().map(JsValue::from).collect::<Array>().length(), 14);
    assert!(next_change(text(""), text("2026-11-27T12:00:00Z")).unwrap().is_none());
}

#[wasm_bindgen_test]
fn a_suggestion_replaces_units_of_the_text_as_javascript_counts_them() {
    let parsed = parse(text(FILE)).unwrap();
    let diagnostic =
        js_sys::Reflect::get(&js_sys::Reflect::get(&parsed.into(), &"diagnostics".into()).unwrap(), &0.into());
    let diagnostic: String = JSON::stringify(&diagnostic.unwrap()).unwrap().into();
    let from = "timezone = America/New_York\n# ☕ 𝄞\non 07:00-07:30 ".encode_utf16().count();
    let place = format!(r#""line":3,"column":16,"from":{from},"to":{}"#, from + 7);
    assert!(diagnostic.contains(&place), "{diagnostic}");
    assert!(diagnostic.contains(r#""replacement":"weekdays","label":"did you mean `weekdays`?""#), "{diagnostic}");
}

#[wasm_bindgen_test]
fn a_time_that_is_none_is_a_type_error_that_names_the_argument() {
    let message =
        |thrown: JsValue| String::from(thrown.dyn_into::<js_sys::TypeError>().expect("a TypeError").message());
    let expected = "expected a time such as 2026-11-27T09:00:05, optionally with an offset or Z";
    assert_eq!(light_at(text(FILE), text("soon")).map_err(message).err(), Some(format!("time: {expected}")));
    assert_eq!(next_change(text(FILE), text("")).map(drop).map_err(message).err(), Some(format!("after: {expected}")));
    let expected = "first: expected a day such as 2026-11-23";
    assert_eq!(week(text(FILE), text("2026-13-01")).map(drop).map_err(message).err().as_deref(), Some(expected));
}

#[wasm_bindgen_test]
fn the_file_is_displayed_in_its_normalized_form() {
    let shown = display(text(FILE)).unwrap();
    assert_eq!(shown, "timezone = America/New_York\nblink 09:00 for 30s 200ms/800ms 40%\n");
    assert_eq!(display(text(&shown)).unwrap(), shown);
}

#[wasm_bindgen_test]
fn a_week_has_seven_days_without_gaps_and_an_hour_more_when_the_clocks_go_back() {
    let evenings = "timezone = America/New_York\non 18:00-23:00 sun";
    let days = json(
        week(text(evenings), text("2026-10-26")).map(|days| days.into_iter().map(JsValue::from).collect::<Array>()),
    );
    let days: serde_json::Value = serde_json::from_str(&days).unwrap();
    assert_eq!(days.as_array().unwrap().len(), 7);
    assert_eq!(days[0]["spans"].as_array().unwrap().len(), 1);
    let sunday = &days[6];
    assert_eq!(sunday["date"], "2026-11-01");
    assert_eq!(sunday["spans"][0]["from"], "2026-11-01T00:00:00-04:00");
    assert_eq!(sunday["spans"][1]["from"], "2026-11-01T18:00:00-05:00");
    assert_eq!(sunday["spans"][1]["light"]["brightness"], 100);
    assert_eq!(sunday["spans"][2]["to"], "2026-11-02T00:00:00-05:00");
    let same_week = json(
        week(text(evenings), text("2026-10-26T22:00"))
            .map(|days| days.into_iter().map(JsValue::from).collect::<Array>()),
    );
    assert_eq!(serde_json::from_str::<serde_json::Value>(&same_week).unwrap(), days);
}
