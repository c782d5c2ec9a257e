//! `nudgelight check`, with the real binary: it reports every misconfiguration and changes nothing.

use std::process::Command;
use std::time::{Duration, Instant};

use server::config::Config;
use server::db::Db;
use server::infra::clock::{Clock, HOUR};
use server::operations::check::check;

use crate::configuration::{binary, run_to_end};
use crate::harness::{
    BareStripe, Cluster, Database, DnsServer, Folder, MAIL_PASSWORD, MAIL_USER, MailServer, Privacy, Reply, SiteVerify,
    TestShop, eventually, refused,
};

/// Output of the command, one line per check, and whether all checks passed, except that of the durability: the PostgreSQL
/// of the tests writes nothing to disk.
struct Report {
    lines: Vec<String>,
    all_passed: bool,
}

impl Report {
    async fn of(folder: &Folder, vars: &[(&str, &str)]) -> Self {
        let mut command: Command = binary(folder.path(), vars);
        command.arg("check");
        let output = tokio::task::block_in_place(|| run_to_end(command));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complained = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.contains("panicked") && !complained.contains("panicked"), "{complained}");
        for secret in [MAIL_PASSWORD, "p%40ss", "sk_test_"] {
            assert!(!said.contains(secret) && !complained.contains(secret), "{said}{complained}");
        }
        let lines: Vec<String> = said.lines().map(str::to_owned).collect();
        let mut failed: Vec<&String> = lines.iter().filter(|line| line.starts_with("FAILS")).collect();
        assert_eq!(output.status.success(), failed.is_empty(), "{said}");
        failed.retain(|line| !line.starts_with("FAILS  durability"));
        Self { all_passed: failed.is_empty(), lines }
    }

    #[track_caller]
    fn works(&self, subject: &str, words: &str) -> &Self {
        self.reports(&format!("works  {subject}: "), words)
    }

    #[track_caller]
    fn fails(&self, subject: &str, words: &str) -> &Self {
        assert!(!self.all_passed, "{:#?}", self.lines);
        self.reports(&format!("FAILS  {subject}: "), words)
    }

    #[track_caller]
    fn reports(&self, beginning: &str, words: &str) -> &Self {
        let found = self.lines.iter().any(|line| line.starts_with(beginning) && line.contains(words));
        assert!(found, "“{beginning}… {words}” is not in {:#?}", self.lines);
        self
    }

    /// The number of failed checks.
    fn failures(&self) -> usize {
        self.lines.iter().filter(|line| line.starts_with("FAILS")).count()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_the_first_start_everything_works_and_nothing_is_made() {
    let folder = Folder::new();
    let report = Report::of(&folder, &[]).await;
    report
        .works("database", "the first start creates it")
        .works("signing key", "the first start creates it")
        .works("mail", "data/mail")
        .works("payments", "no money moves")
        .works("tax", "mock Stripe")
        .works("bot check", "proof of work")
        .works("analytics", "built in")
        .works("passkeys", "they belong to localhost");
    assert!(report.all_passed);
    for made in ["data/shop.db", "data/signing-key.pem"] {
        assert!(!folder.path().join(made).exists(), "{made}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_has_no_passkeys_is_named() {
    let folder = Folder::new();
    for (url, reason) in [("https://192.0.2.1", "an IP address"), ("http://shop.example", "https only")] {
        Report::of(&folder, &[("SHOP_PUBLIC_URL", url), ("SHOP_DEMO", "1")]).await.fails("passkeys", reason);
    }
    let vars = [("SHOP_PUBLIC_URL", "https://shop.example"), ("SHOP_DEMO", "1")];
    Report::of(&folder, &vars).await.works("passkeys", "they belong to shop.example and are lost if it changes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_that_serves_is_found_to_work() {
    let (folder, shop) = (Folder::new(), TestShop::open().await);
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let report = Report::of(&folder, &vars).await;
    report
        .works("database", "up to date")
        .works("signing key", "registered in the database")
        .works("outbox", "no pending emails")
        .works("bot check", "demo mode only");
    assert!(report.all_passed, "{:#?}", report.lines);
    let other_key = [&vars[..], &[("SHOP_SIGNING_KEY", "other.pem")]].concat();
    Report::of(&folder, &other_key).await.fails("signing key", "SHOP_SIGNING_KEY");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_none_or_is_away_is_named() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("shop.db"), "not a database, but long enough to be looked at ".repeat(40))
        .unwrap();
    let torn = Report::of(&folder, &[("DATABASE_URL", "sqlite:shop.db")]).await;
    torn.fails("database", "DATABASE_URL");
    let url = "postgres://shop:secret@127.0.0.1:1/shop";
    let away = Report::of(&folder, &[("DATABASE_URL", url)]).await;
    away.fails("database", "refused");
    let start = Db::open(url).await.unwrap_err();
    assert!(start.contains("Connection refused") && !start.contains("secret"), "{start}");
    assert!(away.failures() == 1 && !away.lines.iter().any(|line| line.contains("secret")), "{:#?}", away.lines);
}

// invariant: schema-migrations
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_schema_of_a_newer_program_is_no_schema_for_this_one() {
    let (folder, mut shop) = (Folder::new(), TestShop::open().await);
    shop.tamper(
        "UPDATE _sqlx_migrations SET version = 9000 WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)",
    )
    .await;
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let own = server::db::schema_version();
    let wanted = format!("newer than this program's {own}, but may still be used by it");
    Report::of(&folder, &vars).await.works("database", &wanted);
    shop.tamper("UPDATE shop_metadata SET value = '9000' WHERE name = 'min_reader'").await;
    shop.close().await;
    Report::of(&folder, &vars).await.fails("database", "newer than this program's");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_crash_or_a_failover_of_the_database_would_lose_is_named() {
    let Some(cluster) = Cluster::start() else { return };
    sqlx::any::install_default_drivers();
    let folder = Folder::new();
    let url = cluster.url();
    let vars = [("DATABASE_URL", url.as_str())];
    let reports = async |line: &str| {
        eventually(line, async || {
            let report = Report::of(&folder, &vars).await;
            report.lines.iter().any(|found| found.contains(line)).then_some(())
        })
        .await;
    };
    reports("works  durability: a crash of PostgreSQL loses no order; no standby is connected").await;
    let _standby = cluster.standby();
    reports("but a failover can: replication to the standby is asynchronous").await;
    cluster.execute_sql("ALTER SYSTEM SET synchronous_standby_names = '*'").await;
    cluster.execute_sql("SELECT pg_reload_conf()").await;
    reports("works  durability: neither a crash of PostgreSQL nor a failover loses an order").await;
    cluster.execute_sql("ALTER SYSTEM SET synchronous_commit = off").await;
    cluster.execute_sql("SELECT pg_reload_conf()").await;
    reports("FAILS  durability: PostgreSQL's synchronous_commit is off").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_is_an_hour_off_is_named() {
    let Some(shop) = TestShop::on_postgres().await else { return };
    let config = Config::from_vars(shop.vars()).unwrap();
    for (offset_ms, beginning, direction) in [
        (0, "works  clock: agrees with", "database's"),
        (HOUR, "FAILS  clock: this machine's clock is 3", "ahead of"),
        (-HOUR, "FAILS  clock: this machine's clock is 3", "behind"),
    ] {
        let clock = Clock::default();
        clock.advance(offset_ms);
        let results = check(&config, &clock).await;
        let said = results.iter().map(ToString::to_string).find(|said| said.contains("  clock: ")).unwrap();
        assert!(said.starts_with(beginning) && said.contains(direction), "{said}");
    }
}

/// DNS records of a domain that may send email.
const SENDER: [(&str, &str); 3] = [
    ("nudgelight.example", "v=spf1 include:mail.example ~all"),
    ("s1._domainkey.nudgelight.example", "v=DKIM1; k=rsa; p=MIGf"),
    ("_dmarc.nudgelight.example", "v=DMARC1; p=quarantine"),
];

/// Checks of the sender's domain, with a working mail server and this DNS configuration.
async fn sender(vars: &[(&str, &str)]) -> Report {
    let (folder, server) = (Folder::new(), MailServer::start(Privacy::StartTls).await);
    let url = server.url_for(MAIL_USER, MAIL_PASSWORD);
    Report::of(&folder, &[vars, &[("SMTP_URL", &url)]].concat()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_senders_domain_is_looked_up_in_the_dns() {
    let dns = DnsServer::start(&SENDER).await;
    let report = sender(&dns.vars(&[])).await;
    report
        .works("SPF", "include:mail.example")
        .works("DKIM", "SHOP_DKIM_SELECTOR")
        .works("DMARC", "_dmarc.nudgelight.example has the policy quarantine");
    assert!(report.all_passed, "{:#?}", report.lines);

    sender(&dns.vars(&[("SHOP_DKIM_SELECTOR", "s1")])).await.works("DKIM", "has a key");
    sender(&dns.vars(&[("SHOP_DKIM_SELECTOR", "s2")])).await.fails("DKIM", "s2._domainkey.nudgelight.example has no");
    // A subdomain inherits the DMARC policy of its parent domain, but not SPF or DKIM.
    let below = sender(&dns.vars(&[("SHOP_SUPPORT_EMAIL", "shop@nudgelight.example")])).await;
    assert!(below.all_passed, "{:#?}", below.lines);
    let below = sender(&dns.vars(&[("SHOP_SUPPORT_EMAIL", "us@mail.nudgelight.example")])).await;
    below.fails("SPF", "does not exist").fails("DKIM", "no DKIM key").works("DMARC", "policy quarantine");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_without_its_three_records_is_told_what_to_add() {
    let dns = DnsServer::start(&[("nudgelight.example", "some-site-verification=1")]).await;
    let report = sender(&dns.vars(&[])).await;
    report
        .fails("SPF", "nudgelight.example has no SPF record; add")
        .fails("DKIM", "nudgelight.example has no DKIM key; publish")
        .fails("DMARC", "add a TXT record like “v=DMARC1; p=none” at _dmarc.nudgelight.example");
    assert_eq!(report.failures(), 3, "{:#?}", report.lines);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_that_do_not_fit_into_a_datagram_are_read() {
    let long = "x".repeat(250);
    let others = [("nudgelight.example", long.as_str()); 8];
    let dns = DnsServer::start(&[&others[..], &SENDER].concat()).await;
    let report = sender(&dns.vars(&[])).await;
    assert!(report.works("SPF", "include:mail.example").all_passed, "{:#?}", report.lines);
    assert!(dns.served_by_tcp() > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dns_servers_that_fail_or_keep_silent_are_a_fault() {
    let dns = DnsServer::failing().await;
    let report = sender(&dns.vars(&[])).await;
    report
        .fails("SPF", "cannot be looked up")
        .fails("DKIM", "cannot be looked up")
        .fails("DMARC", "cannot be looked up");
    let silent = DnsServer::silent().await;
    let begun = Instant::now();
    sender(&silent.vars(&[])).await.fails("SPF", "nudgelight.example cannot be looked up");
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_server_is_tried_up_to_the_log_in_and_gets_no_mail() {
    let (folder, mut server) = (Folder::new(), MailServer::start(Privacy::StartTls).await);
    let dns = DnsServer::start(&SENDER).await;
    let try_with = async |url: String| Report::of(&folder, &dns.vars(&[("SMTP_URL", &url)])).await;
    let good = server.url_for(MAIL_USER, MAIL_PASSWORD);
    let report = try_with(good.clone()).await;
    report.works("mail", "encrypted, login accepted, sender support@nudgelight.example accepted");
    assert!(report.all_passed);
    server.refuses("support@nudgelight.example", 550, 1);
    try_with(good.clone()).await.fails("mail", "rejects the sender support@nudgelight.example: ");
    server.does_not_know("support@nudgelight.example");
    try_with(good.clone()).await.fails("mail", "rejects the sender support@nudgelight.example: as recipient, ");
    try_with(server.url_for(MAIL_USER, "wrong")).await.fails("mail", "rejects the login");
    // The same server without the CA certificate that signed its own.
    try_with(server.url()).await.fails("mail", "TLS with");
    server.goes_away();
    let report = try_with(good).await;
    report.fails("mail", "cannot connect to");
    assert_eq!((report.failures(), server.received().len()), (1, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_cannot_be_written_to_takes_no_mail() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/mail"), "in the way").unwrap();
    let report = Report::of(&folder, &[]).await;
    report.fails("mail", "is not writable");
    assert_eq!(report.failures(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_that_has_been_waiting_for_long_is_a_fault() {
    let (folder, server) = (Folder::new(), MailServer::away(Privacy::Never).await);
    let shop = TestShop::open_with(&[("SMTP_URL", &server.url())]).await;
    shop.clock.advance(-600_000);
    shop.signs_up("ada@example.com").await;
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    Report::of(&folder, &vars).await.fails("outbox", "1 emails pending, the oldest for 10 minutes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_check_service_is_asked_whether_it_knows_the_secret() {
    let (folder, service) = (Folder::new(), SiteVerify::open().await);
    let shop = service.shop("turnstile", &[]).await;
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    service.says(refused("invalid-input-response"));
    Report::of(&folder, &vars).await.works("bot check", "accepts the secret");
    service.says(refused("invalid-input-secret"));
    Report::of(&folder, &vars).await.fails("bot check", "BOT_CHECK_SECRET is wrong");
    service.replies(Reply::Silence);
    Report::of(&folder, &vars).await.fails("bot check", "is unavailable");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stripe_is_asked_whether_it_takes_the_key() {
    // Mock Stripe of another shop stands in for Stripe.
    let (folder, other) = (Folder::new(), TestShop::open().await);
    let keys = other.mock_stripe_keys().await;
    let (secret, publishable) = (keys.secret_key, keys.publishable_key);
    let base = format!("{}/test-stripe", other.url());
    let ask = async |secret: &str, base: &str| {
        let vars = [
            ("STRIPE_SECRET_KEY", secret),
            ("STRIPE_PUBLISHABLE_KEY", publishable.as_str()),
            ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
            ("STRIPE_API_BASE", base),
        ];
        Report::of(&folder, &vars).await
    };
    let report = ask(&secret, &base).await;
    report.works("payments", "accepts the key: test mode").works("tax", "for a sample sale of $25.00 to San Francisco");
    assert!(report.all_passed, "{:#?}", report.lines);
    ask("sk_test_another", &base).await.fails("payments", "does not accept STRIPE_SECRET_KEY");
    ask(&secret, "http://127.0.0.1:1").await.fails("payments", "is unreachable");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_with_the_barest_of_answers_is_one_to_sell_with() {
    let (folder, stripe) = (Folder::new(), BareStripe::open().await);
    let shop = stripe.opens_shop().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    buyer.starts_payment(&[(&one, 2)]).await;
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let report = Report::of(&folder, &vars).await;
    report.works("payments", "accepts the key: test mode").works("tax", "built-in table of rates");
    assert!(report.all_passed, "{:#?}", report.lines);

    // This provider has no tax API.
    let taxed = Report::of(&folder, &[&vars[..], &[("SHOP_TAX", "stripe")]].concat()).await;
    taxed.works("payments", "accepts the key").fails("tax", "set SHOP_TAX=table");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_no_payment_provider_is_none() {
    let folder = Folder::new();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let website = axum::Router::new().fallback(async || "{\"hello\": 1}");
    tokio::spawn(async move { axum::serve(listener, website).await });
    let vars = [
        ("STRIPE_SECRET_KEY", "sk_test_1"),
        ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
        ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
        ("STRIPE_API_BASE", base.as_str()),
    ];
    Report::of(&folder, &vars).await.fails("payments", "responds, but not like Stripe");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_only_reads_is_named() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    let url = cluster.url();
    Report::of(&folder, &[("DATABASE_URL", &url)]).await.works("database", "empty; the first start creates the schema");
    cluster.becomes_read_only().await;
    Report::of(&folder, &[("DATABASE_URL", &url)]).await.fails("database", "read-only");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_another_program_holds_is_named() {
    let folder = Folder::new();
    let file = Database::sqlite(folder.path(), "shop.db");
    let shop = TestShop::open_with(&[("DATABASE_URL", file.url())]).await;
    let db = shop.inside().platform.db.clone();
    let (held, release) =
        (std::sync::Arc::new(tokio::sync::Notify::new()), std::sync::Arc::new(tokio::sync::Notify::new()));
    let (holds, waits) = (held.clone(), release.clone());
    let holding = tokio::spawn(async move {
        let work = db.write((), move |_, ()| {
            let (holds, waits) = (holds.clone(), waits.clone());
            Box::pin(async move {
                holds.notify_one();
                waits.notified().await;
                Ok(())
            })
        });
        work.await
    });
    held.notified().await;
    Report::of(&folder, &[("DATABASE_URL", file.url())]).await.fails("database", "locked");
    release.notify_one();
    holding.await.unwrap().unwrap();
}
