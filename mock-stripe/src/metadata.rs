//! Metadata: key-value pairs on an object.

use std::collections::BTreeMap;

use crate::api_error::ApiError;
use crate::form::Form;

pub type Metadata = BTreeMap<String, String>;

const MOST: usize = 50;
const LONGEST_NAME: usize = 40;
const LONGEST_TEXT: usize = 500;

/// The requested change. None without the parameter.
pub fn take_metadata(form: &mut Form) -> Result<Option<Metadata>, ApiError> {
    let Some(pairs) = form.take_pairs("metadata")? else {
        return Ok(None);
    };
    for (name, text) in &pairs {
        let refuse = |message: String| Err(ApiError::invalid(message).param(&format!("metadata[{name}]")));
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return refuse(format!("Metadata keys can have up to {LONGEST_NAME} characters."));
        }
        if text.chars().count() > LONGEST_TEXT {
            return refuse(format!("Metadata values can have up to {LONGEST_TEXT} characters."));
        }
    }
    Ok(Some(pairs))
}

/// Applies a change: an empty value removes its key, and an empty change removes all keys.
pub fn merged(old: &Metadata, change: Metadata) -> Result<Metadata, ApiError> {
    if change.is_empty() {
        return Ok(Metadata::new());
    }
    let mut metadata = old.clone();
    for (name, text) in change {
        if text.is_empty() {
            metadata.remove(&name);
        } else {
            metadata.insert(name, text);
        }
    }
    if metadata.len() > MOST {
        return Err(ApiError::invalid(format!("Metadata can have at most {MOST} keys.")).param("metadata"));
    }
    Ok(metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(encoded: &str) -> Result<Option<Metadata>, ApiError> {
        take_metadata(&mut Form::parse(encoded).unwrap())
    }

    #[test]
    fn a_change_adds_replaces_and_removes() {
        let old = change("metadata[a]=1&metadata[b]=2").unwrap().unwrap();
        let new = merged(&old, change("metadata[a]=&metadata[b]=3&metadata[c]=4").unwrap().unwrap()).unwrap();
        assert_eq!(new, Metadata::from([("b".into(), "3".into()), ("c".into(), "4".into())]));
        assert_eq!(merged(&old, change("metadata=").unwrap().unwrap()), Ok(Metadata::new()));
        assert_eq!(change("amount=1"), Ok(None));
    }

    #[test]
    fn what_is_too_long_or_too_much_is_refused() {
        assert!(change(&format!("metadata[{}]=1", "n".repeat(41))).is_err());
        assert!(change(&format!("metadata[a]={}", "t".repeat(501))).is_err());
        let many: Metadata = (0..51).map(|at| (format!("k{at}"), "1".to_owned())).collect();
        assert!(merged(&Metadata::new(), many).is_err());
    }
}
