//! Startup, configuration and shutdown, with the real binary where the process itself is under test.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use server::config::Config;
use server::infra::clock::Clock;
use server::start::Running;

use crate::harness::{ADMIN, Client, Folder, NO_DEMO, PASSWORD, TestShop, eventually};

pub fn binary(folder: &Path, vars: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nudgelight"));
    command.current_dir(folder).env_clear().envs(vars.iter().copied()).stdin(Stdio::null());
    command
}

/// The program with this listening socket, passed to it as systemd does.
pub fn inheriting(socket: &TcpListener, folder: &Path, vars: &[(&str, &str)]) -> Command {
    let script = r#"exec 3<&0 </dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec "$0""#;
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_nudgelight")]).current_dir(folder);
    command.env_clear().envs(vars.iter().copied()).stdin(OwnedFd::from(socket.try_clone().unwrap()));
    command
}

#[test]
fn the_program_says_which_version_it_is() {
    let folder = Folder::new();
    let mut command = binary(folder.path(), &[]);
    command.arg("--version");
    let said = String::from_utf8(run_to_end(command).stdout).unwrap();
    assert_eq!(said, format!("nudgelight {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_containers_get_every_setting_of_the_example() {
    let (compose, example) = (include_str!("../../../deploy/compose.yaml"), include_str!("../../../.env.example"));
    // A file of settings passes them all; those named besides it replace one of its settings.
    assert!(compose.contains("\n    env_file: [../.env]\n"), "{compose}");
    let named: Vec<&str> = compose
        .lines()
        .filter_map(|line| line.strip_prefix("      ")?.split_once(": ").map(|(name, _)| name))
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'))
        .collect();
    assert!(named.len() > 5, "{named:?}");
    for name in named {
        assert!(example.contains(&format!("#{name}=")), "{name} is no setting");
    }
}

/// The arguments of each command in a guide's shell blocks and code spans, without comments and variables.
fn commands_of(guide: &str) -> Vec<Vec<&str>> {
    let lines = guide.split(['`', '\n']).filter_map(|line| line.split('#').next());
    lines
        .flat_map(|line| line.split(['|', ';', '&']))
        .filter_map(|command| {
            let words: Vec<&str> = command.split_whitespace().skip_while(|word| word.contains('=')).collect();
            let (program, arguments) = words.split_first()?;
            (*program == "nudgelight" && !arguments.is_empty()).then(|| arguments.to_vec())
        })
        .collect()
}

#[test]
fn the_program_has_every_command_of_the_guides() {
    let folder = Folder::new();
    let guides = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide");
    let mut count = 0;
    for guide in std::fs::read_dir(guides).unwrap() {
        let guide = std::fs::read_to_string(guide.unwrap().path()).unwrap();
        for arguments in commands_of(&guide) {
            let mut command = binary(folder.path(), &[]);
            command.args(&arguments).arg("--help");
            let output = run_to_end(command);
            assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} commands were found");
}

/// Runs the command to its end, for at most 15 seconds.
pub fn run_to_end(mut command: Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(15) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// The command's error message. It must fail with exactly one, and without a panic.
pub fn complaint(command: Command) -> String {
    let output = run_to_end(command);
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!output.status.success(), "the command succeeded: {said}{complained}");
    assert!(!complained.contains("panicked"), "{complained}");
    let lines: Vec<&str> = complained.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(lines.len(), 1, "{complained}");
    lines[0].to_owned()
}

// invariant: required-webhook-secret
#[test]
fn a_bad_variable_stops_the_start_with_one_line_that_names_it() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("file"), "no folder").unwrap();
    let bad = [
        ("SHOP_ADDR", "localhost:web"),
        ("SHOP_ADDR", "127.0.0.1:99999"),
        ("SHOP_DEMO", "maybe"),
        ("SHOP_TAX", "none"),
        ("SHOP_RATE_LIMITS", "sometimes"),
        ("SHOP_RESERVATION_SECONDS", "soon"),
        ("SHOP_DRAIN_SECONDS", "soon"),
        ("SHOP_HSTS", "yes"),
        ("SHOP_ORDERS_EMAIL", "nobody"),
        ("SHOP_PUBLIC_URL", "shop.example"),
        ("SHOP_COLOUR", "red"),
        ("DATABASE_URL", "mysql://localhost/shop"),
        ("SHOP_SIGNING_KEY", "file/key.pem"),
        ("STRIPE_SECRET_KEY", "sk_test_1"),
        ("SMTP_URL", "mail.example:25"),
        ("SMTP_URL", "smtp://mail.example?tls=sometimes"),
        ("SMTP_URL", "smtps://shop@mail.example"),
        ("SMTP_URL", "smtps://mail.example?ca=nowhere.pem"),
    ];
    for (name, value) in bad {
        let line = complaint(binary(folder.path(), &[("SHOP_ADDR", "127.0.0.1:0"), (name, value)]));
        assert!(line.contains(name) || (name == "STRIPE_SECRET_KEY" && line.contains("STRIPE_")), "{name}: {line}");
    }
    for (name, value, missing) in
        [("SHOP_BOT_CHECK", "turnstile", "BOT_CHECK_SITE_KEY"), ("SHOP_ANALYTICS", "plausible", "ANALYTICS_SITE")]
    {
        let line = complaint(binary(folder.path(), &[("SHOP_ADDR", "127.0.0.1:0"), (name, value)]));
        assert!(line.contains(missing), "{value}: {line}");
    }
    let public = [("SHOP_ADDR", "127.0.0.1:0"), ("SHOP_PUBLIC_URL", "https://shop.example")];
    let open_demo = complaint(binary(folder.path(), &public));
    assert!(open_demo.contains("SHOP_DEMO must be set"), "{open_demo}");
    let demo_off = complaint(binary(folder.path(), &[("SHOP_DEMO", "0")]));
    assert!(demo_off.contains("STRIPE_SECRET_KEY"), "{demo_off}");
}

#[test]
fn a_data_folder_that_cannot_be_one_stops_the_start() {
    let folder = Folder::new();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let line = complaint(binary(folder.path(), &[("SHOP_DATA_DIR", "file"), ("SHOP_ADDR", "127.0.0.1:0")]));
    assert!(line.contains("SHOP_DATA_DIR"), "{line}");
}

#[test]
fn a_rate_that_is_no_amount_stops_the_start_and_names_the_file() {
    let folder = Folder::new();
    std::fs::write(
        folder.path().join("shop.toml"),
        "[shipping.us]\nfirst_pound = \"4.955\"\nadditional_pound = \"1.25\"\n",
    )
    .unwrap();
    let line = complaint(binary(folder.path(), &[("SHOP_ADDR", "127.0.0.1:0")]));
    assert!(line.contains("shop.toml"), "{line}");
}

/// A shop in its own process, killed on drop.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the binary. Returns the process, its URL, and its output up to the line with the URL.
pub fn serve(folder: &Path, vars: &[(&str, &str)]) -> (Process, String, Vec<String>) {
    spawn_server(binary(folder, vars))
}

pub fn spawn_server(mut command: Command) -> (Process, String, Vec<String>) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let process = Process(child);
    let mut said = Vec::new();
    for line in &mut lines {
        let line = line.unwrap();
        said.push(line.clone());
        if line.starts_with("emails are ") {
            break;
        }
    }
    let url = said.iter().find_map(|line| line.strip_prefix("listening on ")).unwrap().to_owned();
    (process, url, said)
}

