//! Radio task: Wi-Fi connection and time synchronization.
//!
//! The driver waits forever for a radio chip that does not respond, and panics on invalid responses. It runs in a task
//! of its own, so the lamp and the drive work without it.

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
use firmware::report::WifiStatus;
use static_cell::StaticCell;
use wasm_core::schedule::Network;

use crate::startup;
use crate::state::{self, NETWORK_CHANGED};

bind_interrupts!(struct RadioInterrupts {
    PIO0_IRQ_0 => pio::InterruptHandler<PIO0>;
    DMA_IRQ_0 => dma::InterruptHandler<DMA_CH0>;
});

/// Pins and peripherals of the radio. Pico W and Pico 2 W use the same ones.
pub struct Pins {
    pub power: Peri<'static, PIN_23>,
    pub select: Peri<'static, PIN_25>,
    pub data: Peri<'static, PIN_24>,
    pub clock: Peri<'static, PIN_29>,
    pub pio: Peri<'static, PIO0>,
    pub dma: Peri<'static, DMA_CH0>,
}

type Bus = SpiBus<Output<'static>, PioSpi<'static, PIO0, 0>>;

/// Backoff in seconds between attempts to join a network. It doubles with each failure.
const INITIAL_BACKOFF: u64 = 5;
const MAX_BACKOFF: u64 = 300;

#[embassy_executor::task]
async fn run_driver(runner: Runner<'static, Bus>) {
    runner.run().await;
}

#[embassy_executor::task]
async fn run_network(mut runner: embassy_net::Runner<'static, NetDriver<'static>>) {
    runner.run().await;
}

#[embassy_executor::task]
pub async fn run(spawner: Spawner, pins: Pins) {
    let (mut control, stack) = init(spawner, pins).await;
    let mut backoff = INITIAL_BACKOFF;
    loop {
        NETWORK_CHANGED.reset();
        let network = state::network();
        let Some(name) = network.wifi() else {
            state::set_wifi(WifiStatus::NotConfigured);
            NETWORK_CHANGED.wait().await;
            continue;
        };
        if state::wifi() != WifiStatus::JoinFailed {
            state::set_wifi(WifiStatus::Connecting);
        }
        if control.join(name, join_options(&network)).await.is_err() {
            state::set_wifi(WifiStatus::JoinFailed);
            backoff = wait(backoff).await;
            continue;
        }
        match select(time::sync_clock(stack, &network), NETWORK_CHANGED.wait()).await {
            Either::First(time::Disconnected::LinkDown) => backoff = INITIAL_BACKOFF,
            Either::First(time::Disconnected::NoAddress) => backoff = wait(backoff).await,
            Either::Second(()) => backoff = INITIAL_BACKOFF,
        }
        control.leave().await;
        state::set_wifi(WifiStatus::Connecting);
    }
}

/// Waits for the backoff or a change of the network settings. Returns the next backoff.
async fn wait(backoff: u64) -> u64 {
    match select(Timer::after(Duration::from_secs(backoff)), NETWORK_CHANGED.wait()).await {
        Either::First(()) => (backoff * 2).min(MAX_BACKOFF),
        Either::Second(()) => INITIAL_BACKOFF,
    }
}

fn join_options(network: &Network) -> JoinOptions<'_> {
    network.password().map_or_else(JoinOptions::new_open, |password| JoinOptions::new(password.as_bytes()))
}

async fn init(spawner: Spawner, pins: Pins) -> (Control<'static>, Stack<'static>) {
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
    startup::spawn(spawner, run_driver(runner));
    control.init(cyw43_firmware::CYW43_43439A0_CLM).await;
    control.set_power_management(PowerManagementMode::PowerSave).await;

    let seed = RoscRng.next_u64();
    let (stack, runner) =
        embassy_net::new(device, Config::dhcpv4(Default::default()), RESOURCES.init(StackResources::new()), seed);
    startup::spawn(spawner, run_network(runner));
    (control, stack)
}
