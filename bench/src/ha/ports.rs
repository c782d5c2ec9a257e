//! Free ports of 127.0.0.1.

use std::net::TcpListener;

use xtask::process::Failure;

/// Ports below those that Linux gives to outgoing connections, so that a port stays free while its program is away.
const LOWEST: u16 = 10_000;
const HIGHEST: u16 = 32_000;
/// Another run begins elsewhere, because a port also looks free while its program is killed.
const BETWEEN_RUNS: u16 = 50;

/// Ports of three machines in one.
pub struct Ports {
    pub etcd: [u16; 3],
    pub etcd_peers: [u16; 3],
    pub postgres: [u16; 3],
    pub patroni: [u16; 3],
    pub shops: [u16; 3],
    /// The shop behind HAProxy.
    pub front: u16,
    /// The primary behind HAProxy.
    pub primary: u16,
    pub provider: u16,
}

impl Ports {
    pub fn find() -> Result<Self, Failure> {
        let runs = u32::from((HIGHEST - LOWEST) / BETWEEN_RUNS);
        let run = u16::try_from(std::process::id() % runs)?;
        let mut free =
            (LOWEST + run * BETWEEN_RUNS..HIGHEST).filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok());
        let mut next = || free.next().ok_or_else(|| Failure::new("no port of 127.0.0.1 is free"));
        let mut three = || Ok::<_, Failure>([next()?, next()?, next()?]);
        let (etcd, etcd_peers, postgres, patroni) = (three()?, three()?, three()?, three()?);
        let (shops, [front, primary, provider]) = (three()?, three()?);
        Ok(Self { etcd, etcd_peers, postgres, patroni, shops, front, primary, provider })
    }
}
