//! USB device: descriptors, control requests and the endpoints of the drive.

use embassy_rp::peripherals::USB;
use embassy_rp::usb::{Driver, Endpoint, In, Out};
use embassy_usb::control::{InResponse, OutResponse, Recipient, Request, RequestType};
use embassy_usb::{Builder, Config, Handler, UsbDevice};
use firmware::disk::bulk_only::PACKET_SIZE;
use static_cell::{ConstStaticCell, StaticCell};

use crate::state::{self, Event};

/// Test ID of pid.codes. A product for sale needs an ID of its own.
const VENDOR: u16 = 0x1209;
const PRODUCT: u16 = 0x0001;

/// Mass storage, transparent SCSI, Bulk-Only Transport.
const CLASS: (u8, u8, u8) = (0x08, 0x06, 0x50);
const GET_MAX_LUN: u8 = 0xFE;
const BULK_ONLY_RESET: u8 = 0xFF;

/// Bulk endpoints of the drive.
pub struct Endpoints {
    pub from_host: Endpoint<'static, USB, Out>,
    pub to_host: Endpoint<'static, USB, In>,
}

/// Handler of the class-specific control requests.
struct Control;

impl Handler for Control {
    fn configured(&mut self, configured: bool) {
        state::send_event(if configured { Event::PluggedIn } else { Event::Unplugged });
    }

    fn reset(&mut self) {
        state::send_event(Event::Unplugged);
    }

    fn control_out(&mut self, request: Request, _: &[u8]) -> Option<OutResponse> {
        if !is_drive_request(&request) || request.request != BULK_ONLY_RESET {
            return None;
        }
        state::send_event(Event::TransportReset);
        Some(OutResponse::Accepted)
    }

    fn control_in<'a>(&'a mut self, request: Request, buffer: &'a mut [u8]) -> Option<InResponse<'a>> {
        if !is_drive_request(&request) || request.request != GET_MAX_LUN {
            return None;
        }
        // The highest logical unit number: the drive has one unit.
        let max_lun = buffer.get_mut(..1)?;
        max_lun.fill(0);
        Some(InResponse::Accepted(max_lun))
    }
}

fn is_drive_request(request: &Request) -> bool {
    request.request_type == RequestType::Class && request.recipient == Recipient::Interface && request.index == 0
}

/// Builds the USB device and its endpoints.
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
    let packet = u16::try_from(PACKET_SIZE).unwrap_or(64);
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
