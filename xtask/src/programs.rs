//! Programs that the tests need beside Rust and Node.js.

use crate::debian;
use crate::stages::Stages;

/// Programs of one Debian package.
pub struct Programs {
    /// For messages, such as “PostgreSQL's initdb and pg_ctl”.
    pub names: &'static str,
    /// The Debian package.
    pub package: &'static str,
    pub are_installed: fn() -> bool,
    /// The tests that need them. `None` is the whole suite.
    pub only_for: Option<&'static str>,
}

impl Programs {
    /// The missing programs and how to install them.
    pub fn missing(&self) -> Option<String> {
        let Self { names, package, .. } = self;
        (!(self.are_installed)())
            .then(|| format!("needs {names} (Debian: `apt-get install {package}`, or run this command as root)"))
    }
}

/// Installs missing programs, as root on Debian. A failure is no error, because tests of missing programs are skipped.
pub fn install_missing<'a>(stages: &Stages, wanted: impl Iterator<Item = &'a Programs>) {
    let packages = packages(wanted);
    if !packages.is_empty() && debian::can_install() {
        let _ = stages.run("programs for the tests", || debian::install(&packages));
    }
}

/// The packages of all missing programs, without duplicates.
fn packages<'a>(wanted: impl Iterator<Item = &'a Programs>) -> Vec<&'static str> {
    let mut packages: Vec<&str> =
        wanted.filter(|programs| !(programs.are_installed)()).map(|programs| programs.package).collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Programs =
        Programs { names: "initdb and pg_ctl", package: "postgresql", are_installed: || true, only_for: None };
    const AWAY: Programs =
        Programs { names: "mcopy and mtype", package: "mtools", are_installed: || false, only_for: None };

    #[test]
    fn only_what_is_missing_is_installed_and_each_package_once() {
        assert_eq!(packages([HERE, AWAY, AWAY].iter()), ["mtools"]);
        assert_eq!(packages([HERE].iter()), [""; 0]);
    }

    #[test]
    fn what_is_missing_is_named_with_the_package_that_has_it() {
        assert_eq!(HERE.missing(), None);
        let advice = "needs mcopy and mtype (Debian: `apt-get install mtools`, or run this command as root)";
        assert_eq!(AWAY.missing().as_deref(), Some(advice));
    }
}
