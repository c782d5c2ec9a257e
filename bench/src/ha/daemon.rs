//! A program in a folder of its own. Its processes are those that work in this folder, so that a signal also reaches
//! the processes of PostgreSQL, which leave Patroni's process group.

use std::fs::{self, File};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use xtask::process::{Failure, cannot_start, is_root, stdout_of};
use xtask::shop::remove_settings;

/// PostgreSQL refuses to run as root.
const OWNER: &str = "postgres";
const LOG: &str = "log";

pub struct Daemon {
    pub folder: PathBuf,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub variables: Vec<(String, String)>,
    /// Network namespace.
    pub namespace: Option<String>,
    owner: Option<Owner>,
    running: Mutex<Option<Child>>,
}

#[derive(Clone, Copy)]
pub struct Owner {
    user: u32,
    group: u32,
}

impl Owner {
    /// The user of the databases, if this program is root.
    pub fn of_databases() -> Result<Option<Self>, Failure> {
        is_root().then(|| Ok(Self { user: id("-u")?, group: id("-g")? })).transpose()
    }
}

fn id(which: &str) -> Result<u32, Failure> {
    let number = stdout_of(Command::new("id").args([which, OWNER])).and_then(|number| number.parse().ok());
    number.ok_or_else(|| Failure::new(format!("there is no user {OWNER} (Debian: apt-get install postgresql)")))
}

impl Daemon {
    /// Creates the folder, which belongs to the owner.
    pub fn new(folder: &Path, program: &Path, owner: Option<Owner>) -> Result<Self, Failure> {
        fs::create_dir_all(folder)?;
        if let Some(Owner { user, group }) = owner {
            chown(folder, Some(user), Some(group))?;
        }
        let (folder, program) = (folder.to_path_buf(), program.to_path_buf());
        let (arguments, variables) = (Vec::new(), Vec::new());
        Ok(Self { folder, program, arguments, variables, namespace: None, owner, running: Mutex::new(None) })
    }

    pub fn start(&self) -> Result<(), Failure> {
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = self.command();
        remove_settings(&mut command);
        command.args(&self.arguments).envs(self.variables.iter().cloned()).env("HOME", &self.folder);
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
        let child = command.spawn().map_err(|error| cannot_start(&self.program.to_string_lossy(), &error))?;
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
        Ok(())
    }

    /// The program as its owner, in its namespace.
    fn command(&self) -> Command {
        match (&self.namespace, self.owner) {
            (Some(namespace), Some(Owner { user, group })) => {
                let mut command = Command::new("ip");
                command.args(["netns", "exec", namespace, "setpriv", "--clear-groups"]);
                command.arg(format!("--reuid={user}")).arg(format!("--regid={group}")).arg(&self.program);
                command
            }
            (None, Some(Owner { user, group })) => {
                let mut command = Command::new(&self.program);
                command.uid(user).gid(group);
                command
            }
            (_, None) => Command::new(&self.program),
        }
    }

    pub fn log(&self) -> PathBuf {
        self.folder.join(LOG)
    }

    /// Kills all of its processes, like a machine that loses its power.
    pub fn kill(&self) {
        while self.signal("-KILL") {
            thread::sleep(Duration::from_millis(20));
        }
        if let Some(mut child) = self.running.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = child.wait();
        }
    }

    /// Stops all of its processes. The second round reaches those that the first ones had just created.
    pub fn freeze(&self) {
        self.signal("-STOP");
        self.signal("-STOP");
    }

    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    /// False if there is no process.
    fn signal(&self, signal: &str) -> bool {
        let processes = processes_in(&self.folder);
        // A process may have ended in between.
        let _ = Command::new("kill").arg(signal).args(&processes).stderr(Stdio::null()).status();
        !processes.is_empty()
    }
}

/// The IDs of the processes whose working folder is in this folder. A zombie has none.
fn processes_in(folder: &Path) -> Vec<String> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder)))
        .filter_map(|process| process.file_name().into_string().ok())
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
        .collect()
}
