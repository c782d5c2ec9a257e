//! Stripe's documented test cards.

use super::Authentication::{Frictionless, NotAsked, Required, RequiredOnSession};
use super::{Authentication, Checks, Claim, Decline, Effect, Risk, TestCard};

/// All cards of <https://docs.stripe.com/testing>, in its order. A name that is listed twice means its first number.
/// Where that page says "depending on your settings", these settings apply: Radar blocks the highest risk only, and
/// there are no dispute programs.
pub static CARDS: &[TestCard] = &[
    // By brand.
    visa("visa", "4242424242424242"),
    visa("us", "4242424242424242"),
    card("visa_debit", "4000056655665556", "visa", "debit"),
    card("mastercard", "5555555555554444", "mastercard", "credit"),
    card("mastercard", "2223003122003222", "mastercard", "credit"),
    card("mastercard_debit", "5200828282828210", "mastercard", "debit"),
    card("mastercard_prepaid", "5105105105105100", "mastercard", "prepaid"),
    card("amex", "378282246310005", "amex", "credit"),
    card("amex_threeDSecureNotSupported", "378282246310005", "amex", "credit"),
    card("amex", "371449635398431", "amex", "credit"),
    card("discover", "6011111111111117", "discover", "credit"),
    card("discover", "6011000990139424", "discover", "credit"),
    card("", "6011981111111113", "discover", "debit"),
    card("diners", "3056930009020004", "diners", "credit"),
    card("diners", "36227206271667", "diners", "credit"),
    card("", "6555900000604105", "discover", "credit"),
    card("jcb", "3566002020360505", "jcb", "credit").of("JP"),
    card("unionpay", "6200000000000005", "unionpay", "credit").of("CN"),
    card("", "6200000000000047", "unionpay", "debit").of("CN"),
    card("", "6205500000000000004", "unionpay", "credit").of("CN"),
    visa("visa_cartesBancaires", "4000002500001001").of("FR").with("cartes_bancaires"),
    card("mastercard_cartesBancaires", "5555552500001001", "mastercard", "credit").of("FR").with("cartes_bancaires"),
    card("visa_debit_eftposAuCoBranded", "4000050360000001", "visa", "debit").of("AU").with("eftpos_au"),
    card("mastercard_debit_eftposAuCoBranded", "5555050360000080", "mastercard", "debit").of("AU").with("eftpos_au"),
    // By country.
    visa("ar", "4000000320000021").of("AR"),
    visa("br", "4000000760000002").of("BR"),
    visa("ca", "4000001240000000").of("CA"),
    visa("cl", "4000001520000001").of("CL"),
    visa("co", "4000001700000003").of("CO"),
    visa("cr", "4000001880000005").of("CR"),
    visa("ec", "4000002180000000").of("EC"),
    visa("mx", "4000004840008001").of("MX"),
    card("", "5062210000000009", "unknown", "credit").of("MX"),
    visa("pa", "4000005910000000").of("PA"),
    visa("py", "4000006000000066").of("PY"),
    visa("pe", "4000006040000068").of("PE"),
    visa("uy", "4000008580000003").of("UY"),
    visa("ae", "4000007840000001").of("AE"),
    card("ae_mastercard", "5200007840000022", "mastercard", "credit").of("AE"),
    visa("at", "4000000400000008").of("AT"),
    visa("be", "4000000560000004").of("BE"),
    visa("bg", "4000001000000000").of("BG"),
    visa("by", "4000001120000005").of("BY"),
    visa("hr", "4000001910000009").of("HR"),
    visa("cy", "4000001960000008").of("CY"),
    visa("cz", "4000002030000002").of("CZ"),
    visa("dk", "4000002080000001").of("DK"),
    visa("ee", "4000002330000009").of("EE"),
    visa("fi", "4000002460000001").of("FI"),
    visa("fr", "4000002500000003").of("FR"),
    visa("de", "4000002760000016").of("DE"),
    visa("gi", "4000002920000005").of("GI"),
    visa("gr", "4000003000000030").of("GR"),
    visa("hu", "4000003480000005").of("HU"),
    visa("ie", "4000003720000005").of("IE"),
    visa("it", "4000003800000008").of("IT"),
    visa("lv", "4000004280000005").of("LV"),
    visa("li", "4000004380000004").of("LI"),
    visa("lt", "4000004400000000").of("LT"),
    visa("lu", "4000004420000006").of("LU"),
    visa("mt", "4000004700000007").of("MT"),
    visa("nl", "4000005280000002").of("NL"),
    visa("no", "4000005780000007").of("NO"),
    visa("pl", "4000006160000005").of("PL"),
    visa("pt", "4000006200000007").of("PT"),
    visa("ro", "4000006420000001").of("RO"),
    visa("sa", "4000006820000007").of("SA"),
    visa("si", "4000007050000006").of("SI"),
    visa("sk", "4000007030000001").of("SK"),
    visa("es", "4000007240000007").of("ES"),
    visa("se", "4000007520000008").of("SE"),
    visa("ch", "4000007560000009").of("CH"),
    visa("gb", "4000008260000000").of("GB"),
    card("gb_debit", "4000058260000005", "visa", "debit").of("GB"),
    card("gb_mastercard", "5555558265554449", "mastercard", "credit").of("GB"),
    visa("au", "4000000360000006").of("AU"),
    visa("cn", "4000001560000002").of("CN"),
    visa("hk", "4000003440000004").of("HK"),
    visa("in", "4000003560000008").of("IN"),
    visa("jp", "4000003920000003").of("JP"),
    card("", "3530111333300000", "jcb", "credit").of("JP"),
    visa("my", "4000004580000002").of("MY"),
    visa("nz", "4000005540000008").of("NZ"),
    visa("sg", "4000007020000003").of("SG"),
    visa("tw", "4000001580000008").of("TW"),
    visa("th_credit", "4000007640000003").of("TH"),
    card("th_debit", "4000057640000008", "visa", "debit").of("TH"),
    // Health and flexible spending accounts.
    card("debit_visaFsaProductCode", "4000051230000072", "visa", "debit"),
    card("debit_visaHsaProductCode", "4000051230000072", "visa", "debit"),
    card("mastercard_debit_mastercardFsaProductCode", "5200828282828897", "mastercard", "debit"),
    // Declined.
    visa("chargeDeclined", "4000000000000002").declines(Decline::Generic),
    visa("chargeDeclinedInsufficientFunds", "4000000000009995").declines(Decline::InsufficientFunds),
    visa("visa_debit_chargeDeclinedInsufficientFunds", "4000000000009995").declines(Decline::InsufficientFunds),
    visa("chargeDeclinedLostCard", "4000000000009987").declines(Decline::LostCard),
    visa("chargeCustomerFailLostCard", "4000000000009987").declines(Decline::LostCard),
    visa("chargeDeclinedStolenCard", "4000000000009979").declines(Decline::StolenCard),
    visa("chargeCustomerFailStolenCard", "4000000000009979").declines(Decline::StolenCard),
    visa("chargeDeclinedExpiredCard", "4000000000000069").declines(Decline::ExpiredCard),
    visa("chargeDeclinedIncorrectCvc", "4000000000000127").declines(Decline::IncorrectCvc),
    visa("chargeDeclinedProcessingError", "4000000000000119").declines(Decline::ProcessingError),
    visa("chargeDeclinedVelocityLimitExceeded", "4000000000006975").declines(Decline::VelocityExceeded),
    visa("chargeCustomerFail", "4000000000000341").declines(Decline::Generic),
    // Fraud prevention.
    visa("radarBlock", "4100000000000019").declines(Decline::Fraudulent),
    visa("chargeDeclinedFraudulent", "4100000000000019").declines(Decline::Fraudulent),
    visa("riskLevelHighest", "4000000000004954").declines(Decline::Fraudulent),
    visa("riskLevelElevated", "4000000000009235").risks(Risk::Elevated),
    visa("highFraudDisputeScore", "4000008400000407"),
    visa("highEfwScore", "4000008400000159"),
    visa("radarDynamicRiskThreshold", "4000008400001017"),
    visa("adaptive3dsChallenge", "4000008405600003"),
    visa("cvcCheckFail", "4000000000000101").checks(Checks::CvcFails),
    visa("avsZipFail", "4000000000000036").checks(Checks::PostalCodeFails),
    visa("cvcCheckFailElevatedRisk", "4000058400307872").checks(Checks::CvcFails).risks(Risk::Elevated),
    visa("avsZipFailElevatedRisk", "4000058400306072").checks(Checks::PostalCodeFails).risks(Risk::Elevated),
    visa("avsLine1Fail", "4000000000000028").checks(Checks::Line1Fails),
    visa("avsFail", "4000000000000010").checks(Checks::AddressFails),
    visa("avsUnchecked", "4000000000000044").checks(Checks::AddressUnavailable),
    // Disputed.
    visa("createDispute", "4000000000000259").then(Effect::Disputed(&[FRAUDULENT])),
    visa("createDisputeProductNotReceived", "4000000000002685").then(Effect::Disputed(&[NOT_RECEIVED])),
    visa("createDisputeInquiry", "4000000000001976").then(Effect::Disputed(&[INQUIRY])),
    visa("createIssuerFraudRecord", "4000000000005423").then(Effect::FraudWarning),
    visa("createMultipleDisputes", "4000000404000079").then(Effect::Disputed(&[FRAUDULENT, NOT_RECEIVED])),
    visa("createCe3EligibleDispute", "4000000404000038").then(Effect::Disputed(&[COMPELLING_EVIDENCE])),
    visa("createComplianceDispute", "4000008400000779").then(Effect::Disputed(&[VISA_COMPLIANCE])),
    card("createMastercardComplianceDispute", "5105008400000002", "mastercard", "credit")
        .then(Effect::Disputed(&[MASTERCARD_COMPLIANCE])),
    visa("createAutoRepresentmentEligibleDispute", "4000000001000043").then(Effect::Disputed(&[FRAUDULENT])),
    visa("createRapidDisputeResolutionDispute", "4000000404004816").then(Effect::Disputed(&[FRAUDULENT])),
    visa("createCe3BlockDispute", "4000000404005649").then(Effect::Disputed(&[FRAUDULENT])),
    card("createEthocaAlert", "5105000300000018", "mastercard", "credit")
        .then(Effect::Disputed(&[FRAUDULENT_MASTERCARD])),
    // Refunds that are pending or fail.
    visa("pendingRefund", "4000000000007726").then(Effect::RefundPending),
    visa("refundFail", "4000000000005126").then(Effect::RefundFails),
    // Available balance.
    visa("bypassPending", "4000000000000077"),
    visa("bypassPendingInternational", "4000003720000278").of("IE"),
    // 3-D Secure.
    visa("authenticationRequiredOnSetup", "4000002500003155").of("FR").asks(Required),
    visa("authenticationRequired", "4000002760003184").of("DE").asks(Required),
    visa("authenticationRequiredSetupForOffSession", "4000003800000446").of("IT").asks(RequiredOnSession),
    visa("authenticationRequiredChargeDeclinedInsufficientFunds", "4000008260003178")
        .of("GB")
        .asks(Required)
        .declines(Decline::InsufficientFunds),
    visa("threeDSecure2Required", "4000000000003220").of("IE").asks(Required),
    visa("", "4000008400000027").asks(Required),
    visa("threeDSecureRequired", "4000000000003063").asks(Required),
    visa("threeDSecureRequiredChargeDeclined", "4000008400001629").asks(Required).declines(Decline::Generic),
    // The bank cannot be reached: there is no challenge, and the payment is declined.
    visa("threeDSecureRequiredProcessingError", "4000008400001280").declines(Decline::Generic),
    visa("threeDSecureOptional", "4000000000003055"),
    visa("threeDSecureOptionalProcessingError", "4000000000003097"),
    visa("", "4000000032200000").asks(Frictionless),
    visa("", "4000582600000094").asks(Required),
    visa("", "4000582600000045").asks(Required),
    visa("", "4000582600000102").asks(Required),
    visa("", "4000582600000110").asks(Required),
    // Captcha challenges, which the mock does not have.
    visa("", "4000000000001208"),
    visa("", "4000000000003725"),
];

