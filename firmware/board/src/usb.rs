//! The bus: what the device says it is, and the two endpoints of the drive.

use embassy_rp::peripherals::USB;
use embassy_rp::usb::{Driver, Endpoint, In, Out};
use embassy_usb::control::{InResponse, OutResponse, Recipient, Request, RequestType};
use embassy_usb::{Builder, Config, Handler, UsbDevice};
use firmware::disk::bulk_only::PACKET;
use static_cell::{ConstStaticCell, StaticCell};

use crate::shared::{self, Event};

/// A test id of pid.codes: whoever sells lights needs one of their own.
const VENDOR: u16 = 0x1209;
const PRODUCT: u16 = 0x0001;

/// Mass storage, transparent SCSI, Bulk-Only Transport.
const CLASS: (u8, u8, u8) = (0x08, 0x06, 0x50);
const GET_MAX_LUN: u8 = 0xFE;
const BULK_ONLY_RESET: u8 = 0xFF;

/// The two ends of the drive on the bus.
pub struct Endpoints {
    pub from_host: Endpoint<'static, USB, Out>,
    pub to_host: Endpoint<'static, USB, In>,
}

/// What the control endpoint is asked beside the standard.
struct Control;

impl Handler for Control {
    fn configured(&mut self, configured: bool) {
        shared::tell(if configured { Event::PluggedIn } else { Event::Unplugged });
    }

    fn reset(&mut self) {
        shared::tell(Event::Unplugged);
    }

    fn control_out(&mut self, request: Request, _: &[u8]) -> Option<OutResponse> {
        if !is_for_the_drive(&request) || request.request != BULK_ONLY_RESET {
            return None;
        }
        shared::tell(Event::TransportReset);
        Some(OutResponse::Accepted)
    }

    fn control_in<'a>(&'a mut self, request: Request, buffer: &'a mut [u8]) -> Option<InResponse<'a>> {
        if !is_for_the_drive(&request) || request.request != GET_MAX_LUN {
            return None;
        }
        // One unit, and the highest number is 0.
        let answer = buffer.get_mut(..1)?;
        answer.fill(0);
        Some(InResponse::Accepted(answer))
    }
}

fn is_for_the_drive(request: &Request) -> bool {
    request.request_type == RequestType::Class && request.recipient == Recipient::Interface && request.index == 0
}

/// Describes the device.
pub fn build(driver: Driver<'static, USB>, serial: [u8; 16]) -> (UsbDevice<'static, Driver<'static, USB>>, Endpoints) {
    static SERIAL: StaticCell<[u8; 16]> = StaticCell::new();
    static CONFIGURATION: ConstStaticCell<[u8; 64]> = ConstStaticCell::new([0; 64]);
    static OBJECTS: ConstStaticCell<[u8; 32]> = ConstStaticCell::new([0; 32]);
    static CONTROL_BUFFER: ConstStaticCell<[u8; 64]> = ConstStaticCell::new([0; 64]);
    static CONTROL: ConstStaticCell<Control> = ConstStaticCell::new(Control);

    let mut config = Config::new(VENDOR, PRODUCT);
    config.manufacturer = Some("Nudgelight");
    config.product = Some("Nudgelight");
    config.serial_number = core::str::from_utf8(SERIAL.init(serial)).ok();
    config.max_power = 200;
    config.device_class = 0;
    config.device_sub_class = 0;
    config.device_protocol = 0;
    config.composite_with_iads = false;

    let mut builder =
        Builder::new(driver, config, CONFIGURATION.take(), OBJECTS.take(), &mut [], CONTROL_BUFFER.take());
    builder.handler(CONTROL.take());
    let mut function = builder.function(CLASS.0, CLASS.1, CLASS.2);
    let mut interface = function.interface();
    let mut setting = interface.alt_setting(CLASS.0, CLASS.1, CLASS.2, None);
    let packet = u16::try_from(PACKET).unwrap_or(64);
    let endpoints = Endpoints {
        from_host: setting.endpoint_bulk_out(None, packet),
        to_host: setting.endpoint_bulk_in(None, packet),
    };
    drop(function);
    (builder.build(), endpoints)
}

#[embassy_executor::task]
pub async fn run(mut bus: UsbDevice<'static, Driver<'static, USB>>) {
    bus.run().await;
}
