//! The relying party: the host that passkeys belong to, and the origin whose pages may use them.

use std::net::IpAddr;

use url::{Host, Url};
use webauthn_rp::request::{AsciiDomain, RpId};

/// The host and the origin of the shop. Passkeys of another host or origin are rejected.
#[derive(Debug)]
pub struct RelyingParty {
    pub(super) id: RpId,
    origin: String,
}

impl RelyingParty {
    /// The relying party of a public URL. An IP address can't be one: on loopback it is `localhost`.
    ///
    /// # Errors
    /// Why browsers offer no passkeys at this URL, for `nudgelight check`.
    pub fn of(public_url: &str) -> Result<Self, String> {
        let mut url = Url::parse(public_url).map_err(|error| error.to_string())?;
        if host_ip(&url).is_some_and(|ip| ip.is_loopback()) {
            url.set_host(Some("localhost")).map_err(|error| error.to_string())?;
        }
        let Some(Host::Domain(host)) = url.host() else {
            return Err("an IP address can't have passkeys; use a host name".to_owned());
        };
        let is_local = host == "localhost" || host.ends_with(".localhost");
        if url.scheme() != "https" && !is_local {
            return Err("browsers offer passkeys over https only".to_owned());
        }
        let domain = AsciiDomain::try_from(host.to_owned()).map_err(|error| format!("{host}: {error}"))?;
        Ok(Self { id: RpId::Domain(domain), origin: url.origin().ascii_serialization() })
    }

    /// The origin of the pages that use passkeys, as browsers name it.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    pub fn host(&self) -> &str {
        self.id.as_ref()
    }
}

fn host_ip(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(ip) => Some(ip.into()),
        Host::Ipv6(ip) => Some(ip.into()),
        Host::Domain(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_name_is_the_relying_party_and_loopback_is_localhost() {
        for (public_url, host, origin) in [
            ("https://shop.example", "shop.example", "https://shop.example"),
            ("https://Shop.Example:8443/", "shop.example", "https://shop.example:8443"),
            ("https://bücher.example", "xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("http://localhost:3000", "localhost", "http://localhost:3000"),
            ("http://127.0.0.1:3000", "localhost", "http://localhost:3000"),
            ("http://[::1]:3000", "localhost", "http://localhost:3000"),
        ] {
            let party = RelyingParty::of(public_url).unwrap();
            assert_eq!((party.host(), party.origin()), (host, origin), "{public_url}");
        }
        for (public_url, reason) in [
            ("https://192.0.2.1", "IP address"),
            ("http://[2001:db8::1]", "IP address"),
            ("http://shop.example", "https only"),
            ("shop.example", "relative URL"),
        ] {
            let error = RelyingParty::of(public_url).unwrap_err();
            assert!(error.contains(reason), "{public_url}: {error}");
        }
    }
}
