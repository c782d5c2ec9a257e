//! Stripe's own library, and a browser with Stripe's script, against the test-mode Stripe of one shop. A second shop
//! has it behind its `STRIPE_API_BASE`, with keys as Stripe gives them.

use crate::chromium;
use crate::process::{Failure, Finished, capture};
use crate::shell;
use crate::shop::{PASSWORD, Shop};
use crate::workspace::Workspace;

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    run(workspace, &["e2e:stripe"])
}

/// `script` is npm's, with its arguments.
pub fn run(workspace: &Workspace, script: &[&str]) -> Result<Finished, Failure> {
    let chromium = chromium::find_or_install()?;
    let provider = Shop::open(workspace, "stripe-provider", &[])?;
    let stripe = provider.test_stripe()?;
    let settings = [
        ("STRIPE_SECRET_KEY", stripe.secret_key.as_str()),
        ("STRIPE_PUBLISHABLE_KEY", stripe.publishable_key.as_str()),
        // Nobody posts events to this shop: it has to do without.
        ("STRIPE_WEBHOOK_SECRET", "whsec_of_no_endpoint"),
        ("STRIPE_API_BASE", stripe.url.as_str()),
    ];
    let shop = Shop::open(workspace, "stripe", &settings)?;
    let mut command = shell::npm(workspace);
    command
        .arg("run")
        .args(script)
        .env("SHOP_URL", &shop.url)
        .env("SHOP_DEMO_PASSWORD", PASSWORD)
        .env("SHOP_CHROMIUM", chromium)
        .env("TEST_STRIPE_URL", &stripe.url)
        .env("TEST_STRIPE_SECRET_KEY", &stripe.secret_key);
    let finished = capture(&mut command)?;
    shop.leave(&finished);
    provider.leave(&finished);
    Ok(finished)
}
