//! DNS records of the sender's domain: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489).
//! Large mail providers reject or junk email from a domain without them.

use super::Status;
use super::dns::{Dns, Records};
use crate::config::{Config, MailTo};

/// One status per record type; none if emails are written to files.
pub async fn statuses(config: &Config, support_email: &str) -> Vec<(&'static str, Status)> {
    if config.mail == MailTo::Files {
        return Vec::new();
    }
    let domain = support_email.rsplit_once('@').map_or("", |(_, domain)| domain);
    let dns = match Dns::new(&config.dns_servers) {
        Ok(dns) => dns,
        Err(message) => return vec![("SPF, DKIM and DMARC", Status::Fails(message))],
    };
    let selector = config.dkim_selector.as_deref();
    let (spf, dkim, dmarc) = tokio::join!(spf(&dns, domain), dkim(&dns, domain, selector), dmarc(&dns, domain));
    [("SPF", spf), ("DKIM", dkim), ("DMARC", dmarc)].map(|(subject, outcome)| (subject, outcome.into())).into()
}

async fn spf(dns: &Dns, domain: &str) -> Result<String, String> {
    match dns.texts(domain).await? {
        Records::NoSuchName => Err(format!(
            "the domain {domain} does not exist; set SHOP_SUPPORT_EMAIL to an address at a domain of yours"
        )),
        Records::Texts(texts) => check_spf(domain, &texts),
    }
}

fn check_spf(domain: &str, texts: &[String]) -> Result<String, String> {
    let is_spf = |text: &&String| text.split(' ').next().is_some_and(|word| word.eq_ignore_ascii_case("v=spf1"));
    let records: Vec<&String> = texts.iter().filter(is_spf).collect();
    let [record] = records.as_slice() else {
        return Err(match records.len() {
            0 => format!(
                "{domain} has no SPF record; add a TXT record like “v=spf1 include:mail.example ~all” that names your \
                 mail server"
            ),
            count => format!("{domain} has {count} SPF records, which receivers reject; merge them into one"),
        });
    };
    let terms: Vec<String> = record.split_ascii_whitespace().skip(1).map(str::to_ascii_lowercase).collect();
    if terms.iter().any(|term| term == "all" || term == "+all") {
        return Err(format!(
            "{domain} lets every server send its email (“{record}”); end the record with ~all or -all"
        ));
    }
    if terms == ["-all"] {
        return Err(format!(
            "{domain} lets no server send its email (“{record}”); name your mail server in the record"
        ));
    }
    Ok(format!("{domain} has “{record}”, which has to include your mail server"))
}

/// Only the mail server knows its selectors. Without one, the check can only tell whether there may be any key: a name that
/// does not exist has no names below it (RFC 8020).
async fn dkim(dns: &Dns, domain: &str, selector: Option<&str>) -> Result<String, String> {
    let Some(selector) = selector else {
        return match dns.texts(&format!("_domainkey.{domain}")).await? {
            Records::NoSuchName => Err(format!(
                "{domain} has no DKIM key; publish the one that your mail server signs with, and name it in \
                 SHOP_DKIM_SELECTOR"
            )),
            Records::Texts(_) => {
                Ok(format!("{domain} may have a DKIM key; name it in SHOP_DKIM_SELECTOR to have it looked up"))
            }
        };
    };
    let name = format!("{selector}._domainkey.{domain}");
    match dns.texts(&name).await? {
        Records::Texts(texts) if !texts.is_empty() => check_dkim(&name, &texts),
        _ => Err(format!("{name} has no TXT record; publish the key there, or correct SHOP_DKIM_SELECTOR")),
    }
}

fn check_dkim(name: &str, texts: &[String]) -> Result<String, String> {
    let keys = || texts.iter().filter_map(|text| tag(text, "p"));
    if keys().any(|key| !key.is_empty()) {
        return Ok(format!("{name} has a key"));
    }
    Err(match keys().next() {
        Some(_) => format!("the key at {name} is revoked: its p= is empty"),
        None => format!("the TXT record at {name} is not a DKIM key: it has no p="),
    })
}

