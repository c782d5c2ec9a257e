//! Tax calculations and transactions.

use stripe_misc::TaxCalculation;
use stripe_misc::tax_calculation::{
    CreateTaxCalculation, CreateTaxCalculationCustomerDetails, CreateTaxCalculationCustomerDetailsAddress,
    CreateTaxCalculationCustomerDetailsAddressSource, CreateTaxCalculationLineItems, CreateTaxCalculationShippingCost,
};
use stripe_misc::tax_transaction::{
    CreateFromCalculationTaxTransaction, CreateReversalTaxTransaction, CreateReversalTaxTransactionMode,
};
use stripe_types::Currency;

use super::Account;

async fn calculated(account: &Account, country: &str, state: &str) -> TaxCalculation {
    let mut details = CreateTaxCalculationCustomerDetails::new();
    let mut place = CreateTaxCalculationCustomerDetailsAddress::new(country);
    place.state = Some(state.to_owned());
    details.address = Some(place);
    details.address_source = Some(CreateTaxCalculationCustomerDetailsAddressSource::Shipping);
    let mut two = CreateTaxCalculationLineItems::new(4998);
    two.reference = Some("one".to_owned());
    two.quantity = Some(2);
    let other = CreateTaxCalculationLineItems::new(333);
    let mut cost = CreateTaxCalculationShippingCost::new();
    cost.amount = Some(620);
    CreateTaxCalculation::new(Currency::USD, vec![two, other])
        .customer_details(details)
        .shipping_cost(cost)
        .expand(vec!["line_items".to_owned()])
        .send(&account.stripe)
        .await
        .unwrap()
}

#[tokio::test]
async fn every_cent_of_tax_is_on_a_line_or_on_the_shipping() {
    let account = Account::open().await;
    for (country, state, taxes) in
        [("US", "CA", 1), ("US", "NY", 1), ("CA", "QC", 2), ("CA", "AB", 1), ("US", "OR", 1), ("DE", "BE", 1)]
    {
        let response = calculated(&account, country, state).await;
        assert_eq!(response.tax_breakdown.len(), taxes, "{state}");
        let by_tax: i64 = response.tax_breakdown.iter().map(|entry| entry.amount).sum();
        let lines = response.line_items.unwrap().data;
        let by_line: i64 = lines.iter().map(|line| line.amount_tax).sum();
        let shipping = response.shipping_cost.unwrap();
        assert_eq!(response.tax_amount_exclusive, by_tax, "{state}");
        assert_eq!(by_tax, by_line + shipping.amount_tax, "{state}");
        assert_eq!(response.amount_total, 4998 + 333 + 620 + by_tax, "{state}");
    }
}

#[tokio::test]
async fn california_taxes_the_goods_and_not_the_shipping() {
    let account = Account::open().await;
    let form = "currency=usd&line_items[0][amount]=4998&shipping_cost[amount]=620\
        &customer_details[address][country]=US&customer_details[address][state]=CA";
    let response = account.post("/v1/tax/calculations", form).await.body;
    assert_eq!(response["tax_amount_exclusive"], 362);
    let entry = &response["tax_breakdown"][0];
    assert_eq!((&entry["taxable_amount"], &entry["taxability_reason"]), (&4998.into(), &"standard_rated".into()));
    let rate = &entry["tax_rate_details"];
    assert_eq!((&rate["percentage_decimal"], &rate["tax_type"]), (&"7.25".into(), &"sales_tax".into()));
    assert!(response.get("line_items").is_none());
    let lines = account.get(&format!("/v1/tax/calculations/{}/line_items", response["id"].as_str().unwrap())).await;
    assert_eq!(lines.body["data"][0]["reference"], "L1");
}

#[tokio::test]
async fn a_place_nobody_knows_has_no_tax() {
    let account = Account::open().await;
    let form = "currency=usd&line_items[0][amount]=100&customer_details[address][country]=US";
    for state in ["", "&customer_details[address][state]=ZZ"] {
        let response = account.post("/v1/tax/calculations", &format!("{form}{state}")).await;
        assert_eq!(response.body["error"]["code"], "customer_tax_location_invalid", "{state}");
    }
}

#[tokio::test]
async fn a_calculation_becomes_a_transaction_and_is_reversed_to_the_cent() {
    let account = Account::open().await;
    let calculation = calculated(&account, "CA", "QC").await;
    let paid = calculation.amount_total;
    let sale = CreateFromCalculationTaxTransaction::new(calculation.id.unwrap().to_string(), "order-1")
        .expand(vec!["line_items".to_owned()])
        .send(&account.stripe)
        .await
        .unwrap();
    assert_eq!(sale.line_items.unwrap().data.len(), 2);

    let reverse = |mode, reference: &str| {
        CreateReversalTaxTransaction::new(mode, sale.id.to_string(), reference).expand(vec!["line_items".to_owned()])
    };
    let part = reverse(CreateReversalTaxTransactionMode::Partial, "refund-1")
        .flat_amount(-1001)
        .send(&account.stripe)
        .await
        .unwrap();
    let rest = reverse(CreateReversalTaxTransactionMode::Full, "refund-2").send(&account.stripe).await.unwrap();
    let total = |transaction: &stripe_misc::TaxTransaction| {
        let lines = &transaction.line_items.as_ref().unwrap().data;
        let shipping = transaction.shipping_cost.as_ref().unwrap();
        lines.iter().map(|line| line.amount + line.amount_tax).sum::<i64>() + shipping.amount + shipping.amount_tax
    };
    assert_eq!(total(&part), -1001);
    assert_eq!(total(&rest), 1001 - paid);
    let again = reverse(CreateReversalTaxTransactionMode::Full, "refund-3").send(&account.stripe).await;
    assert!(again.is_err());
    let same =
        CreateReversalTaxTransaction::new(CreateReversalTaxTransactionMode::Full, sale.id.to_string(), "order-1");
    assert!(same.send(&account.stripe).await.is_err());
}

#[tokio::test]
async fn a_reversal_is_undone_in_full_and_its_amount_can_be_reversed_again() {
    let account = Account::open().await;
    let calculation = calculated(&account, "CA", "QC").await;
    let paid = calculation.amount_total;
    let sale = CreateFromCalculationTaxTransaction::new(calculation.id.unwrap().to_string(), "order-1");
    let sale = sale.send(&account.stripe).await.unwrap();
    let reverse = |mode, id: &str, reference: &str| CreateReversalTaxTransaction::new(mode, id.to_owned(), reference);
    let (full, partial) = (CreateReversalTaxTransactionMode::Full, CreateReversalTaxTransactionMode::Partial);
    let part = reverse(partial.clone(), sale.id.as_str(), "refund-1").flat_amount(-1001);
    let part = part.send(&account.stripe).await.unwrap();
    let some = reverse(partial.clone(), part.id.as_str(), "some").flat_amount(1).send(&account.stripe).await;
    assert!(some.is_err());
    let undone = reverse(full.clone(), part.id.as_str(), "failed-1").send(&account.stripe).await.unwrap();
    for id in [part.id.as_str(), undone.id.as_str()] {
        assert!(reverse(full.clone(), id, "again").send(&account.stripe).await.is_err());
    }
    let all = reverse(partial, sale.id.as_str(), "refund-2").flat_amount(-paid).send(&account.stripe).await;
    assert!(all.is_ok(), "{all:?}");
}
