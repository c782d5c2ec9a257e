//! Purchases of several processes whose database is some distance away.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::databases::audit;
use crate::delay;
use crate::row::{Figure, Row, Target};
use crate::{Bench, Measurement};
use bench::purchase::{Cart, Customer, add_light, add_lights, throughput};
use xtask::postgres::{self, Cluster};
use xtask::process::{Failure, must_succeed};
use xtask::shop::{PASSWORD, Shop};

pub const MEASUREMENT: Measurement = Measurement {
    name: "network",
    title: "Orders over a network",
    how: "Purchases per second of 24 concurrent customers, each with an account, of 1 and 3 processes with one \
        PostgreSQL, durable writes, and the mock Stripe in each process. A TCP proxy adds the round trip to the \
        database. The customers buy one product, or a hundred different ones. Database, proxy, processes and customers \
        share this machine, so its processor is the limit where nothing waits. The reference is an earlier build, \
        measured right before (`--before PROGRAM`). A purchase that a server is too busy for doesn't count. Medians of \
        three rounds of three seconds. At the end the customers race for the last hundred lights at eight processes, and \
        `nudgelight audit` must find nothing.",
    run,
};

const ROUND_TRIPS: [(&str, Duration); 4] = [
    ("0 ms", Duration::ZERO),
    ("0.5 ms", Duration::from_micros(500)),
    ("1 ms", Duration::from_millis(1)),
    ("2 ms", Duration::from_millis(2)),
];
const PROCESSES: [usize; 2] = [1, 3];
const PRODUCTS: usize = 100;
const CUSTOMERS: usize = 24;
const ROUND: Duration = Duration::from_secs(3);
const ROUNDS: usize = 3;
/// How many processes race for the last lights, how far from the database, and how many lights there are.
const RACE: (usize, Duration, u64) = (8, Duration::from_millis(1), 100);
const SEED: [&str; 5] = ["seed", "--orders", "1", "--customers", "24"];

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    if let Some(reason) = postgres::PROGRAMS.missing() {
        println!("skipped: {reason}");
        return Ok(Vec::new());
    }
    let cluster = Cluster::start(postgres::Purpose::Benchmarks)?;
    let ours = Build::prepare(bench, &cluster, "ours", bench.server())?;
    let before = bench.before.map(|program| Build::prepare(bench, &cluster, "before", program.to_owned()));
    let before = before.transpose()?;
    let mut rows = Vec::new();
    for (distance, round_trip) in ROUND_TRIPS {
        for processes in PROCESSES {
            let earlier = before.as_ref().map(|build| build.measure(bench, processes, round_trip)).transpose()?;
            let own = ours.measure(bench, processes, round_trip)?;
            for (place, products) in ["one product", "a hundred products"].into_iter().enumerate() {
                let metric =
                    format!("{distance}, {processes} processes, {products}").replace("1 processes", "1 process");
                let at = |figures: &[u64; 2]| Figure::PerSecond(figures.get(place).copied().unwrap_or_default());
                println!(
                    "{metric}: {}, before: {:?}",
                    at(&own),
                    earlier.as_ref().map(|figures| at(figures).to_string())
                );
                rows.push(match &earlier {
                    Some(earlier) => {
                        Row::with_reference(metric, at(&own), ("before", at(earlier)), target(distance, processes))
                    }
                    None => Row::without_reference(metric, at(&own), Target::Open),
                });
            }
        }
    }
    rows.push(ours.race(bench)?);
    Ok(rows)
}

fn target(distance: &str, processes: usize) -> Target {
    if distance == "1 ms" && processes == 3 { Target::AtLeast(200) } else { Target::Open }
}

/// A build of the server with a database of its own.
struct Build {
    name: &'static str,
    program: PathBuf,
    data: PathBuf,
    server: String,
    customers: Vec<Customer>,
    carts: Vec<Cart>,
}

