//! HTTPS by the server itself.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::client::{Request, Response, parse};
use crate::server::{Server, TempRoot, run, stderr};

pub(crate) const SETTINGS: &str = r#"{"ssl": {"key": "key.pem", "cert": "cert.pem"}}"#;

pub(crate) type TlsStream = StreamOwned<ClientConnection, TcpStream>;

/// Writes the two files that the settings name, and gives the certificate.
pub(crate) fn certify(root: &TempRoot) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    root.write("cert.pem", &made.cert.pem());
    root.write("key.pem", &made.signing_key.serialize_pem());
    made.cert.der().clone()
}

/// A client that trusts only some certificates.
#[derive(Clone)]
pub(crate) struct TlsClient(Arc<ClientConfig>);

impl TlsClient {
    pub(crate) fn new(trusted: impl IntoIterator<Item = CertificateDer<'static>>) -> TlsClient {
        let mut roots = RootCertStore::empty();
        for certificate in trusted {
            roots.add(certificate).unwrap();
        }
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        TlsClient(Arc::new(config))
    }

    pub(crate) fn connect(&self, address: &str) -> TlsStream {
        let name = ServerName::try_from("localhost").unwrap();
        let client = ClientConnection::new(Arc::clone(&self.0), name).unwrap();
        StreamOwned::new(client, TcpStream::connect(address).unwrap())
    }

    pub(crate) fn send(&self, address: &str, request: &Request) -> Response {
        let mut stream = self.connect(address);
        stream.write_all(&request.bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        parse(&answer).unwrap()
    }
}

#[test]
fn pads_are_served_encrypted() {
    let root = TempRoot::with_settings("tls", SETTINGS);
    let client = TlsClient::new([certify(&root)]);
    let server = Server::start(&root);

    let health = client.send(&server.address, &Request::get("/health"));
    assert_eq!(health.status, 200, "{health:?}");
    // The cookies know that they are safe.
    let page = client.send(&server.address, &Request::get("/p/notes"));
    let mut cookies = page.all("set-cookie").map(str::to_lowercase);
    assert!(cookies.any(|it| it.contains("; secure")), "{page:?}");

    // Nobody is answered in the clear, and nobody is kept from the commands.
    let mut plain = TcpStream::connect(&server.address).unwrap();
    plain.write_all(&Request::get("/health").bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    assert!(run(&root, &["health"]).status.success());
    server.stop();
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let root = TempRoot::with_settings("tls_wrong", SETTINGS);
    let start = || stderr(&run(&root, &["--port", "0"]));
    assert!(
        start().contains("ssl: ./cert.pem cannot be used"),
        "{}",
        start()
    );
    root.write("cert.pem", "nothing");
    assert!(
        start().contains("there is no certificate in ./cert.pem"),
        "{}",
        start()
    );
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    root.write("cert.pem", &made.cert.pem());
    root.write("key.pem", "nothing");
    assert!(
        start().contains("ssl: ./key.pem cannot be used"),
        "{}",
        start()
    );
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    root.write("key.pem", &other.signing_key.serialize_pem());
    assert!(
        start().contains("certificate and key cannot be used"),
        "{}",
        start()
    );
}
