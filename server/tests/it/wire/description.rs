//! OpenAPI document: lists exactly the router's endpoints, and matches their behavior.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use super::table::{Who, calls};
use crate::architecture::source_files;
use crate::harness::{ApiResponse, Person, TestShop};

const METHODS: [&str; 5] = ["DELETE", "GET", "PATCH", "POST", "PUT"];

/// Every operation of the document: method, path and description.
pub fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            found.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    found
}

pub async fn document(shop: &TestShop) -> Value {
    shop.visitor().get("/openapi.json").await.gives(200)
}

// invariant: openapi-completeness
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_path_takes_exactly_the_methods_that_are_described() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    let described: BTreeSet<(String, String)> =
        operations(&document).into_iter().map(|(method, path, _)| (method, path)).collect();
    for path in document["paths"].as_object().unwrap().keys() {
        // A placeholder that exists nowhere: the router rejects a method (405) before it looks the resource up (404).
        let called: String =
            path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect::<Vec<_>>().join("/");
        for method in METHODS {
            let answer = shop.visitor().send(shop.visitor().request(method, &called)).await;
            let is_described = described.contains(&(method.to_owned(), path.clone()));
            assert_eq!(answer.status != 405, is_described, "{answer}");
        }
    }
}

/// Endpoints must be added with `routes!`, which also adds them to the document.
// invariant: openapi-completeness
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_is_described_and_nothing_more() {
    let shop = TestShop::open().await;
    let mut handlers = 0;
    for file in source_files() {
        for way in [".route(", ".route_service(", ".nest_service("] {
            assert!(!file.code.contains(way), "{}: {way}", file.path);
        }
        for list in file.code.split("routes!(").skip(1) {
            handlers += list.split(')').next().unwrap().split(',').filter(|name| !name.trim().is_empty()).count();
        }
    }
    assert_eq!(operations(&document(&shop).await).len(), handlers);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_call_is_described_as_it_is() {
    let (shop, _, _, table) = calls().await;
    let operations = operations(&document(&shop).await);
    for call in &table {
        let is_it = |method: &str, path: &str| (method, path) == (call.method, call.route);
        let (_, _, operation) = operations.iter().find(|(method, path, _)| is_it(method, path)).unwrap();
        let ways = operation["security"].as_array().cloned().unwrap_or_default();
        let ways: Vec<_> = ways.iter().map(|way| way.as_object().unwrap()).collect();
        // Metrics have their own token, which belongs to no account.
        let needs_account = ways.iter().any(|way| way.contains_key("accessToken"));
        let is_open = !needs_account || ways.iter().any(|way| way.is_empty());
        let statuses = operation["responses"].as_object().unwrap();
        assert_eq!(is_open, call.who == Who::Everybody, "{} {}", call.method, call.route);
        if call.who != Who::Everybody {
            assert!(statuses.contains_key("401"), "{} {}", call.method, call.route);
        }
        if call.who == Who::Admin {
            assert!(statuses.contains_key("403"), "{} {}", call.method, call.route);
        }
        let has_json_body = operation["requestBody"]["content"].get("application/json").is_some();
        assert_eq!(call.body.is_some(), has_json_body && call.route != "/api/webhooks/stripe", "{}", call.route);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_name_in_the_description_is_explained_in_it() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let text = document.to_string();
    let known = document["components"]["schemas"].as_object().unwrap();
    let named: BTreeSet<&str> =
        text.split("\"#/components/schemas/").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let unknown: Vec<_> = named.iter().filter(|name| !known.contains_key(**name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");

    let mut ids = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap().to_owned();
        assert!(ids.insert(id), "{method} {path} has another call's id");
        assert!(operation["summary"].as_str().is_some_and(|text| !text.is_empty()), "{method} {path}");
        for security in operation["security"].as_array().into_iter().flatten() {
            for scheme in security.as_object().unwrap().keys() {
                assert!(document["components"]["securitySchemes"][scheme].is_object(), "{method} {path}: {scheme}");
            }
        }
    }
}

// invariant: object-level-authorization
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn customers_get_no_member_of_the_administrators() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    let schemas = &document["components"]["schemas"];
    for (admins, customers) in [("AdminOrder", "Order"), ("AdminOrderListItem", "OrderListItem")] {
        let [customers_order, own] = schemas[admins]["allOf"].as_array().unwrap().as_slice() else {
            panic!("{}", schemas[admins]);
        };
        assert_eq!(customers_order["$ref"], format!("#/components/schemas/{customers}"));
        let members = schemas[customers]["properties"].as_object().unwrap();
        let own: Vec<&String> = own["properties"].as_object().unwrap().keys().collect();
        assert!(own.contains(&&"user_email".to_owned()), "{own:?}");
        assert!(own.iter().all(|member| !members.contains_key(*member)), "{own:?} in {customers}");
    }
    for (method, path, operation) in operations(&document).iter().filter(|(_, path, _)| !path.contains("/admin/")) {
        assert!(!operation.to_string().contains("schemas/AdminOrder"), "{method} {path}");
    }
}

// Generated clients take function names from operation ids, and documentation from summaries and descriptions.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operation_is_documented_for_generated_clients() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    let tags = document["tags"].as_array().unwrap();
    assert!(tags.iter().all(|tag| !tag["description"].as_str().unwrap().is_empty()), "{tags:?}");
    for (method, path, operation) in operations(&document) {
        let text = |member: &str| operation[member].as_str().unwrap_or_default();
        let id = text("operationId");
        assert!(id.starts_with(|first: char| first.is_ascii_lowercase()), "{method} {path}: {id}");
        assert!(id.chars().all(|character| character.is_ascii_alphanumeric()), "{method} {path}: {id}");
        let summary = text("summary");
        assert!(summary.len() <= 60 && !summary.ends_with('.'), "{method} {path}: {summary}");
        assert!(text("description").ends_with('.'), "{method} {path}: {}", text("description"));
        // Markdown reads a line that begins with a number and a period as a list item.
        let is_list_item = |line: &str| line.split_once('.').is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        assert!(!text("description").lines().any(is_list_item), "{method} {path}: {}", text("description"));
        assert!(tags.iter().any(|tag| tag["name"] == operation["tags"][0]), "{method} {path}: {}", operation["tags"]);
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let about = parameter["description"].as_str().unwrap_or_default().replace('\n', " ");
            let is_filter = parameter["in"] == "query"
                && parameter["required"] == false
                && parameter["schema"].get("default").is_none();
            assert_eq!(parameter["example"].is_null(), is_filter, "{method} {path}: {parameter}");
            assert!(!about.is_empty() && about.contains("For example:") == is_filter, "{method} {path}: {parameter}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_api_reference_loads_nothing_from_elsewhere() {
    let shop = TestShop::open().await;
    let page = shop.visitor().get("/docs").await;
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy").unwrap();
    for directive in ["default-src 'none'", "script-src 'self';", "connect-src 'self';", "frame-ancestors 'none'"] {
        assert!(policy.contains(directive), "{policy}");
    }
    assert!(!policy.contains("eval") && !policy.contains("http"), "{policy}");
    assert!(page.text.contains("<noscript>") && page.text.contains("href=\"/openapi.json\""), "{}", page.text);

    let assets: Vec<&str> =
        page.text.split('"').filter(|text| text.ends_with(".js") || text.ends_with(".css")).collect();
    assert!(assets.len() >= 2, "{}", page.text);
    for path in assets {
        assert!(path.starts_with("/assets/"), "{path}");
        let asset = shop.visitor().get(path).await;
        assert_eq!(asset.status, 200, "{path}");
        assert!(asset.header("cache-control").unwrap().contains("immutable"), "{path}: {:?}", asset.headers);
    }
    // The page is not an asset: only at its own path it has its policy.
    assert_eq!(shop.visitor().get("/docs.html").await.status, 404);

    let etag = page.header("etag").unwrap();
    let request = shop.visitor().request("GET", "/docs").header("if-none-match", etag);
    assert_eq!(shop.visitor().send(request).await.status, 304);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_prints_what_the_server_gives_whatever_is_configured() {
    let shop = TestShop::open().await;
    let printed =
        Command::new(env!("CARGO_BIN_EXE_nudgelight")).arg("openapi").env("SHOP_ADDR", "nowhere").output().unwrap();
    assert!(printed.status.success());
    let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(printed, document(&shop).await);
}

/// Collects every value with this name, together with its path in the document.
fn collect_values<'a>(name: &str, value: &'a Value, place: &str, found: &mut Vec<(String, &'a Value)>) {
    let members: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(values) => values.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (member, value) in members {
        let place = format!("{place}/{member}");
        if member == name {
            found.push((place.clone(), value));
        }
        collect_values(name, value, &place, found);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn descriptions_are_for_readers_of_any_language() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    let mut texts = Vec::new();
    collect_values("description", &document, "", &mut texts);
    collect_values("summary", &document, "", &mut texts);
    let texts: Vec<_> = texts.into_iter().filter_map(|(place, text)| Some((place, text.as_str()?))).collect();
    assert!(texts.len() > 100, "{}", texts.len());
    for (place, text) in texts {
        // Rust code examples and links that only rustdoc resolves.
        for pattern in ["```", "[`", "](", "::", "assert", "Vec<"] {
            assert!(!text.contains(pattern), "{place}: {text}");
        }
    }
}

/// Members and parameters that are not in `snake_case`: the specification fixes the first ones, others the rest.
const OTHER_NAMES: [&str; 22] = [
    "accessToken",
    "confirmationCode",
    "endDate",
    "orderId",
    "paymentIntent",
    "paymentIntentId",
    "previousPassword",
    "proposedPassword",
    "recaptchaToken",
    "refreshToken",
    "shippingAddress",
    "shippingCost",
    "startDate",
    "taxCalculation",
    "totalPages",
    // The user information of the specification.
    "Name",
    "UserAttributes",
    "Username",
    "Value",
    // Countries.
    "CA",
    "US",
    // Stripe's header.
    "stripe-signature",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_and_parameters_are_in_snake_case_but_for_the_names_that_others_fix() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    let (mut members, mut parameters, mut examples) = (Vec::new(), Vec::new(), Vec::new());
    collect_values("properties", &document, "", &mut members);
    collect_values("parameters", &document, "", &mut parameters);
    collect_values("example", &document, "", &mut examples);
    collect_values("examples", &document, "", &mut examples);
    let mut names: BTreeSet<String> =
        members.iter().filter_map(|(_, schema)| schema.as_object()).flat_map(|schema| schema.keys().cloned()).collect();
    names.extend(
        parameters
            .iter()
            .filter_map(|(_, list)| list.as_array())
            .flatten()
            .map(|parameter| parameter["name"].as_str().unwrap().to_owned()),
    );
    examples.iter().for_each(|(_, example)| collect_names(example, &mut names));
    assert!(names.len() > 200, "{}", names.len());
    let snake_case = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.chars().all(|character| matches!(character, 'a'..='z' | '0'..='9' | '_'))
    };
    let others: BTreeSet<&str> = names.iter().map(String::as_str).filter(|name| !snake_case(name)).collect();
    assert_eq!(others, BTreeSet::from(OTHER_NAMES));
}

/// The names of all members of a value.
fn collect_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            names.extend(members.keys().cloned());
            members.values().for_each(|member| collect_names(member, names));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_names(value, names)),
        _ => {}
    }
}

// `multipleOf` is unusable: validators compute it with floats, so 19.98 passes and 19.99 does not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_decimals_are_described_in_words_and_by_examples() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    assert!(!document.to_string().contains("multipleOf"));
    let schemas = &document["components"]["schemas"];
    let (input, patch) = (&schemas["ProductInput"]["properties"], &schemas["ProductPatch"]["properties"]);
    let of_product = [&input["price"], &input["weight_pounds"], &patch["price"], &patch["weight_pounds"]];
    for schema in [&schemas["Money"], &schemas["Weight"]].into_iter().chain(of_product) {
        assert!(schema["description"].as_str().unwrap().contains("at most two decimals"), "{schema}");
        assert!(!schema["examples"].as_array().unwrap().is_empty(), "{schema}");
    }
}

