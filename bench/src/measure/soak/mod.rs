//! Hours of ordinary use: does anything grow that should not?

mod clock_events;
mod load;
mod sample;
mod slope;

use std::thread;
use std::time::{Duration, Instant};

use self::load::Load;
use self::sample::{Sample, Sampler};
use self::slope::Slope;
use crate::databases::Database;
use crate::row::{Figure, Row, Target};
use crate::{Bench, Measurement};
use bench::purchase::add_lights;
use xtask::process::Failure;

pub const MEASUREMENT: Measurement = Measurement {
    name: "soak",
    title: "Soak",
    how: "An hour (`--minutes`) of ordinary use on each database, both at the same time: a purchase a second, ten pages \
        or JSON documents a second, and an administrator's search every five seconds. Every ten seconds a sample of the \
        process. A figure is the slope of the least-squares line after the first sixth of the time, as growth per hour, \
        with its 95 % confidence interval; a target is met if the interval reaches below it. Afterwards the shop \
        starts a few seconds before each clock event of a year (`libfaketime`), sells before and after it, returns to \
        the present, sells again, and `nudgelight audit` must find nothing.",
    run,
};

const INTERVAL: Duration = Duration::from_secs(10);
const MINUTE: Duration = Duration::from_secs(60);

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    clock_events::prepare()?;
    let databases = Database::all()?;
    thread::scope(|scope| {
        let soaking: Vec<_> = databases.iter().map(|database| scope.spawn(move || soak(bench, database))).collect();
        let ended = soaking.into_iter().map(|one| one.join());
        let rows = ended.map(|one| one.unwrap_or_else(|_| Err(Failure::new("a soak's thread panicked"))));
        Ok(rows.collect::<Result<Vec<_>, Failure>>()?.into_iter().flatten().collect())
    })
}

fn soak(bench: &Bench, database: &Database) -> Result<Vec<Row>, Failure> {
    let served = database.seeded(bench, "soak", &["--orders", "1"], &[clock_events::ZONE])?;
    let sampler = Sampler::new(&served, database);
    let cart = add_lights(&served.shop.url, 1)?.remove(0);
    let load = Load::start(&served.shop.url, cart.clone());
    let samples = watch(bench, database.name, &sampler, &load)?;
    let failed = load.stop();
    let mut rows = rows(database.name, &samples);
    rows.push(count(database.name, "failed requests and purchases", failed));
    let closed = served.close();
    let missed = clock_events::run(bench, database, &closed, &cart)?;
    rows.push(count(database.name, &format!("failed sales around {} clock events", clock_events::COUNT), missed));
    Ok(rows)
}

/// A sample at each interval. Prints one a minute.
fn watch(bench: &Bench, name: &str, sampler: &Sampler, load: &Load) -> Result<Vec<Sample>, Failure> {
    let (began, mut samples, mut printed) = (Instant::now(), Vec::new(), Duration::ZERO);
    while began.elapsed() < bench.soak {
        thread::sleep(INTERVAL);
        let sample = sampler.take(began.elapsed(), load)?;
        if began.elapsed() >= printed + MINUTE {
            printed = began.elapsed();
            println!("{name}, minute {}: {sample}", printed.as_secs() / 60);
        }
        samples.push(sample);
    }
    let warm = samples.len() / 6;
    Ok(samples.split_off(warm))
}

/// What is sampled, its unit, and the growth per hour that is tolerated.
type Series = (&'static str, &'static str, fn(&Sample) -> u64, Option<i64>);

const SERIES: [Series; 7] = [
    ("memory (RSS)", "kB", |sample| sample.memory, Some(2_000)),
    ("open files", "files", |sample| sample.files, Some(1)),
    ("threads", "threads", |sample| sample.threads, Some(1)),
    ("median of a purchase", "µs", |sample| sample.purchase, Some(1_000)),
    ("median of a page", "µs", |sample| sample.page, Some(500)),
    ("log", "bytes", |sample| sample.log, None),
    ("database", "bytes", |sample| sample.database, None),
];

fn rows(database: &str, samples: &[Sample]) -> Vec<Row> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Vec::new() };
    let mut rows: Vec<Row> = SERIES.iter().map(|series| growth(database, series, samples)).collect();
    let per_order = |amount: fn(&Sample) -> u64| {
        let bytes = amount(last).saturating_sub(amount(first));
        Figure::Bytes(bytes.checked_div(last.orders - first.orders).unwrap_or_default())
    };
    rows.push(Row::without_reference(
        format!("{database}: database, per order, with the mock Stripe's tables"),
        per_order(|sample| sample.database),
        Target::Open,
    ));
    rows.push(Row::without_reference(
        format!("{database}: log, per order with its page views"),
        per_order(|sample| sample.log),
        Target::Open,
    ));
    rows
}

fn growth(database: &str, (name, unit, value, most): &Series, samples: &[Sample]) -> Row {
    let points: Vec<_> = samples.iter().map(|sample| (sample.second, value(sample))).collect();
    let end = points.last().map_or(0, |(_, last)| *last);
    let slope = Slope::of(&points).unwrap_or_default();
    let figure = |per_hour, margin| Figure::Growth { per_hour, margin, unit };
    Row::without_reference(
        format!("{database}: {name}, at the end {end} {unit}"),
        figure(slope.per_hour, slope.margin),
        most.map_or(Target::Open, |most| Target::NoMoreThan(figure(most, 0))),
    )
}

fn count(database: &str, what: &str, number: u64) -> Row {
    Row::without_reference(format!("{database}: {what}"), Figure::Count(number), Target::NoMoreThan(Figure::Count(0)))
}
