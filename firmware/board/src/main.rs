//! The light: pins and tasks. What they do is in the `firmware` library, which runs on a host as well.
//!
//! | task | duty |
//! |---|---|
//! | `lamp` | the LED on GPIO 15, by the schedule |
//! | `drive` | the USB drive, and what its files say |
//! | `usb` | the bus below it |
//! | `radio` (or `serial`) | the time |
//! | `supervision` | resets the chip if one of the first two does not come round |
#![no_std]
#![no_main]

mod drive;
mod lamp;
mod shared;
mod start;
mod supervision;
mod usb;

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

/// The flash with the drive on it.
type DriveFlash = Flash<'static, FLASH, Blocking, { layout::FLASH }>;

#[embassy_executor::main]
async fn main(spawner: Spawner) {
    let p = embassy_rp::init(Default::default());
    let (watchdog, begun) = supervision::begin(p.WATCHDOG);
    let mut flash = DriveFlash::new_blocking(p.FLASH);
    let serial = start::serial_number(&mut flash);
    shared::begin(serial, begun.start);
    let Some(drive) = drive::open(flash) else {
        // A flash that cannot even be read: nothing works, and the watchdog tries again.
        return;
    };
    let (bus, endpoints) = usb::build(rp_usb::Driver::new(p.USB, UsbInterrupt), shared::serial_number());

    start::spawn(spawner, lamp::run(lamp::pwm(p.PWM_SLICE7, p.PIN_15)));
    start::spawn(spawner, usb::run(bus));
    start::spawn(spawner, drive::run(drive, endpoints));
    start::spawn(spawner, supervision::run(watchdog));

    #[cfg(feature = "wifi")]
    if begun.may_use_radio {
        let pins = radio::Pins {
            power: p.PIN_23,
            select: p.PIN_25,
            data: p.PIN_24,
            clock: p.PIN_29,
            pio: p.PIO0,
            dma: p.DMA_CH0,
        };
        start::spawn(spawner, radio::run(spawner, pins));
    } else {
        shared::set_wifi(firmware::report::Wifi::SwitchedOff);
    }
    #[cfg(not(feature = "wifi"))]
    start::spawn(spawner, serial::run(serial::line(p.UART0, p.PIN_1)));
}
