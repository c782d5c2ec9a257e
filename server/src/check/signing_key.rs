//! The key behind every log-in.

use sqlx::AnyConnection;

use super::Verdict;
use crate::auth::Keys;
use crate::config::Config;

pub async fn verdict(config: &Config, known_to: Option<&mut AnyConnection>) -> Verdict {
    let is_known = known_to.is_some();
    match Keys::examine(config, known_to).await {
        Ok(None) => Verdict::Works("there is none yet; the first start makes it".to_owned()),
        Ok(Some(kid)) if is_known => Verdict::Works(format!("{kid}, the one that this shop's database knows")),
        Ok(Some(kid)) => Verdict::Works(format!("{kid} can be used")),
        Err(sentence) => Verdict::Fails(sentence),
    }
}