const fn card(name: &'static str, number: &'static str, brand: &'static str, funding: &'static str) -> TestCard {
    TestCard {
        name,
        number,
        brand,
        funding,
        country: "US",
        co_brand: None,
        authentication: NotAsked,
        decline: None,
        risk: Risk::Normal,
        checks: Checks::Pass,
        effect: Effect::None,
    }
}

const fn visa(name: &'static str, number: &'static str) -> TestCard {
    card(name, number, "visa", "credit")
}

impl TestCard {
    const fn of(self, country: &'static str) -> Self {
        Self { country, ..self }
    }

    const fn with(self, co_brand: &'static str) -> Self {
        Self { co_brand: Some(co_brand), ..self }
    }

    const fn asks(self, authentication: Authentication) -> Self {
        Self { authentication, ..self }
    }

    const fn declines(self, decline: Decline) -> Self {
        Self { decline: Some(decline), ..self }
    }

    const fn risks(self, risk: Risk) -> Self {
        Self { risk, ..self }
    }

    const fn checks(self, checks: Checks) -> Self {
        Self { checks, ..self }
    }

    const fn then(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }
}

const FRAUDULENT: Claim = Claim::chargeback("fraudulent", "10.4");
const NOT_RECEIVED: Claim = Claim::chargeback("product_not_received", "13.1");
const FRAUDULENT_MASTERCARD: Claim = Claim::chargeback("fraudulent", "4837");
const INQUIRY: Claim =
    Claim { reason: "fraudulent", case_type: "inquiry", network_reason_code: "10", eligibility: &[] };
const COMPELLING_EVIDENCE: Claim = Claim { eligibility: &["visa_compelling_evidence_3"], ..FRAUDULENT };
const VISA_COMPLIANCE: Claim = Claim {
    reason: "noncompliant",
    case_type: "compliance",
    network_reason_code: "noncompliant",
    eligibility: &["visa_compliance"],
};
const MASTERCARD_COMPLIANCE: Claim = Claim { eligibility: &["mastercard_compliance"], ..VISA_COMPLIANCE };

impl Claim {
    const fn chargeback(reason: &'static str, network_reason_code: &'static str) -> Self {
        Self { reason, case_type: "chargeback", network_reason_code, eligibility: &[] }
    }
}
