//! Three nodes with Patroni and PostgreSQL.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench::http;
use serde_json::Value;
use xtask::process::{Failure, is_root, must_succeed, run};
use xtask::workspace::Workspace;

use crate::daemon::{Daemon, Owner};
use crate::disk;
use crate::network::Network;
use crate::ports::Ports;
use crate::programs::Programs;
use crate::template;

const CONFIGURATION: &str = "patroni.yml";

pub struct Cluster {
    nodes: Vec<Node>,
    psql: PathBuf,
    patronictl: PathBuf,
    primary: u16,
}

struct Node {
    name: String,
    daemon: Daemon,
    /// Patroni's REST API.
    url: String,
}

impl Cluster {
    pub fn start(
        workspace: &Workspace,
        programs: &Programs,
        scratch: &Path,
        network: &Network,
        ports: &Ports,
        has_small_disks: bool,
    ) -> Result<Self, Failure> {
        let folder = readable_copy(&programs.patroni, scratch)?;
        let owner = Owner::of_databases()?;
        let node = |(machine, port): (usize, u16)| {
            let name = format!("db{}", machine + 1);
            let home = scratch.join(&name);
            if has_small_disks {
                fs::create_dir_all(&home)?;
                disk::mount(&home)?;
            }
            let mut daemon = Daemon::new(&home, &folder.join("python3"), owner)?;
            let text = template::patroni(workspace, network, ports, machine, &daemon.folder, &programs.postgres)?;
            let file = daemon.folder.join(CONFIGURATION);
            fs::write(&file, text)?;
            daemon.arguments = vec![folder.join("patroni").display().to_string(), file.display().to_string()];
            daemon.namespace = network.namespace(machine);
            daemon.start()?;
            Ok(Node { name, daemon, url: format!("http://{}", network.node(machine, port)) })
        };
        let nodes = (0..).zip(ports.patroni).map(node).collect::<Result<_, Failure>>()?;
        let (psql, patronictl) = (programs.postgres.join("psql"), folder.join("patronictl"));
        Ok(Self { nodes, psql, patronictl, primary: ports.primary })
    }

    /// The node with this role: `leader`, `sync_standby` or `replica`.
    pub fn node(&self, role: &str) -> Result<&Daemon, Failure> {
        let name = self.name(role);
        let node = self.nodes.iter().find(|node| node.name == name);
        node.map(|node| &node.daemon).ok_or_else(|| Failure::new(format!("the cluster has no {role}")))
    }

    /// The number (0 to 2) of the primary's node.
    pub fn primary(&self) -> Result<usize, Failure> {
        let name = self.name("leader");
        let primary = self.nodes.iter().position(|node| node.name == name);
        primary.ok_or_else(|| Failure::new("the cluster has no leader"))
    }

    /// The name of the node with this role, empty if there is none.
    pub fn name(&self, role: &str) -> String {
        let members = self.members().unwrap_or_default();
        let member = members.iter().find(|member| member["role"] == role);
        member.and_then(|member| member["name"].as_str()).unwrap_or_default().to_owned()
    }

    /// Whether a primary has two standbys that replicate, one of them synchronously.
    pub fn is_redundant(&self) -> bool {
        let members = self.members().unwrap_or_default();
        let count = |role: &str, state: &str| {
            members.iter().filter(|member| member["role"] == role && member["state"] == state).count()
        };
        count("leader", "running") == 1 && count("sync_standby", "streaming") == 1 && count("replica", "streaming") == 1
    }

    /// The members as any node reports them.
    fn members(&self) -> Option<Vec<Value>> {
        self.nodes.iter().find_map(|node| {
            let response = http::get(&node.url, "/cluster", &[]).ok()?;
            let cluster: Value = serde_json::from_slice(&response.body).ok()?;
            cluster["members"].as_array().cloned()
        })
    }

    /// A planned change of the primary.
    pub fn switch_over(&self) -> Result<(), Failure> {
        let node = self.node("leader")?;
        let mut command = Command::new(&node.program);
        command.arg(&self.patronictl).arg("-c").arg(node.folder.join(CONFIGURATION));
        run(command.args(["switchover", "nudgelight", "--force"]))
    }

    /// Runs a statement on the primary and returns its rows.
    pub fn sql(&self, user: &str, password: &str, database: &str, statement: &str) -> Result<Vec<String>, Failure> {
        let mut psql = Command::new(&self.psql);
        psql.args(["-h", "127.0.0.1", "-p", &self.primary.to_string(), "-U", user, "-d", database, "-qAt"]);
        psql.args(["-c", statement]).env("PGPASSWORD", password).env("PGCONNECT_TIMEOUT", "5");
        Ok(must_succeed(&mut psql)?.lines)
    }
}

/// The folder of Patroni's programs. The user of the databases can't read root's cache, so root copies it.
fn readable_copy(patroni: &Path, scratch: &Path) -> Result<PathBuf, Failure> {
    if !is_root() || patroni.ancestors().nth(1).is_none_or(|environment| !environment.join("pyvenv.cfg").exists()) {
        return Ok(patroni.to_path_buf());
    }
    let copy = scratch.join("patroni");
    run(Command::new("cp").arg("-a").arg(patroni.with_file_name("")).arg(&copy))?;
    Ok(copy.join("bin"))
}
