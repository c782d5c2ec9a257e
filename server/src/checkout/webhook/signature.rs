//! Webhook signatures: the header `t=SECONDS,v1=HEX` has the HMAC-SHA256 of `SECONDS.BODY` under the secret that Stripe
//! and the shop share. During a rotation there are several secrets.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use crate::infra::encoding::hex;

/// Largest clock difference in seconds, either way.
const TOLERANCE: u64 = 300;

pub fn is_valid(header: &str, body: &str, secret: &str, now_seconds: i64) -> bool {
    let parts = || header.split(',').filter_map(|part| part.trim().split_once('='));
    let Some((_, signed_at)) = parts().find(|(name, _)| *name == "t") else {
        return false;
    };
    let is_recent = signed_at.parse::<i64>().is_ok_and(|seconds| now_seconds.abs_diff(seconds) <= TOLERANCE);
    match expected_signature(signed_at, body, secret) {
        Some(expected) if is_recent => {
            parts().any(|(name, value)| name == "v1" && bool::from(expected.as_bytes().ct_eq(value.as_bytes())))
        }
        _ => false,
    }
}

/// None for an empty secret.
fn expected_signature(signed_at: &str, body: &str, secret: &str) -> Option<String> {
    let key = Some(secret.as_bytes()).filter(|key| !key.is_empty())?;
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for part in [signed_at, ".", body] {
        mac.update(part.as_bytes());
    }
    Some(hex(&mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use stripe_webhook::Webhook;

    use super::is_valid;

    const NOW: i64 = 1_700_000_000;
    const BODY: &str = r#"{"id":"evt_1"}"#;

    // invariant: webhook-signatures
    #[test]
    fn what_stripes_own_library_signs_is_good_for_five_minutes_either_way() {
        let header = Webhook::generate_test_header(BODY, "whsec_1", Some(NOW));
        for (age, is_accepted) in
            [(0, true), (300, true), (301, false), (-300, true), (-301, false), (i64::MAX - NOW, false)]
        {
            assert_eq!(is_valid(&header, BODY, "whsec_1", NOW + age), is_accepted, "{age}");
        }
        assert!(!is_valid(&header, BODY, "whsec_2", NOW));
        assert!(!is_valid(&header, "{}", "whsec_1", NOW));
    }

    // invariant: webhook-signatures
    #[test]
    fn an_empty_secret_signs_nothing() {
        let header = Webhook::generate_test_header(BODY, "", Some(NOW));
        assert!(!is_valid(&header, BODY, "", NOW));
    }

    // invariant: webhook-signatures
    #[test]
    fn one_good_code_of_the_right_kind_is_enough() {
        let header = Webhook::generate_test_header(BODY, "whsec_1", Some(NOW));
        let (signed_at, code) = header.split_once(",v1=").unwrap_or_default();
        assert!(is_valid(&format!("{signed_at}, v1=0000, v1={code}"), BODY, "whsec_1", NOW));
        assert!(!is_valid(&format!("{signed_at},v0={code}"), BODY, "whsec_1", NOW));
        assert!(!is_valid(&format!("v1={code}"), BODY, "whsec_1", NOW));
        assert!(!is_valid(signed_at, BODY, "whsec_1", NOW));
    }
}
