//! A standby of PostgreSQL that is promoted by hand, behind HAProxy as in the guide.

use sqlx::{AnyConnection, Connection as _};

use super::super::invariant::assert_status_in;
use super::steady_load::{SteadyLoad, is_public};
use crate::harness::{BareStripe, Cluster, HAPROXY, Person, Proxy, TestShop, eventually, is_installed_or_skip};

const PROMOTIONS: usize = 2;

/// Whether three connections in a row lead to a server that accepts writes. HAProxy takes turns.
async fn leads_to_primary(url: &str) -> Option<()> {
    for _ in 0..3 {
        let mut connection = AnyConnection::connect(url).await.ok()?;
        let is_read_only: String =
            sqlx::query_scalar("SHOW transaction_read_only").fetch_one(&mut connection).await.ok()?;
        connection.close().await.ok()?;
        if is_read_only == "on" {
            return None;
        }
    }
    Some(())
}

// invariant: database-failover
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_a_standby_is_promoted_the_catalog_stays_and_everything_else_says_when_to_retry() {
    if !is_installed_or_skip(HAPROXY) {
        return;
    }
    let Some(mut primary) = Cluster::start() else { return };
    sqlx::any::install_default_drivers();
    primary.execute_sql("CREATE ROLE haproxy LOGIN").await;
    let mut standby = primary.standby();
    let proxy = Proxy::to_primary_of([&primary.address(), &standby.address()]);
    let url = primary.url_by(&proxy.address());
    eventually("a proxy that knows the primary", async || leads_to_primary(&url).await).await;

    let stripe = BareStripe::open().await;
    let shop = TestShop::open_with(&[&stripe.vars()[..], &[("DATABASE_URL", url.as_str())]].concat()).await;
    let light = shop.adds_light("Sold By Either", 1_000_000).await;
    // Without it, a request could meet the shop's idle timeout.
    let balancer = Proxy::haproxy_before_two([&shop.url(), &shop.url()]);
    let load = SteadyLoad::begin(&balancer.url(), &stripe, &light).await;
    let buyer = shop.customer().await;
    for _ in 0..PROMOTIONS {
        tokio::task::block_in_place(|| {
            primary.stops();
            standby.is_promoted();
        });
        eventually("a purchase", async || {
            let quote = buyer.asks_to_pay(&Person::cart(&[(&light, 1)])).await;
            assert_status_in(&quote, &[200, 503]);
            (quote.status == 200).then_some(())
        })
        .await;
        std::mem::swap(&mut primary, &mut standby);
        tokio::task::block_in_place(|| standby.replicates(&primary));
    }
    let replies = load.end().await;
    let (mut unavailable, count) = (0, replies.len());
    for reply in replies {
        let reply = reply.unwrap();
        if reply.status >= 300 {
            assert!(!is_public(&reply), "{reply}");
            assert_status_in(&reply, &[503]);
            assert!(reply.header("retry-after").is_some(), "{reply}");
            unavailable += 1;
        }
    }
    println!("{PROMOTIONS} promotions: {count} requests, {unavailable} of them 503 with Retry-After");
    shop.audit().await;
}
