#![no_std]
#![no_main]
use embassy_executor as _;
use embassy_rp as _;
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
