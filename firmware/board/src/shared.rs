//! What several tasks look at. All of them run on one executor, in turns, so nobody waits for anybody.

use core::cell::RefCell;

use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::ThreadModeRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_time::Instant;
use firmware::clock::Clock;
use firmware::lamp::{Lamp, Pattern, Shown, Trouble};
use firmware::report::{self, Facts, Start, Verdict, Wifi};
use wasm_core::schedule::{Network, Schedule};

/// Something the drive's task has to know.
#[derive(Clone, Copy)]
pub enum Event {
    PluggedIn,
    Unplugged,
    TransportReset,
    StatusChanged,
}

struct State {
    clock: Clock,
    wifi: Wifi,
    lamp: Lamp,
    network: Network,
    serial: [u8; 16],
    start: Start,
}

type Shared<T> = Mutex<ThreadModeRawMutex, RefCell<T>>;

static SCHEDULE: Shared<Schedule> = Mutex::new(RefCell::new(Schedule::EMPTY));
static STATE: Shared<State> = Mutex::new(RefCell::new(State {
    clock: Clock::new(),
    wifi: if cfg!(feature = "wifi") { Wifi::NotSet } else { Wifi::NoRadio },
    lamp: Lamp::new(),
    network: Network::NONE,
    serial: [b'0'; 16],
    start: Start::PluggedIn,
}));

/// For the drive's task.
pub static EVENTS: Channel<ThreadModeRawMutex, Event, 8> = Channel::new();
/// For the lamp's task: something else may be to be shown.
pub static LAMP_CHANGED: Signal<ThreadModeRawMutex, ()> = Signal::new();
/// For the radio's task: another network or time server may be set.
#[cfg(feature = "wifi")]
pub static NETWORK_CHANGED: Signal<ThreadModeRawMutex, ()> = Signal::new();

/// Milliseconds since the start.
pub fn uptime() -> u64 {
    Instant::now().as_millis()
}

fn with<R>(look: impl FnOnce(&mut State) -> R) -> R {
    STATE.lock(|state| look(&mut state.borrow_mut()))
}

/// Who this is and how it came to start.
pub fn begin(serial: [u8; 16], start: Start) {
    with(|state| {
        state.serial = serial;
        state.start = start;
    });
}

pub fn serial_number() -> [u8; 16] {
    with(|state| state.serial)
}

/// What the status tells.
pub fn facts() -> Facts {
    let uptime = uptime();
    with(|state| Facts {
        serial: state.serial,
        start: state.start,
        wifi: state.wifi,
        clock: report::Clock { now: state.clock.now(uptime), set_ago: state.clock.set_ago(uptime).map(|ms| ms / 1000) },
    })
}

/// Lets somebody read a schedule, and tells the others if it is another one now.
pub fn read_schedule<R>(read: impl FnOnce(&mut Schedule) -> R) -> R {
    let (result, network) = SCHEDULE.lock(|schedule| {
        let schedule = &mut *schedule.borrow_mut();
        let result = read(schedule);
        (result, *schedule.network())
    });
    let changed = with(|state| core::mem::replace(&mut state.network, network) != network);
    LAMP_CHANGED.signal(());
    #[cfg(feature = "wifi")]
    if changed {
        NETWORK_CHANGED.signal(());
    }
    #[cfg(not(feature = "wifi"))]
    let _nobody_asks = changed;
    result
}

#[cfg(feature = "wifi")]
pub fn network() -> Network {
    with(|state| state.network)
}

/// Says with the lamp whether a saved file is in use.
pub fn say(verdict: Verdict) {
    let pattern: Pattern = if verdict.has_errors() { firmware::lamp::ERROR } else { firmware::lamp::ACCEPTED };
    let uptime = uptime();
    with(|state| state.lamp.say(pattern, uptime));
    LAMP_CHANGED.signal(());
}

/// What the lamp shows now.
pub fn show(uptime: u64) -> Shown {
    SCHEDULE.lock(|schedule| {
        with(|state| {
            let time = state.clock.now(uptime).ok_or(Trouble::of(state.wifi));
            state.lamp.show(uptime, time, &schedule.borrow())
        })
    })
}

/// Changes the clock; the first time it is right, there is something to tell.
pub fn set_clock<R>(set: impl FnOnce(&mut Clock) -> R) -> R {
    let uptime = uptime();
    let (result, is_first) = with(|state| {
        let was_set = state.clock.now(uptime).is_some();
        let result = set(&mut state.clock);
        (result, !was_set && state.clock.now(uptime).is_some())
    });
    LAMP_CHANGED.signal(());
    if is_first {
        tell(Event::StatusChanged);
    }
    result
}

/// Sets the clock to a time that somebody says.
#[cfg(not(feature = "wifi"))]
pub fn set_time(unix_ms: i64, uptime: u64) -> Result<(), firmware::clock::Implausible> {
    set_clock(|clock| clock.set(unix_ms, uptime))
}

#[cfg(feature = "wifi")]
pub fn wifi() -> Wifi {
    with(|state| state.wifi)
}

#[cfg(feature = "wifi")]
pub fn set_wifi(wifi: Wifi) {
    let changed = with(|state| core::mem::replace(&mut state.wifi, wifi) != wifi);
    if changed {
        LAMP_CHANGED.signal(());
        tell(Event::StatusChanged);
    }
}

/// Tells the drive's task something.
pub fn tell(event: Event) {
    // Eight events that nobody took: the task hangs, and the watchdog sees that.
    let _full = EVENTS.try_send(event);
}
