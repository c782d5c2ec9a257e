//! `cargo xtask run --watch`: builds again what a change affects, and starts the shop again.

use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::process::{Failure, cannot_start, remove_cargo_variables};
use crate::stages::Stages;
use crate::workspace::Workspace;
use crate::{native, wasm};

/// What the server is compiled from, besides [`VIEWS`].
const SERVER: [&str; 6] = [
    "server/src",
    "server/photo-processing/src",
    "mock-stripe/src",
    "mock-stripe/migrations",
    "migrations",
    "shop.toml",
];
/// What the browser packages are compiled from.
const VIEWS: [&str; 2] = ["app/src", "wasm-core/src"];
const INTERVAL: Duration = Duration::from_millis(250);

/// The times of the newest changes of the server and the views.
#[derive(PartialEq)]
pub struct Changes {
    server: SystemTime,
    views: SystemTime,
}

impl Changes {
    pub fn newest(workspace: &Workspace) -> Self {
        Self { server: newest(workspace, &SERVER), views: newest(workspace, &VIEWS) }
    }
}

/// Serves the shop, and the shell by Vite, until one of them ends or Ctrl-C ends all. Changes after `seen` are built.
pub fn watch(workspace: &Workspace, stages: &Stages, arguments: &[String], mut seen: Changes) -> Result<(), Failure> {
    let mut vite = start(vite(workspace))?;
    let mut shop = start(server(workspace, arguments))?;
    while vite.try_wait()?.is_none() && shop.try_wait()?.is_none() {
        thread::sleep(INTERVAL);
        let now = Changes::newest(workspace);
        if now == seen {
            continue;
        }
        let views_changed = now.views != seen.views;
        seen = now;
        match build(workspace, stages, views_changed) {
            Ok(()) => {
                stop(&mut shop)?;
                shop = start(server(workspace, arguments))?;
            }
            // The shop of before goes on.
            Err(failure) => failure.output.iter().for_each(|line| println!("{line}")),
        }
    }
    stop(&mut shop)?;
    stop(&mut vite)?;
    Err(Failure::new("the shop or Vite ended"))
}

/// Builds one after the other, because two builds in one target folder wait for each other. Views come first: they are
/// quickly in the browser.
fn build(workspace: &Workspace, stages: &Stages, views_changed: bool) -> Result<(), Failure> {
    if views_changed {
        stages.run("browser crates", || wasm::compile_quickly(workspace))?;
    }
    stages.run("server", || native::build_server(workspace))
}

/// Without npm, which would leave Vite running when it is stopped.
fn vite(workspace: &Workspace) -> Command {
    let mut vite = Command::new("node");
    vite.args(["node_modules/vite/bin/vite.js", "--clearScreen", "false"]).current_dir(&workspace.shell);
    vite
}

fn server(workspace: &Workspace, arguments: &[String]) -> Command {
    let mut server = Command::new(workspace.server());
    server.args(arguments).current_dir(&workspace.root);
    remove_cargo_variables(&mut server);
    server
}

fn start(mut program: Command) -> Result<Child, Failure> {
    let name = program.get_program().to_string_lossy().into_owned();
    program.stdin(Stdio::null()).spawn().map_err(|error| cannot_start(&name, &error))
}

/// At once: the shop loses nothing when it is killed.
fn stop(program: &mut Child) -> Result<(), Failure> {
    program.kill()?;
    program.wait()?;
    Ok(())
}

/// The time of the newest change in these files and folders. A file that an editor removes meanwhile doesn't count.
fn newest(workspace: &Workspace, paths: &[&str]) -> SystemTime {
    let times = paths.iter().filter_map(|path| newest_in(&workspace.root.join(path)).ok());
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

fn newest_in(path: &Path) -> io::Result<SystemTime> {
    let mut newest = path.metadata()?.modified()?;
    if path.is_dir() {
        let inside = path.read_dir()?.filter_map(|entry| newest_in(&entry.ok()?.path()).ok());
        newest = inside.fold(newest, SystemTime::max);
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    #[test]
    fn changed_and_removed_files_are_noticed_and_dangling_links_ignored() {
        let folder = std::env::temp_dir().join(format!("xtask-watch-{}", std::process::id()));
        let file = folder.join("inside/lib.rs");
        fs::create_dir_all(folder.join("inside")).unwrap();
        let later = newest_in(&folder).unwrap() + Duration::from_secs(3600);
        File::create(&file).unwrap().set_modified(later).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("nowhere", folder.join("inside/.#lib.rs")).unwrap();

        assert_eq!(newest_in(&folder).unwrap(), later);
        fs::remove_file(&file).unwrap();
        assert!(newest_in(&folder).unwrap() < later, "removed");
        fs::remove_dir_all(&folder).unwrap();
        newest_in(&folder).unwrap_err();
    }
}
