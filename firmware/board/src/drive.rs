//! Drive task: transfers packets between the bus and the device logic, and runs its tasks in between.

use embassy_futures::select::{Either, Either3, select, select3};
use embassy_futures::yield_now;
use embassy_time::{Instant, Timer};
use embassy_usb::driver::{EndpointIn, EndpointOut};
use firmware::device::{Buffers, Device, Task};
use firmware::disk::FlashError;
use firmware::disk::bulk_only::{Action, PACKET_SIZE};
use static_cell::ConstStaticCell;

use crate::DriveFlash;
use crate::state::{self, EVENTS, Event};
use crate::usb::Endpoints;
use crate::watchdog::{self, WatchedTask};

pub type Drive = Device<'static, DriveFlash>;

/// Maximum sleep in milliseconds. The task must check in with the watchdog.
const MAX_SLEEP: u64 = 2000;

/// Opens the drive. Called before USB starts, so no host sees the drive during a repair.
pub fn open(flash: DriveFlash) -> Option<Drive> {
    static BUFFERS: ConstStaticCell<Buffers> = ConstStaticCell::new(Buffers::new());
    let buffers = BUFFERS.take();
    let status = state::device_status();
    let opened = state::update_schedule(|schedule| Device::start(flash, buffers, &status, schedule));
    let (drive, result) = opened.ok()?;
    if result.has_errors() {
        state::signal(result);
    }
    Some(drive)
}

/// USB configuration state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bus {
    Configured,
    Unconfigured,
}

#[embassy_executor::task]
pub async fn run(mut drive: Drive, mut endpoints: Endpoints) {
    let mut bus = Bus::Unconfigured;
    let mut packet = [0; PACKET_SIZE];
    loop {
        watchdog::check_in(WatchedTask::Drive);
        let idle_until = match drive.next_task(state::uptime()) {
            Task::Idle { until } => until,
            task => {
                // The host gets flash errors with its next read or write.
                let _error = run_task(&mut drive, task);
                yield_now().await;
                continue;
            }
        };
        let action = if bus == Bus::Configured { drive.next_action() } else { Action::Receive };
        match action {
            Action::Flush => {
                let _error = drive.flush_step();
                yield_now().await;
            }
            Action::Send => bus = send(&mut drive, &mut endpoints, &mut packet, bus).await,
            Action::Receive => bus = receive(&mut drive, &mut endpoints, &mut packet, bus, idle_until).await,
        }
    }
}

/// Sends a packet, or handles an event.
async fn send(drive: &mut Drive, endpoints: &mut Endpoints, packet: &mut [u8; PACKET_SIZE], bus: Bus) -> Bus {
    let length = drive.send(packet);
    let bytes = packet.get(..length).unwrap_or_default();
    match select(endpoints.to_host.write(bytes), EVENTS.receive()).await {
        Either::First(Ok(())) => {}
        Either::First(Err(_)) => drive.reset_transport(),
        Either::Second(event) => return handle_event(drive, event, bus),
    }
    bus
}

/// Waits for a packet, an event, or the next task.
async fn receive(
    drive: &mut Drive,
    endpoints: &mut Endpoints,
    packet: &mut [u8; PACKET_SIZE],
    bus: Bus,
    idle_until: Option<u64>,
) -> Bus {
    let latest = state::uptime() + MAX_SLEEP;
    let wake = Timer::at(Instant::from_millis(idle_until.map_or(latest, |until| until.min(latest))));
    if bus == Bus::Unconfigured {
        return match select(EVENTS.receive(), wake).await {
            Either::First(event) => handle_event(drive, event, bus),
            Either::Second(()) => bus,
        };
    }
    match select3(endpoints.from_host.read(packet), EVENTS.receive(), wake).await {
        Either3::First(Ok(length)) => drive.receive(packet.get(..length).unwrap_or_default(), state::uptime()),
        Either3::First(Err(_)) => drive.reset_transport(),
        Either3::Second(event) => return handle_event(drive, event, bus),
        Either3::Third(()) => {}
    }
    bus
}

fn handle_event(drive: &mut Drive, event: Event, bus: Bus) -> Bus {
    match event {
        Event::PluggedIn => {
            drive.connected();
            return Bus::Configured;
        }
        Event::Unplugged => {
            drive.unplugged(state::uptime());
            return Bus::Unconfigured;
        }
        Event::TransportReset => drive.reset_transport(),
        Event::StatusChanged => drive.status_changed(),
    }
    bus
}

fn run_task(drive: &mut Drive, task: Task) -> Result<(), FlashError> {
    match task {
        Task::Idle { .. } => {}
        Task::Flush => drop(drive.flush_step()?),
        Task::ReloadSchedule => state::signal(state::update_schedule(|schedule| drive.reload_schedule(schedule))?),
        Task::WriteStatus => {
            let status = state::device_status();
            state::update_schedule(|schedule| drive.write_status(&status, schedule, state::uptime()))?;
        }
    }
    Ok(())
}
