//! The temporary folder of everything that this program starts.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use xtask::process::{Failure, cannot_start};

/// Ends all processes that work in the folder (`$0`) at the end of its standard input, which comes when this program
/// ends, even by a signal. Then removes the network namespaces and mounts, and the folder, unless it has read a line.
const CLEANUP_SCRIPT: &str = r#"
trap '' HUP INT TERM
read -r keep
for signal in INT KILL KILL; do
  found=
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/cwd")/" in "$0"/*) found=yes; kill -$signal "${process#/proc/}" ;; esac
  done
  [ "$found" ] && sleep 2
done
name="nlha${0##*-}"
for node in 1 2 3; do ip netns del "$name-$node"; done
ip link del "$name"
for node in 1 2 3; do
  [ "$keep" ] && cp "$0/db$node/log" "$0/db$node.log"
  umount -l "$0/db$node"
done
[ "$keep" ] || rm -rf "$0"
"#;

/// On drop, its processes are killed, and it is removed.
pub struct Scratch {
    pub folder: PathBuf,
    keeper: Child,
}

impl Scratch {
    pub fn create() -> Result<Self, Failure> {
        let unique = fs::read_to_string("/proc/sys/kernel/random/uuid")?;
        // The process's id comes last: the names of network devices are short.
        let folder = env::temp_dir().join(format!("nudgelight-ha-{}-{}", unique.trim(), std::process::id()));
        fs::create_dir(&folder)?;
        let mut command = Command::new("sh");
        command.args(["-c", CLEANUP_SCRIPT]).arg(&folder).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let keeper = command.spawn().map_err(|error| cannot_start("sh", &error))?;
        Ok(Self { folder, keeper })
    }

    /// Keeps the folder, for its logs.
    pub fn keep(&self) {
        let kept = self.keeper.stdin.as_ref().is_some_and(|mut input| input.write_all(b"keep\n").is_ok());
        if kept {
            println!("The logs are in {}", self.folder.display());
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}