fn terminate(process: &Process) {
    let id = process.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_loopback_a_second_line_names_the_address_with_passkeys() {
    let folder = Folder::new();
    let (process, url, said) = serve(folder.path(), &[("SHOP_ADDR", "127.0.0.1:0")]);
    let passkeys = url.replace("127.0.0.1", "localhost");
    assert!(said.contains(&format!("for passkeys, open {passkeys}")), "{said:?}");
    for own in [&url, &passkeys] {
        let visitor = Client::new(own);
        assert_eq!(visitor.get("/login").await.status, 200, "nothing redirects");
        assert_eq!(visitor.get("/api/config").await.gives(200)["passkey_origin"], *passkeys);
    }
    drop(process);
    let vars = [("SHOP_ADDR", "127.0.0.1:0"), ("SHOP_PUBLIC_URL", "https://shop.example"), ("SHOP_DEMO", "1")];
    let (_process, _, said) = serve(folder.path(), &vars);
    assert!(said.iter().all(|line| !line.starts_with("for passkeys")), "{said:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn systemd_learns_that_the_shop_is_ready_when_it_serves() {
    let folder = Folder::new();
    let path = folder.path().join("notify");
    let systemd = UnixDatagram::bind(&path).unwrap();
    systemd.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let vars = [("SHOP_ADDR", "127.0.0.1:0"), ("NOTIFY_SOCKET", path.to_str().unwrap())];
    let (_process, url, _) = serve(folder.path(), &vars);
    let mut message = [0; 64];
    let length = systemd.recv(&mut message).unwrap();
    assert_eq!(&message[..length], b"READY=1");
    assert_eq!(Client::new(&url).get("/readyz").await.status, 200);
}

// invariant: graceful-shutdown
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_process_says_where_it_listens_and_how_to_log_in_and_ends_when_told() {
    let folder = Folder::new();
    let (mut process, url, said) = serve(folder.path(), &[("SHOP_ADDR", "127.0.0.1:0")]);
    assert!(url.starts_with("http://127.0.0.1:") && !url.ends_with(":0"), "{url}");
    let log_in = said.iter().find(|line| line.contains(ADMIN)).unwrap();
    assert!(log_in.split_whitespace().last().unwrap().len() >= 15, "{log_in}");
    assert_eq!(Client::new(&url).get("/healthz").await.status, 200);
    for file in ["data/shop.db", "data/signing-key.pem"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }

    // Idle keep-alive connections must not block the shutdown.
    let idle = Client::new(&url);
    idle.get("/api/products").await.gives(200);
    terminate(&process);
    let status = eventually("the process to end", async || process.0.try_wait().unwrap()).await;
    assert!(status.success(), "{status}");
}

// invariant: graceful-shutdown
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_drains_is_not_ready_and_still_serves() {
    let folder = Folder::new();
    // Long enough for any machine; the process is killed at the end.
    let vars = [("SHOP_ADDR", "127.0.0.1:0"), ("SHOP_DRAIN_SECONDS", "300")];
    let (mut process, url, _) = serve(folder.path(), &vars);
    let idle = Client::new(&url);
    assert_eq!(idle.get("/readyz").await.header("connection"), None);
    terminate(&process);
    // Both on a connection that was idle and on a new one.
    for client in [idle, Client::new(&url)] {
        eventually("a process that drains", async || (client.get("/readyz").await.status == 503).then_some(())).await;
        let response = client.get("/api/config").await;
        assert_eq!((response.status, response.header("connection")), (200, Some("close")), "{response}");
    }
    assert!(process.0.try_wait().unwrap().is_none());
}

// invariant: graceful-shutdown
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_ends_after_its_drain_period() {
    let folder = Folder::new();
    let (mut process, _, _) = serve(folder.path(), &[("SHOP_ADDR", "127.0.0.1:0"), ("SHOP_DRAIN_SECONDS", "1")]);
    terminate(&process);
    let status = eventually("the process to end", async || process.0.try_wait().unwrap()).await;
    assert!(status.success(), "{status}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_start_finds_the_data_and_makes_no_second_password() {
    let folder = Folder::new();
    let vars = [("SHOP_ADDR", "127.0.0.1:0")];
    let (first, _, said) = serve(folder.path(), &vars);
    drop(first);
    let password = said.iter().find(|line| line.contains(ADMIN)).unwrap().split_whitespace().last().unwrap().to_owned();
    let (_second, url, said) = serve(folder.path(), &vars);
    assert!(!said.iter().any(|line| line.contains("password")), "{said:?}");
    let proof = crate::harness::proof(&Client::new(&url), "login").await;
    let body = serde_json::json!({ "username": ADMIN, "password": password, "recaptchaToken": proof });
    Client::new(&url).post("/api/auth/login", &body).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rates_and_delivery_times_in_shop_toml_and_variables_in_dot_env_are_taken() {
    let folder = Folder::new();
    let rates = "[shipping.us]\nfirst_pound = \"1.00\"\nadditional_pound = \"0.50\"\n\n[shipping.ca]\nfirst_pound = \"2.00\"\nadditional_pound = \"0.75\"\n\n[delivery]\nships_in = \"1\"\nca = \"7-14\"\n";
    std::fs::write(folder.path().join("shop.toml"), rates).unwrap();
    std::fs::write(folder.path().join(".env"), "SHOP_NAME=Lampshop\nSHOP_ADDR=127.0.0.1:1\n").unwrap();
    // Environment variables take precedence over `.env`.
    let (_process, url, _) = serve(folder.path(), &[("SHOP_ADDR", "127.0.0.1:0")]);
    let config = Client::new(&url).get("/api/config").await.gives(200);
    assert_eq!(config["shop_name"], "Lampshop");
    assert_eq!(config["shipping_rates"]["us"]["first_pound"], serde_json::json!(1.00));
    assert_eq!(config["shipping_rates"]["ca"]["additional_pound"], serde_json::json!(0.75));
    let transit = serde_json::json!({ "US": { "min": 3, "max": 5 }, "CA": { "min": 7, "max": 14 } });
    let delivery = serde_json::json!({ "handling": { "min": 1, "max": 1 }, "transit": transit, "cutoff_hour": 15 });
    assert_eq!(config["delivery"], delivery);
}

#[test]
fn rights_are_granted_from_the_command_line_to_accounts_that_exist() {
    let folder = Folder::new();
    let command = |arguments: &[&str]| {
        let mut command = binary(folder.path(), &[]);
        command.args(arguments);
        command
    };
    for step in ["migrate", "seed", "migrate", "seed"] {
        assert!(run_to_end(command(&[step])).status.success(), "{step}");
    }
    for verb in ["grant", "revoke"] {
        assert!(run_to_end(command(&["admin", verb, "customer@nudgelight.example"])).status.success());
        complaint(command(&["admin", verb, "nobody@example.com"]));
        let line = complaint(command(&["admin", verb, "nonsense"]));
        assert!(line.starts_with("error: email: "), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_port_that_is_taken_stops_the_start() {
    let shop = TestShop::open().await;
    let folder = Folder::new();
    let (taken, data_dir) = (shop.url().replace("http://", ""), folder.path().display().to_string());
    let error = refused(&[("SHOP_ADDR", &taken), ("SHOP_DATA_DIR", &data_dir), ("SHOP_DEMO", "1")]).await;
    assert!(error.contains("SHOP_ADDR"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_with_another_signing_key_does_not_join_the_shop() {
    let shop = TestShop::open().await;
    let folder = Folder::new();
    let key = folder.path().join("another.pem").display().to_string();
    let mut vars: Vec<(String, String)> = shop.vars().collect();
    vars.push(("SHOP_SIGNING_KEY".to_owned(), key));
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let error = refused(&vars).await;
    assert!(error.contains("SHOP_SIGNING_KEY"), "{error}");
}

// invariant: schema-migrations
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_of_one_shop_share_log_ins_and_stock() {
    let shop = TestShop::open().await;
    let config = Config::from_vars(shop.vars()).unwrap();
    let second = Running::start(config, shop.clock.clone()).await.unwrap();
    let there = Client::new(&format!("http://{}", second.addr));
    let ada = shop.customer().await;
    there.with_token(ada.access_token()).get("/api/auth/user").await.gives(200);
    let light = shop.light("Nudgelight Halo").await;
    ada.starts_payment(&[(&light, 3)]).await;
    assert_eq!(there.get("/api/products/nudgelight-halo").await.gives(200)["available"], serde_json::json!(1));
    second.stop().await;
}

// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outside_the_demo_nobody_is_there_before_the_first_customer() {
    let shop = TestShop::open_with(&NO_DEMO).await;
    assert_eq!(shop.visitor().get("/api/products").await.gives(200), serde_json::json!([]));
    shop.logs_in(ADMIN, PASSWORD).await.refuses(401, "BadCredentials");
    assert_eq!(shop.count("SELECT COUNT(*) FROM users").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_has_taken_real_money_is_not_opened_for_play() {
    let mut shop = TestShop::open().await;
    let now = shop.clock.now_ms();
    shop.inside()
        .platform
        .db
        .write((), move |tx, ()| {
            Box::pin(async move {
                server::db::shop_metadata::set(tx, server::db::shop_metadata::LIVE_PAYMENT, &now.to_string()).await
            })
        })
        .await
        .unwrap();
    let vars: Vec<(String, String)> = shop.vars().collect();
    shop.close().await;
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let error = refused(&vars).await;
    assert!(error.contains("STRIPE_SECRET_KEY"), "{error}");
}

async fn refused(vars: &[(&str, &str)]) -> String {
    let vars = vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let error = match Running::start(Config::from_vars(vars).unwrap(), Clock::default()).await {
        Ok(_) => panic!("the server started"),
        Err(error) => error,
    };
    assert!(!error.contains('\n'), "{error}");
    error
}
