//! Test support: simulated flash, a simulated USB host, and external FAT tools.

mod flash;
mod tools;
mod usb_host;

pub use flash::{Flash, PowerCut};
pub use tools::{Image, fsck};
pub use usb_host::{Bench, PowerLost, block10, device_status};
