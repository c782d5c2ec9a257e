//! Parameters, expansions, cursors and API versions.

use serde_json::json;

use super::{Account, read};

#[tokio::test]
async fn parameters_that_stripe_takes_are_taken() {
    let account = Account::open().await;
    let form = "amount=500&currency=usd&amount_details[tax][total_tax_amount]=5&payment_details[order_reference]=7\
        &excluded_payment_method_types[]=affirm&transfer_group=g&hooks[inputs][tax][calculation]=\
        &payment_method_options[card][request_three_d_secure]=any&radar_options[session]=r";
    let made = account.post("/v1/payment_intents", form).await;
    assert_eq!(made.status, 200, "{}", made.body);
    let path = format!("/v1/payment_intents/{}", made.body["id"].as_str().unwrap());
    let changed = account.post(&path, "payment_method_types[]=card&capture_method=automatic").await;
    assert_eq!(changed.status, 200, "{}", changed.body);
}

#[tokio::test]
async fn an_object_that_this_account_does_not_have_is_named() {
    let account = Account::open().await;
    for param in ["customer", "confirmation_token", "mandate", "on_behalf_of", "payment_method_configuration"] {
        let reply = account.post("/v1/payment_intents", &format!("amount=500&currency=usd&{param}=x_1")).await;
        let error = &reply.body["error"];
        assert_eq!((reply.status, &error["code"], &error["param"]), (400, &json!("resource_missing"), &json!(param)));
    }
}

#[tokio::test]
async fn what_stripe_expands_is_shown_whole() {
    let account = Account::open().await;
    let intent = account.paid(1000).await;
    account.post("/v1/refunds", &format!("payment_intent={}&amount=400", intent.id)).await;
    let path = format!(
        "/v1/payment_intents/{}?expand[]=latest_charge.balance_transaction&expand[]=customer\
         &expand[]=latest_charge.refunds.data.balance_transaction",
        intent.id
    );
    let charge = account.get(&path).await.body["latest_charge"].take();
    assert_eq!(
        (&charge["balance_transaction"]["net"], &charge["balance_transaction"]["fee"]),
        (&json!(941), &json!(59))
    );
    assert_eq!(charge["refunds"]["data"][0]["balance_transaction"]["net"], -400, "{charge}");
    let listed = account.get("/v1/charges?expand[]=data.payment_intent").await.body;
    assert_eq!(listed["data"][0]["payment_intent"]["id"], json!(intent.id), "{listed}");
    for wrong in ["amount", "data.latest_charge.nothing", "latest_charge"] {
        let reply = account.get(&format!("/v1/payment_intents?expand[]={wrong}")).await;
        assert_eq!(reply.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn a_list_is_read_backwards_from_its_end() {
    let account = Account::open().await;
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(account.intent_of(1000).await.id.to_string());
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let page = async |query: String| {
        let body = account.get(&format!("/v1/payment_intents?{query}")).await.body;
        let ids: Vec<String> =
            body["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
        (ids, body["has_more"] == true)
    };
    let (nearest, has_more) = page(format!("limit=2&ending_before={}", made[0])).await;
    assert_eq!((nearest, has_more), (vec![made[2].clone(), made[1].clone()], true));
    let (newest, has_more) = page(format!("limit=2&ending_before={}", made[2])).await;
    assert_eq!((newest, has_more), (vec![made[4].clone(), made[3].clone()], false));
    assert_eq!(page("ending_before=pi_nothing".to_owned()).await, (Vec::new(), false));
    assert_eq!(account.get("/v1/payment_intents?ending_before=a&starting_after=b").await.status, 400);
}

#[tokio::test]
async fn the_version_a_caller_speaks_is_told_back_and_a_wrong_one_refused() {
    let account = Account::open().await;
    let ask = async |version: &str| {
        let request = account.http.get(format!("{}/v1/refunds", account.base)).bearer_auth(&account.keys.secret_key);
        request.header("stripe-version", version).send().await.unwrap()
    };
    for version in ["2026-09-30.endive", "2020-08-27", "2026-08-26.dahlia; some_beta=v1"] {
        let response = ask(version).await;
        assert_eq!(
            (response.status().as_u16(), response.headers()["stripe-version"].to_str().unwrap()),
            (200, version)
        );
    }
    for version in ["latest", "2026-9-30", "2026-09-30.", "v1"] {
        let response = ask(version).await;
        assert_eq!(response.status(), 400, "{version}");
        let body: serde_json::Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
        assert_eq!(body["error"]["message"], format!("Invalid Stripe API version: {version}"));
    }
    let plain = account.http.get(format!("{}/v1/refunds", account.base)).bearer_auth(&account.keys.secret_key);
    assert_eq!(read(plain).await.status, 200);
}
