//! One entry of the journal, and its text.

use wasm_core::money::Cents;

pub struct Entry {
    /// In milliseconds, for the order of the entries.
    pub at: i64,
    order_number: Option<i64>,
    title: String,
    postings: Vec<(String, Cents)>,
}

impl Entry {
    pub fn new(at: i64, order_number: Option<i64>, title: &str) -> Self {
        Self { at, order_number, title: title.to_owned(), postings: Vec::new() }
    }

    /// Adds a posting, unless it is zero.
    pub fn add(&mut self, account: &str, amount: Cents) {
        if amount != Cents::ZERO {
            self.postings.push((account.to_owned(), amount));
        }
    }

    pub fn accounts(&self) -> impl Iterator<Item = &str> {
        self.postings.iter().map(|(account, _)| account.as_str())
    }

    /// The entry after an empty line.
    pub fn text(&self, day: &str) -> String {
        let code = self.order_number.map(|number| format!("(NL-{number}) ")).unwrap_or_default();
        let postings: String =
            self.postings.iter().map(|(account, amount)| format!("    {account}  ${}\n", amount.decimal())).collect();
        format!("\n{day} * {code}{}\n{postings}", self.title)
    }

    #[cfg(test)]
    pub fn sum(&self) -> i64 {
        self.postings.iter().map(|(_, amount)| amount.cents()).sum()
    }
}
