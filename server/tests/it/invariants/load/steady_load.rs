//! Steady load of visitors and a customer, on keep-alive connections and without retries.

use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::harness::{ApiResponse, BareStripe, CUSTOMER, Client, Intent, Light, PASSWORD, Person};

const CATALOG: [&str; 5] = ["/", "/products", "/api/products", "/products/nudgelight-one", "/api/config"];
/// Longer than any response takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A response, or the request and why it has none.
pub type Reply = Result<ApiResponse, String>;

pub struct SteadyLoad {
    stopped: CancellationToken,
    tasks: JoinSet<Vec<Reply>>,
}

impl SteadyLoad {
    /// Begins to load the shop at this URL. A customer buys the light.
    pub async fn begin(url: &str, stripe: &BareStripe, light: &Light) -> Self {
        let mut load = Self { stopped: CancellationToken::new(), tasks: JoinSet::new() };
        for path in CATALOG {
            load.repeat(Client::new(url), Duration::from_millis(20), move |client| client.request("GET", path));
        }
        // The pauses are shorter and longer than the idle timeouts of the shop and of the proxies' connections to it.
        for pause in [20, 20, 1_000, 4_000, 4_900, 5_000, 5_100, 5_900, 6_000, 6_100, 9_000, 12_000] {
            load.repeat(Client::new(url), Duration::from_millis(pause), |client| {
                client.request("POST", "/api/pageviews").json(&json!({ "path": "/products" }))
            });
        }
        let log_in = json!({ "username": CUSTOMER, "password": PASSWORD, "recaptchaToken": "" });
        let tokens = Client::new(url).post("/api/auth/login", &log_in).await.gives(200);
        let customer = Client::new(url).with_token(tokens["accessToken"].as_str().unwrap());
        load.tasks.spawn(keep_buying(customer, stripe.clone(), light.clone(), load.stopped.clone()));
        load
    }

    /// All replies since the beginning, failed ones included.
    pub async fn end(self) -> Vec<Reply> {
        self.stopped.cancel();
        self.tasks.join_all().await.into_iter().flatten().collect()
    }

    fn repeat(
        &mut self,
        client: Client,
        pause: Duration,
        request: impl Fn(&Client) -> RequestBuilder + Send + 'static,
    ) {
        let stopped = self.stopped.clone();
        self.tasks.spawn(async move {
            let mut replies = Vec::new();
            while !stopped.is_cancelled() {
                replies.push(send(request(&client)).await);
                stopped.run_until_cancelled(sleep(pause)).await;
            }
            replies
        });
    }
}

/// Buys repeatedly. A failed quote skips the payment and the order.
async fn keep_buying(customer: Client, stripe: BareStripe, light: Light, stopped: CancellationToken) -> Vec<Reply> {
    let cart = Person::cart(&[(&light, 1)]);
    let mut replies = Vec::new();
    while !stopped.is_cancelled() {
        let quote = send(customer.request("POST", "/api/payments/create-intent").json(&cart)).await;
        let intent = quote.as_ref().ok().filter(|quote| quote.status == 200).map(|quote| Intent::of(quote.json()));
        replies.push(quote);
        if let Some(intent) = intent {
            stripe.takes(&intent.id);
            let body = json!({ "paymentIntentId": intent.id });
            replies.push(send(customer.request("POST", "/api/orders").json(&body)).await);
            replies.push(send(customer.request("GET", "/api/user/orders")).await);
        }
        sleep(Duration::from_millis(50)).await;
    }
    replies
}

async fn send(request: RequestBuilder) -> Reply {
    let (client, request) = request.timeout(TIMEOUT).build_split();
    let request = request.unwrap();
    let call = format!("{} {}", request.method(), request.url().path());
    let failed = |error: reqwest::Error| format!("{call}: {error:?}");
    let response = client.execute(request).await.map_err(failed)?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.map_err(failed)?;
    Ok(ApiResponse { call, status, headers, text })
}

/// Whether the shop itself rejected a request that needs the database, because the machine is too busy.
pub fn is_shed(reply: &ApiResponse) -> bool {
    let has_id = reply.header("x-request-id").is_some() && reply.header("retry-after").is_some();
    reply.status == 503 && has_id && !is_public(reply) && !reply.call.ends_with("/api/pageviews")
}

/// Whether this is the path of a public page or of the catalog, which are served from memory.
pub fn is_public(reply: &ApiResponse) -> bool {
    CATALOG.iter().any(|path| reply.call == format!("GET {path}"))
}