/// A domain without its own record uses that of its nearest parent domain.
async fn dmarc(dns: &Dns, domain: &str) -> Result<String, String> {
    let mut above = Some(domain);
    while let Some(candidate) = above.filter(|name| name.contains('.')) {
        let name = format!("_dmarc.{candidate}");
        if let Records::Texts(texts) = dns.texts(&name).await?
            && let Some(outcome) = check_dmarc(&name, &texts)
        {
            return outcome;
        }
        above = candidate.split_once('.').map(|(_, rest)| rest);
    }
    Err(format!("{domain} has no DMARC record; add a TXT record like “v=DMARC1; p=none” at _dmarc.{domain}"))
}

/// `None` if no text is a DMARC record.
fn check_dmarc(name: &str, texts: &[String]) -> Option<Result<String, String>> {
    let records: Vec<&String> = texts.iter().filter(|text| is_dmarc(text)).collect();
    let [record] = records.as_slice() else {
        let several = format!("{name} has {} DMARC records, which receivers ignore; keep one", records.len());
        return (!records.is_empty()).then_some(Err(several));
    };
    Some(match tag(record, "p").map(str::to_ascii_lowercase).as_deref() {
        Some("none") => Ok(format!("{name} has the policy none, which asks receivers for nothing but reports")),
        Some(policy @ ("quarantine" | "reject")) => Ok(format!("{name} has the policy {policy}")),
        _ => Err(format!("the record at {name} has no policy; add p=none, p=quarantine or p=reject")),
    })
}

fn is_dmarc(text: &str) -> bool {
    text.split(';')
        .next()
        .and_then(|first| first.split_once('='))
        .is_some_and(|(name, value)| name.trim() == "v" && value.trim() == "DMARC1")
}

/// Value of a tag in a list like `v=DMARC1; p=none` of DKIM and DMARC.
fn tag<'t>(text: &'t str, wanted: &str) -> Option<&'t str> {
    let pairs = text.split(';').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.trim(), value.trim())).find(|(name, _)| *name == wanted).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_domain_has_exactly_one_spf_record_that_lets_some_servers_send() {
        for record in ["v=spf1 mx ~all", "V=SPF1 ip4:192.0.2.1 -all", "v=spf1 include:mail.example ?all", "v=spf1 a"] {
            assert!(check_spf("shop.example", &texts(&["other", record])).is_ok(), "{record}");
        }
        let bad = [
            (&["v=spf10 mx", "other"][..], "no SPF record"),
            (&["v=spf1 mx ~all", "v=spf1 a -all"], "2 SPF records"),
            (&["v=spf1 mx +all"], "lets every server"),
            (&["v=spf1 all"], "lets every server"),
            (&["v=spf1 -all"], "lets no server"),
        ];
        for (records, words) in bad {
            let message = check_spf("shop.example", &texts(records)).unwrap_err();
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn a_dkim_record_has_a_key_that_is_not_revoked() {
        let checked = |record: &str| check_dkim("s1._domainkey.shop.example", &texts(&[record]));
        assert!(checked("v=DKIM1; k=rsa; p=MIGf").is_ok());
        assert!(checked("p=MIGf").is_ok());
        assert!(checked("v=DKIM1; p=").unwrap_err().contains("revoked"));
        assert!(checked("v=spf1 -all").unwrap_err().contains("not a DKIM key"));
    }

    #[test]
    fn a_dmarc_record_has_a_policy() {
        let checked = |records: &[&str]| check_dmarc("_dmarc.shop.example", &texts(records));
        for record in ["v=DMARC1; p=none", "v=DMARC1;p=reject;rua=mailto:a@shop.example", "v = DMARC1 ; p = Quarantine"]
        {
            assert!(checked(&[record, "other"]).unwrap().is_ok(), "{record}");
        }
        assert!(checked(&["v=DMARC1; rua=mailto:a@shop.example"]).unwrap().unwrap_err().contains("no policy"));
        assert!(checked(&["v=DMARC1; p=maybe"]).unwrap().unwrap_err().contains("no policy"));
        assert!(checked(&["v=DMARC1; p=none", "v=DMARC1; p=reject"]).unwrap().unwrap_err().contains("2 DMARC"));
        assert!(checked(&["p=none; v=DMARC1", "other"]).is_none());
    }
}
