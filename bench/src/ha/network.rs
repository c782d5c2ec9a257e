//! The network of the three nodes: loopback, or a network namespace for each, so that one can be cut off.

use std::process::Command;

use xtask::process::{Failure, run};

/// Addresses, and how to reach them.
pub enum Network {
    Loopback,
    /// The name that the bridge has, and with a suffix each namespace and its interface.
    Namespaces {
        name: String,
        subnet: String,
    },
}

impl Network {
    /// A bridge and three namespaces. The cleanup of the temporary folder removes them.
    pub fn namespaces() -> Result<Self, Failure> {
        let process = std::process::id();
        let (name, subnet) = (format!("nlha{process}"), format!("10.213.{}", process % 256));
        ip(&format!("link add {name} type bridge"))?;
        ip(&format!("addr add {subnet}.1/24 dev {name}"))?;
        ip(&format!("link set {name} up"))?;
        for number in 1..=3 {
            let (node, address) = (format!("{name}-{number}"), format!("{subnet}.2{number}"));
            ip(&format!("netns add {node}"))?;
            ip(&format!("link add {node} type veth peer name eth0 netns {node}"))?;
            ip(&format!("link set {node} master {name} up"))?;
            ip(&format!("-n {node} addr add {address}/24 dev eth0"))?;
            ip(&format!("-n {node} link set eth0 up"))?;
            ip(&format!("-n {node} link set lo up"))?;
        }
        Ok(Self::Namespaces { name, subnet })
    }

    /// The addresses that may connect to a database, in CIDR notation.
    pub fn clients(&self) -> String {
        match self {
            Self::Loopback => "127.0.0.1/32".to_owned(),
            Self::Namespaces { subnet, .. } => format!("{subnet}.0/24"),
        }
    }

    /// Address and port outside of the nodes.
    pub fn outside(&self, port: u16) -> String {
        match self {
            Self::Loopback => format!("127.0.0.1:{port}"),
            Self::Namespaces { subnet, .. } => format!("{subnet}.1:{port}"),
        }
    }

    /// Address and port of a node (0 to 2).
    pub fn node(&self, machine: usize, port: u16) -> String {
        match self {
            Self::Loopback => format!("127.0.0.1:{port}"),
            Self::Namespaces { subnet, .. } => format!("{subnet}.2{}:{port}", machine + 1),
        }
    }

    /// The namespace of a node.
    pub fn namespace(&self, machine: usize) -> Option<String> {
        match self {
            Self::Loopback => None,
            Self::Namespaces { name, .. } => Some(format!("{name}-{}", machine + 1)),
        }
    }

    /// Drops all packets from and to a node.
    pub fn cut(&self, machine: usize) -> Result<(), Failure> {
        self.set(machine, "down")
    }

    pub fn reconnect(&self, machine: usize) -> Result<(), Failure> {
        self.set(machine, "up")
    }

    fn set(&self, machine: usize, state: &str) -> Result<(), Failure> {
        let node = self.namespace(machine).ok_or_else(|| Failure::new("loopback can't be cut"))?;
        ip(&format!("link set {node} {state}"))
    }
}

fn ip(arguments: &str) -> Result<(), Failure> {
    run(Command::new("ip").args(arguments.split(' ')))
}
