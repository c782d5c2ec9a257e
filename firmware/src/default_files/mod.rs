//! Default files on the drive. Lines end with CRLF because the oldest text editors require it.

/// Example schedule for a new drive. Every rule and the Wi-Fi settings are commented out.
pub const SCHEDULE: &str = include_str!("SCHEDULE.TXT");

/// Short manual on the drive.
pub const README: &str = include_str!("README.TXT");

#[cfg(test)]
mod tests {
    use super::{README, SCHEDULE};
    use wasm_core::schedule::parse;

    #[test]
    fn the_example_is_free_of_mistakes_and_does_nothing() {
        let schedule = parse(SCHEDULE, &mut |problem| panic!("line {}: {problem}", problem.line));
        assert!(schedule.rules().is_empty() && schedule.network().wifi().is_none());
    }

    #[test]
    fn what_the_example_proposes_is_free_of_mistakes_too() {
        let proposed: String = SCHEDULE
            .lines()
            .filter_map(|line| line.strip_prefix('#'))
            .filter(|line| !line.starts_with(' '))
            .map(|line| format!("{line}\n"))
            .collect();
        let schedule =
            parse(format!("timezone = UTC\n{proposed}"), &mut |problem| panic!("line {}: {problem}", problem.line));
        assert_eq!(schedule.network().wifi(), Some("Home Network"));
        assert!(schedule.rules().len() >= 3);
    }

    #[test]
    fn every_editor_shows_the_lines_as_lines() {
        for text in [SCHEDULE, README] {
            assert!(text.is_ascii() && text.ends_with("\r\n"));
            assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
        }
    }
}
