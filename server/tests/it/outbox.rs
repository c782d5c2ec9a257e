//! Outbox: keeps unsent emails, sends each once, and stops after a permanent failure.

use std::process::Stdio;

use server::config::Config;
use server::mail::EmailKind;
use server::mail::outbox::{self, OutgoingMail};
use server::start::Running;

use crate::configuration::{Process, binary};
use crate::harness::{CUSTOMER, Folder, MailServer, Privacy, TestShop, eventually, never};

async fn shop_with(server: &MailServer) -> TestShop {
    TestShop::open_with(&[("SMTP_URL", server.url().as_str())]).await
}

/// Enqueues an email to each recipient in one transaction, as a feature would.
async fn enqueue_news(shop: &TestShop, recipients: &[&str]) {
    let now = shop.clock.now_ms();
    let recipients: Vec<String> = recipients.iter().map(|to| (*to).to_owned()).collect();
    let written = shop.inside().platform.db.write((), move |tx, ()| {
        let recipients = recipients.clone();
        Box::pin(async move {
            for to in recipients {
                let (subject, text) = ("News".to_owned(), "What is new.".to_owned());
                let mail = app::mail::Mail {
                    subject,
                    html: "<p>What is new.</p>".to_owned(),
                    text,
                    reply_to: None,
                    pictures: Vec::new(),
                };
                let (kind, dedupe_key) = (EmailKind::LowStock, format!("news:{to}"));
                outbox::enqueue(tx, now, OutgoingMail { kind, order_id: None, dedupe_key, to, mail }).await?;
            }
            Ok(())
        })
    });
    written.await.unwrap();
}

const UNSENT: &str = "SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL";

