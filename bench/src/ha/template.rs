//! The files of `deploy/ha`, with the addresses and folders of this run: what is tested is what readers take.

use std::path::Path;

use xtask::process::Failure;
use xtask::workspace::Workspace;

use crate::network::Network;
use crate::ports::Ports;

/// The last numbers of the machines' addresses in the files.
const MACHINES: [u8; 3] = [21, 22, 23];
const ETCD_MEMBERS: &str = "etcd1=http://10.0.0.21:2380,etcd2=http://10.0.0.22:2380,etcd3=http://10.0.0.23:2380";
const ETCD_HOSTS: &str = "10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379";

/// `etcd.env` of a machine (0 to 2) as variables.
pub fn etcd(
    workspace: &Workspace,
    network: &Network,
    ports: &Ports,
    machine: usize,
    folder: &Path,
) -> Result<Vec<(String, String)>, Failure> {
    let member = |(number, port)| format!("etcd{number}=http://{}", network.outside(port));
    let members = (1..=3).zip(ports.etcd_peers).map(member);
    let members = members.collect::<Vec<_>>().join(",");
    let text = filled(
        workspace,
        "etcd.env",
        &[
            ("ETCD_NAME=etcd1", format!("ETCD_NAME=etcd{}", machine + 1)),
            ("/var/lib/etcd/nudgelight", folder.join("data").display().to_string()),
            (ETCD_MEMBERS, members),
            ("10.0.0.21:2380", network.outside(of(&ports.etcd_peers, machine))),
            ("10.0.0.21:2379", network.outside(of(&ports.etcd, machine))),
        ],
    )?;
    let lines = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    Ok(lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// `patroni.yml` of a machine.
pub fn patroni(
    workspace: &Workspace,
    network: &Network,
    ports: &Ports,
    machine: usize,
    folder: &Path,
    postgres: &Path,
) -> Result<String, Failure> {
    filled(
        workspace,
        "patroni.yml",
        &[
            ("name: db1", format!("name: db{}", machine + 1)),
            (ETCD_HOSTS, ports.etcd.map(|port| network.outside(port)).join(",")),
            ("10.0.0.21:8008", network.node(machine, of(&ports.patroni, machine))),
            ("10.0.0.21:5432", network.node(machine, of(&ports.postgres, machine))),
            ("10.0.0.0/24", network.clients()),
            ("/usr/lib/postgresql/15/bin", postgres.display().to_string()),
            ("/var/lib/postgresql/15/main", folder.join("data").display().to_string()),
            ("/var/run/postgresql", folder.display().to_string()),
        ],
    )
}

/// What HAProxy needs as a service of the system.
const AS_A_SERVICE: &str =
    "global\n  log /dev/log local0\n  chroot /var/lib/haproxy\n  user haproxy\n  group haproxy\n\n";

/// `haproxy.cfg` without TLS, its log and its user.
pub fn haproxy(workspace: &Workspace, network: &Network, ports: &Ports) -> Result<String, Failure> {
    let front = format!("bind {}", loopback(ports.front));
    let mut text = filled(
        workspace,
        "haproxy.cfg",
        &[
            (AS_A_SERVICE, String::new()),
            ("  log global\n", String::new()),
            ("bind :443 ssl crt /etc/ssl/shop.pem alpn h2,http/1.1", front),
            ("bind 127.0.0.1:5433", format!("bind {}", loopback(ports.primary))),
        ],
    )?;
    for (machine, address) in MACHINES.iter().enumerate() {
        let (postgres, patroni) = (of(&ports.postgres, machine), of(&ports.patroni, machine));
        let server = format!("{} check port {patroni}", network.node(machine, postgres));
        text = replaced(text, &format!("10.0.0.{address}:5432 check port 8008"), &server)?;
        text = replaced(text, &format!("10.0.0.{address}:3000"), &loopback(of(&ports.shops, machine)))?;
    }
    Ok(text)
}

pub fn loopback(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

fn of(ports: &[u16; 3], machine: usize) -> u16 {
    ports.get(machine).copied().unwrap_or_default()
}

fn filled(workspace: &Workspace, file: &str, replacements: &[(&str, String)]) -> Result<String, Failure> {
    let text = workspace.read(&format!("deploy/ha/{file}"))?;
    replacements.iter().try_fold(text, |text, (from, to)| replaced(text, from, to))
}

fn replaced(text: String, from: &str, to: &str) -> Result<String, Failure> {
    let is_there = text.contains(from);
    is_there.then(|| text.replace(from, to)).ok_or_else(|| Failure::new(format!("deploy/ha has no `{from}`")))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn no_address_of_an_example_machine_is_left() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("");
        let workspace = Workspace { shell: PathBuf::new(), target: PathBuf::new(), tools: PathBuf::new(), root };
        let (network, folder) = (Network::Loopback, Path::new("/tmp/db"));
        let ports = Ports {
            etcd: [1, 2, 3],
            etcd_peers: [4, 5, 6],
            postgres: [7, 8, 9],
            patroni: [10, 11, 12],
            shops: [13, 14, 15],
            front: 16,
            primary: 17,
            provider: 18,
        };
        for machine in 0..3 {
            let patroni = patroni(&workspace, &network, &ports, machine, folder, folder).unwrap();
            let etcd = etcd(&workspace, &network, &ports, machine, folder).unwrap();
            assert!(!patroni.contains("10.0.0."), "{patroni}");
            assert!(etcd.iter().all(|(_, value)| !value.contains("10.0.0.")), "{etcd:?}");
        }
        let haproxy = haproxy(&workspace, &network, &ports).unwrap();
        assert!(!haproxy.contains("10.0.0."), "{haproxy}");
        assert!(haproxy.contains("server db3 127.0.0.1:9 check port 12"), "{haproxy}");
    }
}
