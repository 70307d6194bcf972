//! HTTPS without a proxy: the certificate and the key of the settings.
//!
//! They are read once, at start: after a new certificate the server needs a restart.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use settings::{Listen, Tls};
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// Each text names the file to look at.
#[derive(Debug, Error)]
pub enum TlsError {
    #[error("ssl: {} cannot be used: {}", .0.display(), .1)]
    File(PathBuf, pem::Error),
    #[error("ssl: there is no certificate in {}", .0.display())]
    NoCertificate(PathBuf),
    #[error("ssl: certificate and key cannot be used: {0}")]
    Pair(rustls::Error),
}

/// The acceptor of encrypted connections, if the settings name a certificate.
pub fn acceptor(settings: &Listen, root: &Path) -> Result<Option<TlsAcceptor>, TlsError> {
    let files = settings.tls.as_ref();
    files.map(|files| open(files, root)).transpose()
}

/// The certificate that clients are shown, in DER form.
pub fn certificate(settings: &Listen, root: &Path) -> Result<Option<Vec<u8>>, TlsError> {
    let Some(files) = &settings.tls else {
        return Ok(None);
    };
    let chain = certificates(&root.join(&files.certificate))?;
    Ok(chain.first().map(|shown| shown.to_vec()))
}

/// The SHA-256 sum of that.
pub fn fingerprint(settings: &Listen, root: &Path) -> Result<Option<[u8; 32]>, TlsError> {
    let shown = certificate(settings, root)?;
    Ok(shown.map(|shown| Sha256::digest(shown).into()))
}

fn open(settings: &Tls, root: &Path) -> Result<TlsAcceptor, TlsError> {
    let mut chain = certificates(&root.join(&settings.certificate))?;
    for file in &settings.authorities {
        chain.extend(certificates(&root.join(file))?);
    }
    let path = root.join(&settings.key);
    let key = PrivateKeyDer::from_pem_file(&path).map_err(|error| TlsError::File(path, error))?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Pair)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(TlsError::Pair)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let found = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    let found: Vec<CertificateDer> =
        found.map_err(|error| TlsError::File(path.to_owned(), error))?;
    if found.is_empty() {
        return Err(TlsError::NoCertificate(path.to_owned()));
    }
    Ok(found)
}
