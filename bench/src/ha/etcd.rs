//! Three members of etcd.

use std::path::Path;
use std::time::Duration;

use bench::http;
use xtask::process::Failure;
use xtask::workspace::Workspace;

use crate::daemon::{Daemon, Owner};
use crate::network::Network;
use crate::ports::Ports;
use crate::template;
use crate::wait;

const TIMEOUT: Duration = Duration::from_secs(30);

pub struct Etcd {
    members: Vec<Daemon>,
    urls: [String; 3],
}

impl Etcd {
    pub fn start(
        workspace: &Workspace,
        program: &Path,
        scratch: &Path,
        network: &Network,
        ports: &Ports,
    ) -> Result<Self, Failure> {
        let owner = Owner::of_databases()?;
        let member = |machine: usize| {
            let folder = scratch.join(format!("etcd{}", machine + 1));
            let mut member = Daemon::new(&folder, program, owner)?;
            member.variables = template::etcd(workspace, network, ports, machine, &folder)?;
            Ok(member)
        };
        let members = (0..3).map(member).collect::<Result<_, Failure>>()?;
        let etcd = Self { members, urls: ports.etcd.map(|port| format!("http://{}", network.outside(port))) };
        etcd.start_all()?;
        wait::until_true("etcd", TIMEOUT, || etcd.is_healthy())?;
        Ok(etcd)
    }

    pub fn start_all(&self) -> Result<(), Failure> {
        self.members.iter().try_for_each(Daemon::start)
    }

    pub fn kill_all(&self) {
        self.members.iter().for_each(Daemon::kill);
    }

    /// Whether each member has a leader.
    pub fn is_healthy(&self) -> bool {
        self.urls.iter().all(|url| http::get(url, "/health", &[]).is_ok_and(|health| health.status == 200))
    }
}
