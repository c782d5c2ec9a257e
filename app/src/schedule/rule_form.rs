//! A form that adds a rule to the schedule.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;

use super::draft::{DAYS, RuleDraft, Timing, days, with_line};
use super::editor::Editor;
use super::state::Lab;

const FIELD: &str = "min-h-11 w-full rounded-field border border-edge bg-card px-3";
const DAY: &str = "flex min-h-9 items-center gap-1.5 rounded-full border border-edge px-3 text-sm capitalize has-checked:border-glow has-checked:bg-glow/15";

const ACTIONS: [(&str, &str); 3] = [("blink", "blink"), ("on", "turn on"), ("off", "stay off")];
const SPEEDS: [(&str, &str); 2] = [("slow", "slowly"), ("fast", "fast")];

/// A form field, bound to a value of the draft.
#[derive(Clone, Copy)]
struct Field {
    id: &'static str,
    label: &'static str,
    get: fn(&RuleDraft) -> &String,
    set: fn(&mut RuleDraft, String),
}

const ACTION: Field = field("rule-action", "The light should", |it| &it.action, |it, typed| it.action = typed);
const START: Field = field("rule-start", "From", |it| &it.start, |it, typed| it.start = typed);
const END: Field = field("rule-end", "Until", |it| &it.end, |it, typed| it.end = typed);
const EVERY: Field = field("rule-every", "Every", |it| &it.every, |it, typed| it.every = typed);
const LENGTH: Field = field("rule-length", "For", |it| &it.length, |it, typed| it.length = typed);
const SPEED: Field = field("rule-speed", "Blinking", |it| &it.speed, |it, typed| it.speed = typed);
const BRIGHTNESS: Field =
    field("rule-brightness", "Brightness (%)", |it| &it.brightness, |it, typed| it.brightness = typed);

const fn field(
    id: &'static str,
    label: &'static str,
    get: fn(&RuleDraft) -> &String,
    set: fn(&mut RuleDraft, String),
) -> Field {
    Field { id, label, get, set }
}

pub(super) fn rule_form(lab: Lab, editor: Editor) -> AnyView {
    let draft = RwSignal::new(RuleDraft::default());
    let error = RwSignal::new(None::<String>);
    let add = move |event: SubmitEvent| {
        event.prevent_default();
        match draft.with_untracked(RuleDraft::checked) {
            Ok(line) => {
                error.set(None);
                let (text, cursor) = lab.text.with_untracked(|text| with_line(text, &line));
                editor.write(text, cursor);
            }
            Err(message) => error.set(Some(message.replace('`', ""))),
        }
    };
    let timings = Timing::ALL.map(|timing| (timing.as_str(), timing.label()));
    let timing = Memo::new(move |_| draft.with(|draft| draft.timing));
    let action = Memo::new(move |_| draft.with(|draft| draft.action.clone()));
    view! {
        <form novalidate on:submit=add aria-labelledby="add-a-rule" class="grid gap-4 rounded-card border border-line bg-card p-5 shadow-card">
            <h3 id="add-a-rule" class="text-xl">
                "Add a rule"
            </h3>
            <div class="grid gap-4 sm:grid-cols-2">
                {choice(draft, ACTION, &ACTIONS)}
                <div>
                    <label for="rule-when" class="mb-1 block text-sm font-medium">"When"</label>
                    <select
                        id="rule-when"
                        class=FIELD
                        on:change=move |event| draft.update(|draft| draft.timing = Timing::from_value(&event_target_value(&event)))
                    >
                        {options(&timings)}
                    </select>
                </div>
            </div>
            <div class="grid grid-cols-2 gap-4">{move || times(draft, timing.get())}</div>
            {day_choice(draft)}
            <div class="grid grid-cols-2 gap-4 empty:hidden">{move || light(draft, &action.get())}</div>
            <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
                <button type="submit" class="button-secondary">
                    "Add Rule"
                </button>
                <code class="font-mono text-sm text-muted wrap-anywhere" data-testid="rule-line">
                    {move || draft.with(RuleDraft::line)}
                </code>
            </div>
            <div role="alert" class="text-bad empty:hidden">{move || error.get().map(|message| view! { <p>{message}</p> }.into_any())}</div>
        </form>
    }
    .into_any()
}

fn times(draft: RwSignal<RuleDraft>, timing: Timing) -> Vec<AnyView> {
    match timing {
        Timing::Between => vec![time(draft, START), time(draft, END)],
        Timing::At => vec![time(draft, Field { label: "At", ..START }), typed(draft, LENGTH, "text")],
        Timing::Every => {
            vec![typed(draft, EVERY, "text"), typed(draft, LENGTH, "text"), time(draft, START), time(draft, END)]
        }
    }
}

fn light(draft: RwSignal<RuleDraft>, action: &str) -> Vec<AnyView> {
    match action {
        "off" => Vec::new(),
        "on" => vec![typed(draft, BRIGHTNESS, "number")],
        _ => vec![choice(draft, SPEED, &SPEEDS), typed(draft, BRIGHTNESS, "number")],
    }
}

fn time(draft: RwSignal<RuleDraft>, field: Field) -> AnyView {
    typed(draft, field, "time")
}

fn typed(draft: RwSignal<RuleDraft>, field: Field, kind: &'static str) -> AnyView {
    view! {
        <div>
            <label for=field.id class="mb-1 block text-sm font-medium">
                {field.label}
            </label>
            <input
                id=field.id
                type=kind
                autocomplete="off"
                class=FIELD
                value=draft.with_untracked(|draft| (field.get)(draft).clone())
                on:input=move |event| draft.update(|draft| (field.set)(draft, event_target_value(&event)))
            />
        </div>
    }
    .into_any()
}

fn choice(draft: RwSignal<RuleDraft>, field: Field, choices: &[(&'static str, &'static str)]) -> AnyView {
    view! {
        <div>
            <label for=field.id class="mb-1 block text-sm font-medium">
                {field.label}
            </label>
            <select
                id=field.id
                class=FIELD
                prop:value=draft.with_untracked(|draft| (field.get)(draft).clone())
                on:change=move |event| draft.update(|draft| (field.set)(draft, event_target_value(&event)))
            >
                {options(choices)}
            </select>
        </div>
    }
    .into_any()
}

fn options(choices: &[(&'static str, &'static str)]) -> Vec<AnyView> {
    choices.iter().map(|(value, label)| view! { <option value=*value>{*label}</option> }.into_any()).collect()
}

/// None selected means every day, and so do all.
fn day_choice(draft: RwSignal<RuleDraft>) -> AnyView {
    let chosen = RwSignal::new([true, true, true, true, true, false, false]);
    let days = DAYS.into_iter().enumerate().map(|(index, day)| {
        let toggle = move |_| {
            chosen.update(|chosen| {
                if let Some(is_chosen) = chosen.get_mut(index) {
                    *is_chosen = !*is_chosen;
                }
            });
            draft.update(|draft| draft.days = days(&chosen.get_untracked()));
        };
        view! {
            <label class=DAY>
                <input type="checkbox" checked={index < 5} on:change=toggle />
                {day}
            </label>
        }
        .into_any()
    });
    view! {
        <fieldset>
            <legend class="mb-1 text-sm font-medium">"Days"</legend>
            <div class="flex flex-wrap gap-2">{days.collect_view()}</div>
        </fieldset>
    }
    .into_any()
}
