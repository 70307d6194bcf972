//! HTTPS by the server itself.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::client::Request;
use crate::server::{Server, TempRoot, run, stderr};

const SETTINGS: &str = r#"{"ssl": {"key": "key.pem", "cert": "cert.pem"}}"#;

#[test]
fn pads_are_served_encrypted() {
    let root = TempRoot::with_settings("tls", SETTINGS);
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    root.write("cert.pem", &made.cert.pem());
    root.write("key.pem", &made.signing_key.serialize_pem());
    let server = Server::start(&root);

    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let send = |request: &Request| {
        let name = ServerName::try_from("localhost").unwrap();
        let client = ClientConnection::new(Arc::new(config.clone()), name).unwrap();
        let socket = TcpStream::connect(&server.address).unwrap();
        let mut stream = StreamOwned::new(client, socket);
        stream.write_all(&request.bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let health = send(&Request::get("/health"));
    assert!(health.starts_with("HTTP/1.1 200"), "{health}");
    // The cookies know that they are safe.
    let page = send(&Request::get("/p/notes"));
    assert!(page.to_lowercase().contains("; secure"), "{page}");

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
