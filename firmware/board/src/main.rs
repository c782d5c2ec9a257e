//! Firmware of the light for the Raspberry Pi Pico W: pins and tasks. The device logic is in the `firmware` library,
//! which also runs on the host.
//!
//! | task | responsibility |
//! |---|---|
//! | `lamp` | LED on GPIO 15, driven by the schedule |
//! | `drive` | USB drive and its files |
//! | `usb` | USB device stack |
//! | `radio` (or `serial`) | time from the network (or the serial line) |
//! | `watchdog` | resets the chip if `lamp` or `drive` stops checking in |
#![no_std]
#![no_main]

mod drive;
mod lamp;
mod startup;
mod state;
mod usb;
mod watchdog;

#[cfg(feature = "wifi")]
mod radio;
#[cfg(not(feature = "wifi"))]
mod serial;

use embassy_executor::Spawner;
use embassy_rp::flash::{Blocking, Flash};
use embassy_rp::peripherals::{FLASH, USB};
use embassy_rp::{bind_interrupts, usb as rp_usb};
use firmware::disk::layout;

bind_interrupts!(struct UsbInterrupt {
    USBCTRL_IRQ => rp_usb::InterruptHandler<USB>;
});

/// Flash chip with the drive.
type DriveFlash = Flash<'static, FLASH, Blocking, { layout::FLASH_SIZE }>;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let p = embassy_rp::init(Default::default());
    let (watchdog, boot) = watchdog::start(p.WATCHDOG);
    let mut flash = DriveFlash::new_blocking(p.FLASH);
    let serial = startup::serial_number(&mut flash);
    state::init(serial, boot.start);
    let Some(drive) = drive::open(flash) else {
        // The flash is unreadable. Without tasks that check in, the watchdog resets the chip.
        return;
    };
    let (bus, endpoints) = usb::build(rp_usb::Driver::new(p.USB, UsbInterrupt), state::serial_number());

    startup::spawn(spawner, lamp::run(lamp::pwm(p.PWM_SLICE7, p.PIN_15)));
    startup::spawn(spawner, usb::run(bus));
    startup::spawn(spawner, drive::run(drive, endpoints));
    startup::spawn(spawner, watchdog::run(watchdog));

    #[cfg(feature = "wifi")]
    if boot.may_use_radio {
        let pins = radio::Pins {
            power: p.PIN_23,
            select: p.PIN_25,
            data: p.PIN_24,
            clock: p.PIN_29,
            pio: p.PIO0,
            dma: p.DMA_CH0,
        };
        startup::spawn(spawner, radio::run(spawner, pins));
    } else {
        state::set_wifi(firmware::report::WifiStatus::Disabled);
    }
    #[cfg(not(feature = "wifi"))]
    startup::spawn(spawner, serial::run(serial::line(p.UART0, p.PIN_1)));
}
