//! State shared between tasks. All tasks run on one cooperative executor, so locks never block.

use core::cell::RefCell;

use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::ThreadModeRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_time::Instant;
use firmware::clock::Clock;
use firmware::lamp::{Lamp, LampOutput, SCHEDULE_ACTIVE, SCHEDULE_ERROR, TimeError};
use firmware::report::{ClockStatus, DeviceStatus, ReloadResult, StartReason, WifiStatus};
use wasm_core::schedule::{Network, Schedule};

/// Event for the drive task.
#[derive(Clone, Copy)]
pub enum Event {
    PluggedIn,
    Unplugged,
    TransportReset,
    StatusChanged,
}

struct State {
    clock: Clock,
    wifi: WifiStatus,
    lamp: Lamp,
    network: Network,
    serial: [u8; 16],
    start: StartReason,
}

type Shared<T> = Mutex<ThreadModeRawMutex, RefCell<T>>;

static SCHEDULE: Shared<Schedule> = Mutex::new(RefCell::new(Schedule::EMPTY));
static STATE: Shared<State> = Mutex::new(RefCell::new(State {
    clock: Clock::new(),
    wifi: if cfg!(feature = "wifi") { WifiStatus::NotConfigured } else { WifiStatus::NoRadio },
    lamp: Lamp::new(),
    network: Network::NONE,
    serial: [b'0'; 16],
    start: StartReason::PowerOn,
}));

/// Event queue of the drive task.
pub static EVENTS: Channel<ThreadModeRawMutex, Event, 8> = Channel::new();
/// Wakes the lamp task after a change of its inputs.
pub static LAMP_CHANGED: Signal<ThreadModeRawMutex, ()> = Signal::new();
/// Wakes the radio task after a change of the network settings.
#[cfg(feature = "wifi")]
pub static NETWORK_CHANGED: Signal<ThreadModeRawMutex, ()> = Signal::new();

/// Milliseconds since the start.
pub fn uptime() -> u64 {
    Instant::now().as_millis()
}

fn with_state<R>(action: impl FnOnce(&mut State) -> R) -> R {
    STATE.lock(|state| action(&mut state.borrow_mut()))
}

/// Sets the serial number and the start reason.
pub fn init(serial: [u8; 16], start: StartReason) {
    with_state(|state| {
        state.serial = serial;
        state.start = start;
    });
}

pub fn serial_number() -> [u8; 16] {
    with_state(|state| state.serial)
}

/// Input of the status report.
pub fn device_status() -> DeviceStatus {
    let uptime = uptime();
    with_state(|state| DeviceStatus {
        serial: state.serial,
        start: state.start,
        wifi: state.wifi,
        clock: ClockStatus {
            now: state.clock.now(uptime),
            time_since_set: state.clock.time_since_set(uptime).map(|ms| ms / 1000),
        },
    })
}

/// Updates the schedule and notifies the lamp and radio tasks.
pub fn update_schedule<R>(update: impl FnOnce(&mut Schedule) -> R) -> R {
    let (result, network) = SCHEDULE.lock(|schedule| {
        let schedule = &mut *schedule.borrow_mut();
        let result = update(schedule);
        (result, *schedule.network())
    });
    let changed = with_state(|state| core::mem::replace(&mut state.network, network) != network);
    LAMP_CHANGED.signal(());
    #[cfg(feature = "wifi")]
    if changed {
        NETWORK_CHANGED.signal(());
    }
    #[cfg(not(feature = "wifi"))]
    let _unused = changed;
    result
}

#[cfg(feature = "wifi")]
pub fn network() -> Network {
    with_state(|state| state.network)
}

/// Signals the result of a reload with the lamp.
pub fn signal(result: ReloadResult) {
    let pattern = if result.has_errors() { SCHEDULE_ERROR } else { SCHEDULE_ACTIVE };
    let uptime = uptime();
    with_state(|state| state.lamp.signal(pattern, uptime));
    LAMP_CHANGED.signal(());
}

/// Current lamp output.
pub fn lamp_output(uptime: u64) -> LampOutput {
    SCHEDULE.lock(|schedule| {
        with_state(|state| {
            let time = state.clock.now(uptime).ok_or(TimeError::from_wifi(state.wifi));
            state.lamp.output(uptime, time, &schedule.borrow())
        })
    })
}

/// Updates the clock. The first valid time changes the status report.
pub fn update_clock<R>(update: impl FnOnce(&mut Clock) -> R) -> R {
    let uptime = uptime();
    let (result, is_first) = with_state(|state| {
        let was_set = state.clock.now(uptime).is_some();
        let result = update(&mut state.clock);
        (result, !was_set && state.clock.now(uptime).is_some())
    });
    LAMP_CHANGED.signal(());
    if is_first {
        send_event(Event::StatusChanged);
    }
    result
}

/// Sets the clock to a time from the serial line.
#[cfg(not(feature = "wifi"))]
pub fn set_time(unix_ms: i64, uptime: u64) -> Result<(), firmware::clock::TimeRangeError> {
    update_clock(|clock| clock.set(unix_ms, uptime))
}

#[cfg(feature = "wifi")]
pub fn wifi() -> WifiStatus {
    with_state(|state| state.wifi)
}

#[cfg(feature = "wifi")]
pub fn set_wifi(wifi: WifiStatus) {
    let changed = with_state(|state| core::mem::replace(&mut state.wifi, wifi) != wifi);
    if changed {
        LAMP_CHANGED.signal(());
        send_event(Event::StatusChanged);
    }
}

/// Sends an event to the drive task.
pub fn send_event(event: Event) {
    // A full queue means that the task hangs. The watchdog detects that.
    let _full = EVENTS.try_send(event);
}
