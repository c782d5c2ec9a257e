//! The drive: packets between the bus and the device's logic, and what that wants done in between.

use embassy_futures::select::{Either, Either3, select, select3};
use embassy_futures::yield_now;
use embassy_time::{Instant, Timer};
use embassy_usb::driver::{EndpointIn, EndpointOut};
use firmware::device::{Buffers, Device, Duty};
use firmware::disk::FlashFault;
use firmware::disk::bulk_only::{PACKET, Turn};
use static_cell::ConstStaticCell;

use crate::DriveFlash;
use crate::shared::{self, EVENTS, Event};
use crate::supervision::{self, Task};
use crate::usb::Endpoints;

pub type Drive = Device<'static, DriveFlash>;

/// It comes round at least so often, for the watchdog.
const LONGEST_REST: u64 = 2000;

/// Takes the drive as it was left, before anybody on the bus sees it.
pub fn open(flash: DriveFlash) -> Option<Drive> {
    static BUFFERS: ConstStaticCell<Buffers> = ConstStaticCell::new(Buffers::new());
    let buffers = BUFFERS.take();
    let facts = shared::facts();
    let opened = shared::read_schedule(|schedule| Device::start(flash, buffers, &facts, schedule));
    let (drive, verdict) = opened.ok()?;
    if verdict.has_errors() {
        shared::say(verdict);
    }
    Some(drive)
}

/// Whether a host has the device configured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bus {
    Up,
    Down,
}

#[embassy_executor::task]
pub async fn run(mut drive: Drive, mut endpoints: Endpoints) {
    let mut bus = Bus::Down;
    let mut packet = [0; PACKET];
    loop {
        supervision::came_round(Task::Drive);
        let rest = match drive.duty(shared::uptime()) {
            Duty::Rest { until } => until,
            duty => {
                // A flash that fails is told to the host when it reads or writes.
                let _fault = fulfil(&mut drive, duty);
                yield_now().await;
                continue;
            }
        };
        let turn = if bus == Bus::Up { drive.turn() } else { Turn::Receive };
        match turn {
            Turn::Store => {
                let _fault = drive.store_step();
                yield_now().await;
            }
            Turn::Send => {
                let length = drive.send(&mut packet);
                let bytes = packet.get(..length).unwrap_or_default();
                match select(endpoints.to_host.write(bytes), EVENTS.receive()).await {
                    Either::First(Ok(())) => {}
                    Either::First(Err(_)) => drive.reset_transport(),
                    Either::Second(event) => bus = take(&mut drive, event, bus),
                }
            }
            Turn::Receive => bus = receive(&mut drive, &mut endpoints, &mut packet, bus, rest).await,
        }
    }
}

/// Waits for a packet, an event, or the time when something is to be done.
async fn receive(
    drive: &mut Drive,
    endpoints: &mut Endpoints,
    packet: &mut [u8; PACKET],
    bus: Bus,
    rest: Option<u64>,
) -> Bus {
    let longest = shared::uptime() + LONGEST_REST;
    let wake = Timer::at(Instant::from_millis(rest.map_or(longest, |rest| rest.min(longest))));
    if bus == Bus::Down {
        return match select(EVENTS.receive(), wake).await {
            Either::First(event) => take(drive, event, bus),
            Either::Second(()) => bus,
        };
    }
    match select3(endpoints.from_host.read(packet), EVENTS.receive(), wake).await {
        Either3::First(Ok(length)) => drive.receive(packet.get(..length).unwrap_or_default(), shared::uptime()),
        Either3::First(Err(_)) => drive.reset_transport(),
        Either3::Second(event) => return take(drive, event, bus),
        Either3::Third(()) => {}
    }
    bus
}

fn take(drive: &mut Drive, event: Event, bus: Bus) -> Bus {
    match event {
        Event::PluggedIn => {
            drive.plugged_in();
            return Bus::Up;
        }
        Event::Unplugged => {
            drive.unplugged(shared::uptime());
            return Bus::Down;
        }
        Event::TransportReset => drive.reset_transport(),
        Event::StatusChanged => drive.status_changed(),
    }
    bus
}

fn fulfil(drive: &mut Drive, duty: Duty) -> Result<(), FlashFault> {
    match duty {
        Duty::Rest { .. } => {}
        Duty::Store => drop(drive.store_step()?),
        Duty::TakeUp => shared::say(shared::read_schedule(|schedule| drive.take_up(schedule))?),
        Duty::RenewStatus => {
            let facts = shared::facts();
            shared::read_schedule(|schedule| drive.renew_status(&facts, schedule, shared::uptime()))?;
        }
    }
    Ok(())
}
