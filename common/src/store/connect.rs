//! Connections to Postgres: URL, TLS, pool. Nothing connects before the first transaction.

use std::{net::IpAddr, sync::Arc, time::Duration};

use deadpool::managed::{self, Metrics, RecycleError, RecycleResult};
use rustls::{
    ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::CryptoProvider,
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use secrecy::{ExposeSecret, SecretString};
use tokio_postgres::{
    Client, Config, NoTls,
    config::{Host, SslMode},
};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{Error, ErrorCode, Result};

/// How long a connection may take to open.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Where a database is and how to talk to it safely.
#[derive(Clone)]
pub(crate) struct Address {
    config: Config,
    tls: Option<MakeRustlsConnect>,
}

impl Address {
    /// Reads a Postgres URL. Beyond what the driver knows, `sslmode=verify-ca` and `verify-full` are
    /// understood: off loopback every TLS connection is verified in full anyway, and plain text is
    /// spoken only when the URL says `sslmode=disable`.
    pub(crate) fn parse(url: &SecretString) -> Result<Self> {
        let plain = url
            .expose_secret()
            .replace("sslmode=verify-full", "sslmode=require")
            .replace("sslmode=verify-ca", "sslmode=require");
        let mut config: Config = plain.parse().map_err(|_| {
            // The parser's message may quote the URL, and with it the password.
            Error::new(
                ErrorCode::InvalidArgument,
                "DATABASE_URL is not a valid Postgres URL",
            )
        })?;
        config.connect_timeout(CONNECT_TIMEOUT);
        config.application_name("image-memory");
        let loopback = config.get_hosts().iter().all(is_loopback);
        let tls = match (config.get_ssl_mode(), loopback) {
            (SslMode::Disable, _) | (SslMode::Prefer, true) => {
                config.ssl_mode(SslMode::Disable);
                None
            }
            (_, loopback) => {
                config.ssl_mode(SslMode::Require);
                Some(MakeRustlsConnect::new(tls_config(loopback)?))
            }
        };
        Ok(Self { config, tls })
    }

    /// The user that the URL names.
    pub(crate) fn user(&self) -> Option<&str> {
        self.config.get_user()
    }

    /// Opens one connection; its driver runs until the client is dropped.
    pub(crate) async fn connect(&self) -> Result<Client, tokio_postgres::Error> {
        match &self.tls {
            Some(tls) => {
                let (client, connection) = self.config.connect(tls.clone()).await?;
                tokio::spawn(drive(connection));
                Ok(client)
            }
            None => {
                let (client, connection) = self.config.connect(NoTls).await?;
                tokio::spawn(drive(connection));
                Ok(client)
            }
        }
    }
}

async fn drive(connection: impl Future<Output = Result<(), tokio_postgres::Error>>) {
    if let Err(error) = connection.await {
        tracing::debug!(error.kind = %error, "a database connection ended");
    }
}

fn is_loopback(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
        }
        Host::Unix(_) => true,
    }
}

fn tls_config(loopback: bool) -> Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(Error::internal)?;
    if loopback {
        let verifier = Arc::new(AnyCertificate(provider));
        return Ok(builder
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth());
    }
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// For loopback alone: nobody stands between, and no authority signs for 127.0.0.1.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(
            message,
            certificate,
            signature,
            &self.0.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(
            message,
            certificate,
            signature,
            &self.0.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Makes and checks pooled connections.
pub(crate) struct Connections(pub(crate) Address);

impl managed::Manager for Connections {
    type Type = Client;
    type Error = tokio_postgres::Error;

    async fn create(&self) -> Result<Client, tokio_postgres::Error> {
        self.0.connect().await
    }

    async fn recycle(
        &self,
        client: &mut Client,
        _: &Metrics,
    ) -> RecycleResult<tokio_postgres::Error> {
        // A connection that died while idle is replaced at checkout. One that dies later fails its first
        // statement, before anything was committed, and the transaction is replayed.
        if client.is_closed() {
            Err(RecycleError::message("closed"))
        } else {
            Ok(())
        }
    }
}

/// The pool of connections.
pub(crate) type Pool = managed::Pool<Connections>;

/// A connection on loan.
pub(crate) type Pooled = managed::Object<Connections>;

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Result<Address> {
        Address::parse(&SecretString::from(url))
    }

    #[test]
    fn loopback_speaks_plain_text_and_the_rest_of_the_world_does_not() {
        assert!(parse("postgres://u:p@127.0.0.1/db").unwrap().tls.is_none());
        assert!(
            parse("postgres://u:p@localhost/db?sslmode=require")
                .unwrap()
                .tls
                .is_some()
        );
        assert!(
            parse("postgres://u:p@db.example.com/db")
                .unwrap()
                .tls
                .is_some()
        );
        assert!(
            parse("postgres://u:p@db.example.com/db?sslmode=disable")
                .unwrap()
                .tls
                .is_none()
        );
    }

    #[test]
    fn the_urls_that_providers_hand_out_are_understood() {
        for query in [
            "sslmode=verify-full",
            "sslmode=verify-ca",
            "sslmode=require&channel_binding=require",
        ] {
            let address = parse(&format!("postgresql://u:p@db.example.com/db?{query}")).unwrap();
            assert!(address.tls.is_some(), "{query}");
            assert_eq!(address.user(), Some("u"));
        }
    }

    #[test]
    fn a_broken_url_is_not_quoted() {
        let error = parse("postgres://u:secret@:::/").err().unwrap();
        assert!(!format!("{error:?}").contains("secret"));
    }
}