impl Build {
    fn prepare(bench: &Bench, cluster: &Cluster, name: &'static str, program: PathBuf) -> Result<Self, Failure> {
        cluster.sql("postgres", &format!("CREATE DATABASE {name}"))?;
        let data = bench.workspace.target.join("xtask").join(format!("bench-network-{name}-{}", std::process::id()));
        fs::create_dir_all(&data).map_err(|error| Failure::new(format!("{}: {error}", data.display())))?;
        let mut build =
            Self { name, program, data, server: cluster.address(), customers: Vec::new(), carts: Vec::new() };
        let mut seed = Command::new(&build.program);
        seed.args(SEED).current_dir(&build.data).env("SHOP_DATA_DIR", &build.data).env("SHOP_DEMO", "1");
        must_succeed(seed.env("SHOP_DEMO_PASSWORD", PASSWORD).env("DATABASE_URL", build.url(&build.server)))?;
        // Sample customers have no known password.
        cluster.sql(
            name,
            "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email = 'customer@nudgelight.example') \
             WHERE email LIKE '%@example.com'",
        )?;
        let emails = cluster.sql(name, "SELECT email FROM users WHERE email LIKE '%@example.com' ORDER BY email")?;
        let shop = build.start(bench, 0, &build.server)?;
        build.carts = add_lights(&shop.url, PRODUCTS)?;
        build.customers = emails.lines().map(|email| Customer::log_in(&shop.url, email)).collect::<Result<_, _>>()?;
        Ok(build)
    }

    fn url(&self, server: &str) -> String {
        format!("postgres://postgres@{server}/{}", self.name)
    }

    fn start(&self, bench: &Bench, number: usize, server: &str) -> Result<Shop, Failure> {
        let (url, data) = (self.url(server), self.data.to_string_lossy());
        let settings = [
            ("SHOP_RATE_LIMITS", "off"),
            ("SHOP_BOT_CHECK", "off"),
            ("RUST_LOG", "error"),
            ("DATABASE_URL", &url),
            ("SHOP_DATA_DIR", &data),
        ];
        Shop::open(&self.program, bench.workspace, &format!("bench-network-{}-{number}", self.name), &settings)
    }

    /// Purchases per second of one product and of a hundred.
    fn measure(&self, bench: &Bench, processes: usize, round_trip: Duration) -> Result<[u64; 2], Failure> {
        let server = delay::proxy(self.server.clone(), round_trip)?.to_string();
        let shops = (0..processes).map(|number| self.start(bench, number, &server)).collect::<Result<Vec<_>, _>>()?;
        Ok([self.median(&shops, 1)?, self.median(&shops, PRODUCTS)?])
    }

    /// The customers buy until no light is left, which is not one too many. An error if the audit finds something.
    fn race(&self, bench: &Bench) -> Result<Row, Failure> {
        let (processes, round_trip, stock) = RACE;
        let server = delay::proxy(self.server.clone(), round_trip)?.to_string();
        let shops = (0..processes).map(|number| self.start(bench, number, &server)).collect::<Result<Vec<_>, _>>()?;
        let (Some(first), buyers) = (shops.first(), self.customers.iter().zip(shops.iter().cycle())) else {
            return Err(Failure::new("no process"));
        };
        let cart = add_light(&first.url, "Last Lights", stock)?;
        // Reservations that a purchase has given up end in time; until then its light is not for sale.
        let tries = &|(customer, shop): (&Customer, &Shop)| {
            let bought = (0..stock).map(|_| customer.buys(&shop.url, &cart));
            bought.filter(|bought| matches!(bought, Ok(true))).count()
        };
        let sold: usize = thread::scope(|scope| {
            let buying: Vec<_> = buyers.map(|one| scope.spawn(move || tries(one))).collect();
            buying.into_iter().map(|one| one.join().unwrap_or_default()).sum()
        });
        drop(shops);
        if sold == 0 {
            return Err(Failure::new("no light was sold in the race"));
        }
        audit(&self.program, &self.data, &self.url(&self.server))?;
        let metric = format!("1 ms, {processes} processes: sold of the last {stock} lights");
        let sold = u64::try_from(sold).unwrap_or(u64::MAX);
        Ok(Row::without_reference(metric, Figure::Count(sold), Target::NoMoreThan(Figure::Count(stock))))
    }

    fn median(&self, shops: &[Shop], products: usize) -> Result<u64, Failure> {
        let buy = |buyer: usize, purchase: usize| {
            let shop = shops.iter().cycle().nth(buyer);
            let cart = self.carts.get((buyer * PRODUCTS / CUSTOMERS + purchase) % products);
            match (shop, self.customers.get(buyer), cart) {
                (Some(shop), Some(customer), Some(cart)) => customer.buys(&shop.url, cart),
                _ => Err(Failure::new("too few customers or carts")),
            }
        };
        let rounds = (0..ROUNDS).map(|_| throughput(CUSTOMERS, ROUND, buy));
        let mut rounds = rounds.collect::<Result<Vec<u64>, Failure>>()?;
        rounds.sort_unstable();
        Ok(rounds.get(ROUNDS / 2).copied().unwrap_or_default())
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        // Leftovers only take disk space in the target folder.
        let _ = fs::remove_dir_all(Path::new(&self.data));
    }
}
