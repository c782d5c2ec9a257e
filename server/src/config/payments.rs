//! Payment provider: Stripe with its three keys, or the embedded test-mode Stripe.

use super::vars::Vars;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payments {
    /// The embedded test-mode Stripe.
    Test,
    Stripe(StripeKeys),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripeKeys {
    pub secret_key: String,
    pub publishable_key: String,
    pub webhook_secret: String,
    pub api_base: String,
}

impl StripeKeys {
    pub fn is_live(&self) -> bool {
        !self.secret_key.contains("_test_")
    }
}

impl Vars {
    pub(super) fn stripe_keys(&self) -> Result<Option<StripeKeys>, String> {
        const NAMES: [&str; 3] = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
        let missing: Vec<&str> = NAMES.into_iter().filter(|name| self.get(name).is_none()).collect();
        if missing.len() == NAMES.len() {
            return Ok(None);
        }
        let [Some(secret_key), Some(publishable_key), Some(webhook_secret)] = NAMES.map(|name| self.get(name)) else {
            return Err(format!("{} must be set: Stripe needs all three variables", missing.join(", ")));
        };
        let expected = [
            ("STRIPE_SECRET_KEY", secret_key, &["sk_", "rk_"][..]),
            ("STRIPE_PUBLISHABLE_KEY", publishable_key, &["pk_"][..]),
        ];
        for (name, value, prefixes) in expected {
            let is_printable = value.bytes().all(|byte| byte.is_ascii_graphic());
            if !is_printable || !prefixes.iter().any(|prefix| value.starts_with(prefix)) {
                return Err(format!("{name} must begin with {}", prefixes.join(" or ")));
            }
        }
        if secret_key.contains("_test_") != publishable_key.contains("_test_") {
            return Err(
                "STRIPE_PUBLISHABLE_KEY and STRIPE_SECRET_KEY must both be test keys or both be live keys".to_owned()
            );
        }
        let api_base = self.get("STRIPE_API_BASE").unwrap_or("https://api.stripe.com");
        if !api_base.starts_with("https://") && !api_base.starts_with("http://") {
            return Err("STRIPE_API_BASE must be a URL like https://api.stripe.com".to_owned());
        }
        validate_webhook_secrets(webhook_secret, self.get("STRIPE_API_BASE"))?;
        Ok(Some(StripeKeys {
            secret_key: secret_key.to_owned(),
            publishable_key: publishable_key.to_owned(),
            webhook_secret: webhook_secret.to_owned(),
            api_base: api_base.trim_end_matches('/').to_owned(),
        }))
    }
}

/// Validates the webhook secrets: one or, during a rotation, several. A custom server may use any secret but an empty one,
/// which would make signatures forgeable.
fn validate_webhook_secrets(secrets: &str, api_base: Option<&str>) -> Result<(), String> {
    let prefix = if api_base.is_none() { "whsec_" } else { "" };
    for secret in secrets.split(',').map(str::trim) {
        let chosen = secret.strip_prefix(prefix).unwrap_or_default();
        if chosen.is_empty() || secret == "whsec_" || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!("STRIPE_WEBHOOK_SECRET must be secrets like {prefix}…, separated by commas"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::validate_webhook_secrets;

    // invariant: required-webhook-secret
    #[test]
    fn an_empty_webhook_secret_is_refused_also_among_others() {
        for secrets in ["", " ", "whsec_", "whsec_1,", "whsec_1,,whsec_2", ",whsec_1", "whsec_1, whsec_", "sk_test_1"] {
            assert!(validate_webhook_secrets(secrets, None).is_err(), "{secrets:?}");
        }
        for secrets in ["whsec_1", "whsec_1,whsec_2", "whsec_1, whsec_2"] {
            assert!(validate_webhook_secrets(secrets, None).is_ok(), "{secrets:?}");
        }
    }

    // invariant: required-webhook-secret
    #[test]
    fn another_server_chooses_its_own_secret_but_not_none() {
        let base = Some("http://127.0.0.1:1");
        assert!(validate_webhook_secrets("its_own_choice", base).is_ok());
        for secrets in ["", ",", "with spaces", "whsec_"] {
            assert!(validate_webhook_secrets(secrets, base).is_err(), "{secrets:?}");
        }
    }
}
