//! The wireless network, and the time from it.
//!
//! The driver waits for its chip for ever and stops the program when that answers nonsense, so everything of it is in
//! this task: the lamp and the drive work without it.

mod blobs;
mod time;

use cyw43::{Control, JoinOptions, NetDriver, PowerManagementMode, Runner, SpiBus, State};
use cyw43_pio::{DEFAULT_CLOCK_DIVIDER, PioSpi};
use embassy_executor::Spawner;
use embassy_futures::select::{Either, select};
use embassy_net::{Config, Stack, StackResources};
use embassy_rp::clocks::RoscRng;
use embassy_rp::dma::{self, Channel};
use embassy_rp::gpio::{Level, Output};
use embassy_rp::peripherals::{DMA_CH0, PIN_23, PIN_24, PIN_25, PIN_29, PIO0};
use embassy_rp::pio::{self, Pio};
use embassy_rp::{Peri, bind_interrupts};
use embassy_time::{Duration, Timer};
use firmware::report::Wifi;
use static_cell::StaticCell;
use wasm_core::schedule::Network;

use crate::shared::{self, NETWORK_CHANGED};
use crate::start;

bind_interrupts!(struct RadioInterrupts {
    PIO0_IRQ_0 => pio::InterruptHandler<PIO0>;
    DMA_IRQ_0 => dma::InterruptHandler<DMA_CH0>;
});

/// How the radio hangs on the chip, on a Pico W as on a Pico 2 W.
pub struct Pins {
    pub power: Peri<'static, PIN_23>,
    pub select: Peri<'static, PIN_25>,
    pub data: Peri<'static, PIN_24>,
    pub clock: Peri<'static, PIN_29>,
    pub pio: Peri<'static, PIO0>,
    pub dma: Peri<'static, DMA_CH0>,
}

type Bus = SpiBus<Output<'static>, PioSpi<'static, PIO0, 0>>;

/// Before joining is tried again; doubled each time up to the longest.
const FIRST_PAUSE: u64 = 5;
const LONGEST_PAUSE: u64 = 300;

#[embassy_executor::task]
async fn drive_radio(runner: Runner<'static, Bus>) {
    runner.run().await;
}

#[embassy_executor::task]
async fn drive_network(mut runner: embassy_net::Runner<'static, NetDriver<'static>>) {
    runner.run().await;
}

#[embassy_executor::task]
pub async fn run(spawner: Spawner, pins: Pins) {
    let (mut control, stack) = begin(spawner, pins).await;
    let mut pause = FIRST_PAUSE;
    loop {
        NETWORK_CHANGED.reset();
        let network = shared::network();
        let Some(name) = network.wifi() else {
            shared::set_wifi(Wifi::NotSet);
            NETWORK_CHANGED.wait().await;
            continue;
        };
        if shared::wifi() != Wifi::Refused {
            shared::set_wifi(Wifi::Connecting);
        }
        if control.join(name, options(&network)).await.is_err() {
            shared::set_wifi(Wifi::Refused);
            pause = wait(pause).await;
            continue;
        }
        match select(time::keep(stack, &network), NETWORK_CHANGED.wait()).await {
            Either::First(time::Lost::Link) => pause = FIRST_PAUSE,
            Either::First(time::Lost::NoAddress) => pause = wait(pause).await,
            Either::Second(()) => pause = FIRST_PAUSE,
        }
        control.leave().await;
        shared::set_wifi(Wifi::Connecting);
    }
}

/// Waits, unless another network is set; gives the next pause.
async fn wait(pause: u64) -> u64 {
    match select(Timer::after(Duration::from_secs(pause)), NETWORK_CHANGED.wait()).await {
        Either::First(()) => (pause * 2).min(LONGEST_PAUSE),
        Either::Second(()) => FIRST_PAUSE,
    }
}

fn options(network: &Network) -> JoinOptions<'_> {
    network.password().map_or_else(JoinOptions::new_open, |password| JoinOptions::new(password.as_bytes()))
}

async fn begin(spawner: Spawner, pins: Pins) -> (Control<'static>, Stack<'static>) {
    static STATE: StaticCell<State> = StaticCell::new();
    static RESOURCES: StaticCell<StackResources<4>> = StaticCell::new();

    let mut pio = Pio::new(pins.pio, RadioInterrupts);
    let spi = PioSpi::new(
        &mut pio.common,
        pio.sm0,
        DEFAULT_CLOCK_DIVIDER,
        pio.irq0,
        Output::new(pins.select, Level::High),
        pins.data,
        pins.clock,
        Channel::new(pins.dma, RadioInterrupts),
    );
    let power = Output::new(pins.power, Level::Low);
    let (device, mut control, runner) =
        cyw43::new(STATE.init(State::new()), power, spi, &blobs::FIRMWARE, &blobs::PARAMETERS).await;
    start::spawn(spawner, drive_radio(runner));
    control.init(cyw43_firmware::CYW43_43439A0_CLM).await;
    control.set_power_management(PowerManagementMode::PowerSave).await;

    let seed = RoscRng.next_u64();
    let (stack, runner) =
        embassy_net::new(device, Config::dhcpv4(Default::default()), RESOURCES.init(StackResources::new()), seed);
    start::spawn(spawner, drive_network(runner));
    (control, stack)
}
