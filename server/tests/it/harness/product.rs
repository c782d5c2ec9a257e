//! Builder of new products. A test states the fields it is about; the others have a default.

use serde_json::{Value, json};

use super::{Light, Person};

/// A valid product: three units at $9.95 and 0.2 lb.
pub fn product() -> NewProduct {
    NewProduct(json!({ "name": "Nova", "description": "New.", "price": 9.95, "stock": 3, "weight_pounds": 0.2 }))
}

#[derive(Clone, Debug)]
pub struct NewProduct(Value);

impl NewProduct {
    pub fn name(self, name: impl Into<String>) -> Self {
        self.with("name", name.into())
    }

    pub fn description(self, description: impl Into<String>) -> Self {
        self.with("description", description.into())
    }

    /// In dollars.
    pub fn price(self, price: f64) -> Self {
        self.with("price", price)
    }

    pub fn stock(self, stock: i64) -> Self {
        self.with("stock", stock)
    }

    pub fn weight_pounds(self, weight: f64) -> Self {
        self.with("weight_pounds", weight)
    }

    /// A member with any value, also an invalid one.
    pub fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.0[member] = value.into();
        self
    }

    pub fn without(mut self, member: &str) -> Self {
        self.0.as_object_mut().unwrap().remove(member);
        self
    }

    /// The body of `POST /api/products`.
    pub fn json(self) -> Value {
        self.0
    }
}

impl Person {
    /// Adds a product, as an administrator.
    pub async fn adds(&self, product: NewProduct) -> Light {
        let response = self.post("/api/products", &product.json()).await;
        serde_json::from_value(response.gives(201)).unwrap()
    }
}
