//! The faults. A node is Patroni with PostgreSQL; etcd and the shops of its machine go on.

use std::thread;
use std::time::Duration;

use xtask::process::Failure;

use crate::disk;
use crate::setup::Setup;

pub struct Fault {
    /// The name for `--only`.
    pub name: &'static str,
    /// For the report.
    pub title: &'static str,
    /// Injects the fault, and repairs it.
    pub inject: fn(&Setup) -> Result<(), Failure>,
    /// Whether it breaks connections to HAProxy, which no shop can prevent.
    pub breaks_haproxy: bool,
    /// What the nodes need besides folders of their own.
    pub needs: Needs,
}

/// What only root can set up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    Namespaces,
    SmallDisks,
}

pub const FAULTS: [Fault; 11] = [
    // Longer than Patroni's ttl: back earlier, the node would keep its role.
    fault("kill-primary", "node of the primary killed, back after 30 s", |setup| {
        kill_node(setup, "leader", Duration::from_secs(30))
    }),
    fault("restart-primary", "node of the primary killed, back after 10 s", |setup| {
        kill_node(setup, "leader", Duration::from_secs(10))
    }),
    fault("freeze-primary", "node of the primary frozen for 60 s", freeze_primary),
    Fault {
        needs: Needs::Namespaces,
        ..fault("cut-network", "network of the primary's node cut for 60 s", cut_network)
    },
    Fault { needs: Needs::SmallDisks, ..fault("full-disk", "disk of the primary's node full for 60 s", fill_disk) },
    fault("switchover", "planned switchover", |setup| setup.cluster.switch_over()),
    fault("kill-standby", "node of the synchronous standby killed, back after 10 s", |setup| {
        kill_node(setup, "sync_standby", Duration::from_secs(10))
    }),
    fault("kill-etcd", "all of etcd killed, back after 3 s", |setup| kill_etcd(setup, Duration::from_secs(3))),
    fault("lose-etcd", "all of etcd killed, back after 45 s", |setup| kill_etcd(setup, Duration::from_secs(45))),
    Fault {
        breaks_haproxy: true,
        ..fault("kill-haproxy", "HAProxy killed, back after 2 s", |setup| {
            setup.haproxy.kill();
            thread::sleep(Duration::from_secs(2));
            setup.haproxy.start()
        })
    },
    fault("kill-shop", "one shop process killed, restarted at once", |setup| {
        let shop = setup.shops.first()?;
        shop.kill();
        shop.start()
    }),
];

const fn fault(name: &'static str, title: &'static str, inject: fn(&Setup) -> Result<(), Failure>) -> Fault {
    Fault { name, title, inject, breaks_haproxy: false, needs: Needs::Nothing }
}

/// Kills Patroni and all of PostgreSQL.
fn kill_node(setup: &Setup, role: &str, away: Duration) -> Result<(), Failure> {
    let node = setup.cluster.node(role)?;
    node.kill();
    thread::sleep(away);
    node.start()
}

fn freeze_primary(setup: &Setup) -> Result<(), Failure> {
    let node = setup.cluster.node("leader")?;
    node.freeze();
    thread::sleep(Duration::from_secs(60));
    node.thaw();
    Ok(())
}

fn cut_network(setup: &Setup) -> Result<(), Failure> {
    let primary = setup.cluster.primary()?;
    setup.network.cut(primary)?;
    thread::sleep(Duration::from_secs(60));
    setup.network.reconnect(primary)
}

fn fill_disk(setup: &Setup) -> Result<(), Failure> {
    let folder = &setup.cluster.node("leader")?.folder;
    disk::fill(folder)?;
    thread::sleep(Duration::from_secs(60));
    disk::free(folder)
}

fn kill_etcd(setup: &Setup, away: Duration) -> Result<(), Failure> {
    setup.etcd.kill_all();
    thread::sleep(away);
    setup.etcd.start_all()
}
