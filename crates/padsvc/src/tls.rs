//! HTTPS without a proxy: the certificate and the key of the settings.
//!
//! They are read once, when the server starts; one that got a new certificate is started anew.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::serve::StartError;
use settings::{Listen, Tls};

/// What connections are encrypted with, if they are.
pub fn acceptor(settings: &Listen, root: &Path) -> Result<Option<TlsAcceptor>, StartError> {
    let files = settings.tls.as_ref();
    let made = files.map(|files| open(files, root)).transpose();
    made.map_err(StartError::Nothing)
}

/// What is wrong with the files is said in words.
fn open(settings: &Tls, root: &Path) -> Result<TlsAcceptor, String> {
    let mut chain = certificates(&root.join(&settings.certificate))?;
    for file in &settings.authorities {
        chain.extend(certificates(&root.join(file))?);
    }
    let path = root.join(&settings.key);
    let key = PrivateKeyDer::from_pem_file(&path).map_err(|error| because(&path, &error))?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_no_client_auth()
        .with_single_cert(chain, key);
    let mut config =
        config.map_err(|error| format!("ssl: certificate and key cannot be used: {error}"))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let found = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    let found: Vec<CertificateDer> = found.map_err(|error| because(path, &error))?;
    match found.is_empty() {
        true => Err(format!(
            "ssl: there is no certificate in {}",
            path.display()
        )),
        false => Ok(found),
    }
}

fn because(path: &Path, error: &pem::Error) -> String {
    format!("ssl: {} cannot be used: {error}", path.display())
}