// invariant: at-least-once-email
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_mail_server_is_away_nobody_waits_and_afterwards_nothing_is_lost_or_doubled() {
    let mut server = MailServer::away(Privacy::Never).await;
    let shop = shop_with(&server).await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    for _ in 0..3 {
        buyer.buys(&stripe, &one, 1).await;
    }
    shop.signs_up("ada@example.com").await;
    assert_eq!(shop.count(UNSENT).await, 4);
    // An unreachable server costs no email an attempt.
    assert_eq!(shop.count("SELECT COUNT(*) FROM outbox WHERE attempts > 0").await, 0);

    server.comes_back().await;
    let receipts = server.delivers(CUSTOMER, 3).await;
    server.delivers("ada@example.com", 1).await;
    never("a duplicate email", async || (server.received().len() > 4).then_some(())).await;
    let mut ids: Vec<String> = receipts.iter().map(|receipt| receipt.mail().message_id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), shop.count(UNSENT).await), (3, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recipient_who_is_busy_is_asked_again_later_and_gets_the_mail_once() {
    let server = MailServer::start(Privacy::Never).await;
    server.refuses("busy@example.com", 451, 3);
    let shop = shop_with(&server).await;
    enqueue_news(&shop, &["busy@example.com", "free@example.com"]).await;
    server.delivers("free@example.com", 1).await;
    for refused in 1..=3 {
        eventually("an attempt", async || (server.named("busy@example.com") == refused).then_some(())).await;
        // Exponential backoff: the next attempt waits at least 1, 2 and 4 seconds.
        let waits = "SELECT MIN(next_attempt_at) FROM outbox WHERE failure IS NOT NULL AND sent_at IS NULL";
        let (now, least) = (shop.clock.now_ms(), 1_000 << (refused - 1));
        let next = eventually("the next attempt to be scheduled", async || {
            let next = shop.count(waits).await;
            (next > 0 && next < now + 100_000).then_some(next)
        })
        .await;
        assert!(next > now - 500 + least, "after {refused} rejections: {} ms", next - now);
        shop.clock.advance(10_000);
    }
    server.delivers("busy@example.com", 1).await;
    shop.clock.advance(3_600_000);
    never("a second email", async || (server.received().len() > 2).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recipient_who_does_not_exist_is_given_up_and_the_row_says_why() {
    let server = MailServer::start(Privacy::Never).await;
    server.refuses("nobody@example.com", 550, 100);
    let shop = shop_with(&server).await;
    enqueue_news(&shop, &["nobody@example.com", "somebody@example.com"]).await;
    server.delivers("somebody@example.com", 1).await;
    let reason = eventually("the email to fail permanently", async || {
        shop.texts("SELECT failure FROM outbox WHERE failed_at IS NOT NULL AND message = ''").await.pop()
    })
    .await;
    assert!(reason.contains("550"), "{reason}");
    shop.clock.advance(86_400_000);
    never("a second attempt", async || (server.named("nobody@example.com") > 1).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_that_is_no_longer_good_is_not_sent_any_more() {
    let mut server = MailServer::away(Privacy::Never).await;
    let shop = shop_with(&server).await;
    shop.signs_up("ada@example.com").await;
    enqueue_news(&shop, &["ben@example.com"]).await;
    shop.clock.advance(11 * 60_000);
    server.comes_back().await;
    server.delivers("ben@example.com", 1).await;
    eventually("the expired code to be dropped", async || {
        (shop.count("SELECT COUNT(*) FROM outbox WHERE failed_at IS NOT NULL AND message = ''").await == 1)
            .then_some(())
    })
    .await;
    assert_eq!(server.named("ada@example.com"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_that_nobody_takes_for_five_days_is_given_up() {
    let server = MailServer::start(Privacy::Never).await;
    server.refuses("busy@example.com", 451, 100);
    let shop = shop_with(&server).await;
    enqueue_news(&shop, &["busy@example.com"]).await;
    let given_up = "SELECT COUNT(*) FROM outbox WHERE failed_at IS NOT NULL";
    for (day, expected) in [(1, 0), (4, 0), (6, 1)] {
        let tries = server.named("busy@example.com");
        shop.clock.advance(if day == 1 { 86_400_000 } else { 2 * 86_400_000 });
        if expected == 0 {
            eventually("another attempt", async || (server.named("busy@example.com") > tries).then_some(())).await;
        }
        eventually("the count", async || (shop.count(given_up).await == expected).then_some(())).await;
    }
}

// invariant: at-least-once-email
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_that_was_taken_from_a_killed_mailer_is_sent_again_byte_for_byte() {
    let mut server = MailServer::away(Privacy::Never).await;
    let mut shop = shop_with(&server).await;
    shop.signs_up("ada@example.com").await;
    shop.close().await;
    server.comes_back().await;
    server.falls_silent_after_the_next_mail();

    let folder = Folder::new();
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let process = Process(binary(folder.path(), &vars).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let first = server.delivers("ada@example.com", 1).await.remove(0);
    drop(process);

    // The second attempt must be identical, although the shop's name has changed.
    shop.restart_with(&[("SHOP_NAME", "Another")]).await;
    never("email before the lease expires", async || (server.received().len() > 1).then_some(())).await;
    shop.clock.advance(outbox::LEASE);
    let second = server.delivers("ada@example.com", 2).await.remove(1);
    assert_eq!(second.raw, first.raw);
    assert!(first.raw.contains("Message-ID: <"), "{}", first.raw);
    eventually("the email to be marked as sent", async || (shop.count(UNSENT).await == 0).then_some(())).await;
}

// invariant: at-least-once-email
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_send_each_mail_once() {
    let mut server = MailServer::away(Privacy::Never).await;
    let shop = shop_with(&server).await;
    let mut others = Vec::new();
    for _ in 0..2 {
        others.push(Running::start(Config::from_vars(shop.vars()).unwrap(), shop.clock.clone()).await.unwrap());
    }
    let recipients: Vec<String> = (0..30).map(|number| format!("buyer{number}@example.com")).collect();
    enqueue_news(&shop, &recipients.iter().map(String::as_str).collect::<Vec<_>>()).await;
    server.comes_back().await;
    eventually("all emails to be sent", async || (shop.count(UNSENT).await == 0).then_some(())).await;
    for recipient in &recipients {
        assert_eq!(server.received_by(recipient).len(), 1, "{recipient}");
    }
    for other in others {
        other.stop().await;
    }
}
