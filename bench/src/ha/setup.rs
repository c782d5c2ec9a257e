//! The whole setup: etcd, Patroni, HAProxy, three shop processes, and the payment provider.

use std::path::Path;
use std::time::Duration;

use xtask::process::Failure;
use xtask::workspace::Workspace;

use crate::cluster::Cluster;
use crate::daemon::Daemon;
use crate::etcd::Etcd;
use crate::faults::{Fault, Needs};
use crate::haproxy;
use crate::network::Network;
use crate::ports::Ports;
use crate::programs::Programs;
use crate::provider::Provider;
use crate::shops::Shops;
use crate::template::loopback;
use crate::wait;

const TIMEOUT: Duration = Duration::from_secs(120);
/// The password in `deploy/ha/patroni.yml`.
const SUPERUSER: (&str, &str) = ("postgres", "change-me-superuser");
/// The shop's role, database and password.
const SHOP: &str = "shop";

pub struct Setup {
    pub network: Network,
    pub etcd: Etcd,
    pub cluster: Cluster,
    pub haproxy: Daemon,
    pub shops: Shops,
    pub provider: Provider,
    /// The shop behind HAProxy.
    pub url: String,
}

impl Setup {
    pub fn start(
        workspace: &Workspace,
        programs: &Programs,
        scratch: &Path,
        faults: &[&Fault],
    ) -> Result<Self, Failure> {
        let needs = |what: Needs| faults.iter().any(|fault| fault.needs == what);
        let network = if needs(Needs::Namespaces) { Network::namespaces()? } else { Network::Loopback };
        let ports = Ports::find()?;
        println!("Starting etcd, Patroni, HAProxy and the shops in {}", scratch.display());
        let etcd = Etcd::start(workspace, &programs.etcd, scratch, &network, &ports)?;
        let cluster = Cluster::start(workspace, programs, scratch, &network, &ports, needs(Needs::SmallDisks))?;
        let haproxy = haproxy::start(workspace, &programs.haproxy, scratch, &network, &ports)?;
        let provider = Provider::start(&workspace.server(), scratch, ports.provider)?;
        wait::until_true("a primary with two standbys", TIMEOUT, || cluster.is_redundant())?;
        create_database(&cluster)?;
        let database_url = format!("postgres://{SHOP}:{SHOP}@{}/{SHOP}", loopback(ports.primary));
        let shops = Shops::start(&workspace.server(), scratch, &ports, &database_url, &provider)?;
        let url = format!("http://{}", loopback(ports.front));
        Ok(Self { network, etcd, cluster, haproxy, shops, provider, url })
    }

    /// Whether each part has its replacements again, so that the setup would survive another fault.
    pub fn is_redundant(&self) -> bool {
        self.etcd.is_healthy() && self.cluster.is_redundant() && self.shops.are_ready()
    }

    /// Runs a statement on the shop's database.
    pub fn sql(&self, statement: &str) -> Result<Vec<String>, Failure> {
        self.cluster.sql(SHOP, SHOP, SHOP, statement)
    }
}

fn create_database(cluster: &Cluster) -> Result<(), Failure> {
    let (superuser, password) = SUPERUSER;
    let statements =
        [format!("CREATE ROLE {SHOP} LOGIN PASSWORD '{SHOP}'"), format!("CREATE DATABASE {SHOP} OWNER {SHOP}")];
    for statement in statements {
        // HAProxy may need a second to find the primary.
        wait::until_true("the shop's database", TIMEOUT, || {
            cluster.sql(superuser, password, "postgres", &statement).is_ok()
        })?;
    }
    Ok(())
}
