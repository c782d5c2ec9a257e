//! Where mail goes.

use url::Url;

use super::vars::Vars;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailTo {
    /// The folder `mail` in the data folder.
    Files,
    Smtp(Url),
}

impl Vars {
    pub(super) fn mail(&self) -> Result<MailTo, String> {
        let Some(text) = self.get("SMTP_URL") else {
            return Ok(MailTo::Files);
        };
        match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "smtp" | "smtps") && url.has_host() => Ok(MailTo::Smtp(url)),
            _ => Err("SMTP_URL must be like smtps://user:password@mail.example:465".to_owned()),
        }
    }
}
