//! A folder of backups: their names, the newest one, and how many are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::operator_error;
use crate::error::Error;
use crate::infra::clock::rfc3339;

const PREFIX: &str = "nudgelight-";
const SUFFIX: &str = ".backup";
/// The time in a name, with zeros for its digits.
const FORM: &str = "0000-00-00T000000Z";
/// Up to the second.
const TIME: usize = "2026-12-24T03:00:00".len();
/// Ending of a backup that is being written.
const PART: &str = ".part";
const ABANDONED: Duration = Duration::from_secs(86_400);

/// The path of a new backup: in a folder with the time as its name, which sorts by time; any other path as it is.
pub fn path_of_new(path: &Path, now_ms: i64) -> PathBuf {
    if !path.is_dir() {
        return path.to_owned();
    }
    let time: String = rfc3339(now_ms).chars().take(TIME).filter(|c| *c != ':').collect();
    path.join(format!("{PREFIX}{time}Z{SUFFIX}"))
}

/// The newest backup of a folder; any other path as it is.
///
/// # Errors
/// A message for the operator, if the folder cannot be read or has no backup.
pub fn newest(path: &Path) -> Result<PathBuf, Error> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let backups =
        list(path, "").map_err(|error| operator_error(format!("{} can't be read: {error}.", path.display())))?;
    let none = || operator_error(format!("{} has no backup made by `nudgelight backup FOLDER`.", path.display()));
    backups.into_iter().next_back().ok_or_else(none)
}

/// Deletes all but the newest `keep` backups of a folder, but never `written`, and what interrupted backups left more than
/// a day ago. Returns how many backups it deleted.
///
/// # Errors
/// A message for the operator, if one cannot be deleted.
pub fn delete_older(folder: &Path, keep: usize, written: &Path) -> Result<usize, Error> {
    let delete = || {
        let mut backups = list(folder, "")?;
        let old = backups.len().saturating_sub(keep);
        backups.truncate(old);
        backups.retain(|path| path != written);
        backups.iter().try_for_each(fs::remove_file)?;
        for part in list(folder, PART)? {
            if part.metadata()?.modified()?.elapsed().is_ok_and(|age| age > ABANDONED) {
                fs::remove_file(part)?;
            }
        }
        Ok(backups.len())
    };
    let failed = |error: io::Error| operator_error(format!("Older backups can't be deleted: {error}."));
    delete().map_err(failed)
}

/// The files of a folder with names by [`path_of_new`] and this ending, oldest first. Other files are left alone.
fn list(folder: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| is_own(path, ending));
    paths.sort();
    Ok(paths)
}

fn is_own(path: &Path, ending: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let time = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(&format!("{SUFFIX}{ending}")));
    let has_form = |time: &str| {
        let form = |byte: u8| if byte.is_ascii_digit() { b'0' } else { byte };
        time.bytes().map(form).eq(FORM.bytes())
    };
    time.is_some_and(has_form)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::SystemTime;

    use super::*;
    use crate::infra::random;

    #[test]
    fn the_newest_backups_of_a_folder_are_kept_and_other_files_stay() {
        let folder = std::env::temp_dir().join(format!("shop-{}", random::new_id()));
        fs::create_dir(&folder).unwrap();
        assert!(newest(&folder).is_err());
        let day = 86_400_000;
        let paths: Vec<PathBuf> = (0..4).map(|number| path_of_new(&folder, 1_798_081_200_000 + number * day)).collect();
        assert_eq!(paths[0], folder.join("nudgelight-2026-12-24T030000Z.backup"));
        for path in paths.iter().rev() {
            fs::write(path, "").unwrap();
        }
        let others = [
            "shop.backup",
            "nudgelight-before-upgrade.backup",
            "nudgelight-2020-01-01T000000Z.backup.part",
            "nudgelight-notes.txt",
        ];
        for other in others {
            fs::write(folder.join(other), "").unwrap();
        }
        assert_eq!(newest(&folder).unwrap(), paths[3]);
        assert_eq!(newest(&folder.join("shop.backup")).unwrap(), folder.join("shop.backup"));
        assert_eq!(delete_older(&folder, 2, &paths[3]).unwrap(), 2);
        assert_eq!(list(&folder, "").unwrap(), paths[2..]);
        assert_eq!(delete_older(&folder, 2, &paths[3]).unwrap(), 0);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2 + others.len());
        // Written by a clock that was set back.
        assert_eq!(delete_older(&folder, 1, &paths[2]).unwrap(), 0);
        let part = folder.join(others[2]);
        File::options().append(true).open(&part).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        delete_older(&folder, 2, &paths[3]).unwrap();
        assert!(!part.exists());
        fs::remove_dir_all(&folder).unwrap();
    }
}
