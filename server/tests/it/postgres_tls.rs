//! TLS to PostgreSQL, with certificates of a private authority and of a client.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use server::config::Config;
use server::infra::clock::Clock;
use server::operations::check::check;

use crate::harness::{Cluster, Folder, PASSWORD, TestShop};

/// A private certificate authority.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "Private Authority");
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// A certificate for a host, or for a database user by the common name, and its key.
    fn issue(&self, name: &str) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        (params.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }
}

fn written(folder: &Folder, name: &str, pem: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, pem).unwrap();
    path.to_str().unwrap().to_owned()
}

async fn said_about(url: &str) -> String {
    let vars = [("DATABASE_URL".to_owned(), url.to_owned())];
    let config = Config::from_vars(vars).unwrap();
    let results = check(&config, &Clock::default()).await;
    results.iter().map(ToString::to_string).find(|said| said.contains("  database: ")).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_is_encrypted_and_the_server_is_who_a_private_authority_says() {
    let Some(cluster) = Cluster::start() else { return };
    sqlx::any::install_default_drivers();
    let (folder, ours, others) = (Folder::new(), Authority::new(), Authority::new());
    let ca = written(&folder, "ca.pem", &ours.pem);
    let other_ca = written(&folder, "other-ca.pem", &others.pem);
    let (client, client_key) = ours.issue("postgres");
    let (client, client_key) = (written(&folder, "client.pem", &client), written(&folder, "client.key", &client_key));
    let (server, server_key) = ours.issue("127.0.0.1");
    cluster.encrypts(&server, &server_key, &ours.pem).await;

    let url = |mode: &str, ca: &str, rest: &str| format!("{}?sslmode={mode}&sslrootcert={ca}{rest}", cluster.url());
    let full = url("verify-full", &ca, &format!("&sslcert={client}&sslkey={client_key}"));
    assert!(said_about(&full).await.starts_with("works  database: PostgreSQL 1"), "{}", said_about(&full).await);
    let shop = TestShop::open_with(&[("DATABASE_URL", &full)]).await;
    shop.logs_in(crate::harness::CUSTOMER, PASSWORD).await.gives(200);
    let encrypted = "SELECT COUNT(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE client_addr IS NOT NULL AND ssl";
    assert!(shop.count(encrypted).await >= 2);
    let open = "SELECT COUNT(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                WHERE client_addr IS NOT NULL AND NOT ssl";
    assert_eq!(shop.count(open).await, 0);

    // Another authority, another host, no certificate of the client, no encryption.
    let certificate = format!("&sslcert={client}&sslkey={client_key}");
    for (wrong, reason) in [
        (url("verify-full", &other_ca, &certificate), "invalid peer certificate"),
        (url("verify-ca", &other_ca, &certificate), "invalid peer certificate"),
        (full.replace("127.0.0.1", "localhost"), "not valid for name"),
        (url("verify-full", &ca, ""), "requires a valid client certificate"),
        (url("disable", &ca, ""), "pg_hba.conf"),
        (
            url("verify-full", folder.path().join("nothing.pem").to_str().unwrap(), &certificate),
            "its parameter `sslrootcert`: cannot read /",
        ),
    ] {
        let said = said_about(&wrong).await;
        assert!(said.starts_with("FAILS  database: ") && said.contains(reason), "{reason}: {said}");
    }
    // A name in the certificate doesn't count for `verify-ca`.
    let other_name = url("verify-ca", &ca, &certificate).replace("127.0.0.1", "localhost");
    assert!(said_about(&other_name).await.starts_with("works  database: "), "{}", said_about(&other_name).await);
}
