//! Proof-of-work client, written from the protocol instead of the server's code: finds the number for which SHA-256 of
//! salt and number equals the challenge.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::Client;

/// A solved challenge for `signup` or `login`, in the format of the `recaptchaToken` field.
pub async fn proof(client: &Client, action: &str) -> Value {
    let challenge = client.get(&format!("/api/bot-check?action={action}")).await.gives(200);
    solve(&challenge)
}

pub fn solve(challenge: &Value) -> Value {
    let text = |name: &str| challenge[name].as_str().unwrap().to_owned();
    let (wanted, salt) = (text("challenge"), text("salt"));
    let number = (0..=challenge["maxnumber"].as_u64().unwrap())
        .find(|number| hex(&Sha256::digest(format!("{salt}{number}"))) == wanted)
        .unwrap();
    let solution = json!({
        "algorithm": text("algorithm"),
        "challenge": wanted,
        "number": number,
        "salt": salt,
        "signature": text("signature"),
        "took": 1.5,
    });
    Value::String(STANDARD.encode(solution.to_string()))
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