/// The variant of `Error` for this code. Exactly one must exist.
fn described_error<'a>(document: &'a Value, code: &str) -> &'a Value {
    let schemas = &document["components"]["schemas"];
    let alternatives = schemas["Error"]["oneOf"].as_array().unwrap();
    let alternatives =
        alternatives.iter().map(|one| &schemas[one["$ref"].as_str().unwrap().rsplit('/').next().unwrap()]);
    let mut of_code = alternatives.filter(|one| {
        let codes = one["properties"]["code"]["enum"].as_array().unwrap();
        codes.iter().any(|known| known == code)
    });
    let found = of_code.next().unwrap();
    assert!(of_code.next().is_none(), "{code} is described twice");
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_code_of_an_error_has_its_details_described() {
    let shop = TestShop::open().await;
    let document = document(&shop).await;
    let schemas = &document["components"]["schemas"];
    let codes = schemas["ErrorCode"]["enum"].as_array().unwrap();
    for code in codes {
        let code = code.as_str().unwrap();
        let error = described_error(&document, code);
        let mapping = &schemas["Error"]["discriminator"]["mapping"][code];
        assert_eq!(&schemas[mapping.as_str().unwrap().rsplit('/').next().unwrap()], error, "{code}");
        let has_details = matches!(code, "InsufficientStockError" | "EditConflict" | "IntentExpired");
        assert_eq!(error["properties"]["details"].is_object(), has_details, "{code}");
    }
    let details = |answer: &ApiResponse, code: &str| -> (Value, Vec<String>) {
        let given = answer.refuses(409, code)["details"].clone();
        let reference = &described_error(&document, code)["properties"]["details"];
        let name = reference["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        let described = schemas[name]["properties"].as_object().unwrap();
        (given, described.keys().cloned().collect())
    };

    let (ada, admin) = (shop.customer().await, shop.admin().await);
    let (halo, stripe) = (shop.light("Nudgelight Halo").await, shop.stripe().await);
    let short = ada.asks_to_pay(&Person::cart(&[(&halo, 5)])).await;
    let (given, described) = details(&short, "InsufficientStockError");
    assert_eq!(given.as_object().unwrap().keys().collect::<Vec<_>>(), described.iter().collect::<Vec<_>>());

    let order = ada.buys(&stripe, &halo, 1).await;
    for path in [format!("/api/products/{}", halo.id), format!("/api/admin/order/{order}")] {
        let conflict = admin.patch(&path, &json!({ "version": 99 })).await;
        let (given, described) = details(&conflict, "EditConflict");
        assert_eq!(described, ["current"]);
        assert!(given["current"]["version"].is_i64(), "{given}");
    }
}

// Length limits of account endpoints are documented, and values outside of them are rejected.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_text_for_an_account_has_its_bounds() {
    let (shop, customer, _, table) = calls().await;
    let document = document(&shop).await;
    let mut texts = 0;
    for call in table.iter().filter(|call| call.route.starts_with("/api/auth/") || call.route.contains("password")) {
        let Some(body) = &call.body else { continue };
        let operation = &document["paths"][call.route][call.method.to_lowercase()];
        let schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
        let schema = &document["components"]["schemas"][schema.rsplit('/').next().unwrap()];
        for (name, schema) in schema["properties"].as_object().unwrap() {
            // CAPTCHA tokens and responses of authenticators are opaque, so their length is unknown.
            if name == "recaptchaToken" || name == "credential" {
                continue;
            }
            texts += 1;
            let is_bounded = schema["minLength"].as_i64() >= Some(1) && schema["maxLength"].is_i64();
            assert!(is_bounded || schema["pattern"].is_string(), "{} {name}: {schema}", call.route);
            if body.get(name).is_none() {
                continue;
            }
            let client = if call.who == Who::Everybody { &shop.visitor() } else { &*customer };
            let mut empty = body.clone();
            empty[name] = json!("");
            let answer = client.send_json(call.method, &call.path, empty.to_string()).await;
            assert_eq!(answer.status, 400, "{name}: {answer}");
            let mut long = body.clone();
            long[name] = json!("1".repeat(usize::try_from(schema["maxLength"].as_u64().unwrap_or(6)).unwrap() + 1));
            let answer = client.send_json(call.method, &call.path, long.to_string()).await;
            assert!((400..500).contains(&answer.status) || name == "refreshToken", "{name}: {answer}");
        }
    }
    assert!(texts >= 14, "{texts}");
}
