//! HAProxy in front of the shops and of the primary.

use std::fs;
use std::path::Path;

use xtask::process::Failure;
use xtask::workspace::Workspace;

use crate::daemon::Daemon;
use crate::network::Network;
use crate::ports::Ports;
use crate::template;

/// In the body of an error that HAProxy itself responds with.
pub const OWN_ERROR: &[u8] = b"The shop is restarting.";

pub fn start(
    workspace: &Workspace,
    program: &Path,
    scratch: &Path,
    network: &Network,
    ports: &Ports,
) -> Result<Daemon, Failure> {
    let mut daemon = Daemon::new(&scratch.join("haproxy"), program, None)?;
    let file = daemon.folder.join("haproxy.cfg");
    fs::write(&file, template::haproxy(workspace, network, ports)?)?;
    daemon.arguments = vec!["-db".to_owned(), "-f".to_owned(), file.display().to_string()];
    daemon.start()?;
    Ok(daemon)
}
