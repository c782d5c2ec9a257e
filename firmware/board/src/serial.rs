//! Serial task: time from the UART on GPIO 1, for boards without a radio.

use embassy_rp::peripherals::{PIN_1, UART0};
use embassy_rp::uart::{BufferedInterruptHandler, BufferedUartRx, Config};
use embassy_rp::{Peri, bind_interrupts};
use embedded_io_async::Read;
use firmware::clock::serial::TimeLineParser;
use static_cell::ConstStaticCell;

use crate::state;

bind_interrupts!(struct UartInterrupt {
    UART0_IRQ => BufferedInterruptHandler<UART0>;
});

/// Opens the UART: 115200 baud, 8N1.
pub fn line(uart: Peri<'static, UART0>, pin: Peri<'static, PIN_1>) -> BufferedUartRx {
    static BUFFER: ConstStaticCell<[u8; 64]> = ConstStaticCell::new([0; 64]);
    BufferedUartRx::new(uart, UartInterrupt, pin, BUFFER.take(), Config::default())
}

#[embassy_executor::task]
pub async fn run(mut line: BufferedUartRx) {
    let mut parser = TimeLineParser::new();
    let mut byte = [0];
    loop {
        let Ok(1..) = line.read(&mut byte).await else { continue };
        let [byte] = byte;
        if let Some(unix_ms) = parser.push(byte) {
            // A time out of range is ignored.
            let _out_of_range = state::set_time(unix_ms, state::uptime());
        }
    }
}
