//! Accounts in tests: sign-up, email confirmation and login.

use std::ops::Deref;

use serde_json::{Value, json};

use super::{ADMIN, CUSTOMER, Client, Mail, PASSWORD, TestShop, proof};

/// A logged-in user. Its requests carry the access token.
#[derive(Clone)]
pub struct Person {
    client: Client,
    pub refresh_token: String,
}

impl Deref for Person {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Person {
    /// Reads the tokens from a login or refresh response.
    pub fn of(client: &Client, tokens: &Value) -> Self {
        let text = |name: &str| tokens[name].as_str().unwrap().to_owned();
        Self { client: client.with_token(&text("accessToken")), refresh_token: text("refreshToken") }
    }

    pub async fn is_logged_in(&self) -> bool {
        self.get("/api/auth/user").await.status == 200
    }
}

impl TestShop {
    pub async fn customer(&self) -> Person {
        self.logged_in(CUSTOMER, PASSWORD).await
    }

    pub async fn admin(&self) -> Person {
        self.logged_in(ADMIN, PASSWORD).await
    }

    /// A new customer, created with the full sequence: sign-up, confirmation code, login.
    pub async fn new_customer(&self, email: &str) -> Person {
        // The address may have got codes before.
        let seen: Vec<String> = self.mails_to(email).iter().filter_map(Mail::code).collect();
        self.signs_up(email).await;
        let code = self.code_for(email, &seen.iter().map(String::as_str).collect::<Vec<_>>()).await;
        self.confirms(email, &code).await;
        self.logged_in(email, PASSWORD).await
    }

    /// Creates `count` customers in batches of four. Larger batches would time out waiting for password hashing.
    pub async fn new_customers(&self, count: usize) -> Vec<Person> {
        let mut people = Vec::with_capacity(count);
        while people.len() < count {
            let next = people.len()..count.min(people.len() + 4);
            let come = next.map(async |number| self.new_customer(&format!("buyer{number}@example.com")).await);
            people.extend(futures_util::future::join_all(come).await);
        }
        people
    }

    pub async fn signs_up(&self, email: &str) {
        let visitor = self.visitor();
        let body = json!({
            "email": email, "password": PASSWORD, "recaptchaToken": self.bot_check("signup").await,
        });
        visitor.post("/api/auth/signup", &body).await.gives(201);
    }

    pub async fn confirms(&self, email: &str, code: &str) {
        let body = json!({ "username": email, "code": code });
        self.visitor().post("/api/auth/confirm-email", &body).await.gives(200);
    }

    pub async fn logged_in(&self, email: &str, password: &str) -> Person {
        let response = self.logs_in(email, password).await;
        Person::of(&self.visitor(), &response.gives(200))
    }

    /// One login attempt. Solves the bot check if the shop requires it.
    pub async fn logs_in(&self, email: &str, password: &str) -> super::ApiResponse {
        let body = json!({
            "username": email, "password": password, "recaptchaToken": self.bot_check("login").await,
        });
        self.visitor().post("/api/auth/login", &body).await
    }

    async fn bot_check(&self, action: &str) -> Value {
        let visitor = self.visitor();
        match visitor.get("/api/config").await.gives(200)["bot_check"]["kind"].as_str() {
            Some("pow") => proof(&visitor, action).await,
            _ => Value::Null,
        }
    }
}
