//! Connections to other nodes.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use ::aws_lc_rs::constant_time::verify_slices_are_equal;
use ::aws_lc_rs::digest::{SHA256, digest};
use axum::http::Uri;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use store::NodeRecord;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{self, ClientConfig, DigitallySignedStruct, SignatureScheme};

use crate::peer::{Fingerprint, Peer};

/// Nodes are near each other.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Connects to nodes that are in the list.
#[derive(Clone)]
pub(crate) struct Connector {
    nodes: watch::Receiver<Vec<NodeRecord>>,
}

impl Connector {
    pub(crate) fn new(nodes: watch::Receiver<Vec<NodeRecord>>) -> Connector {
        Connector { nodes }
    }

    /// The newest node at an address: a restarted one may have another certificate.
    fn peer(&self, uri: &Uri) -> Option<Peer> {
        let nodes = self.nodes.borrow();
        let mut peers = nodes
            .iter()
            .rev()
            .filter_map(|node| Peer::parse(&node.report.address));
        peers.find(|peer| Some(&peer.authority) == uri.authority())
    }
}

impl tower::Service<Uri> for Connector {
    type Response = TokioIo<PeerStream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<TokioIo<PeerStream>>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let peer = self.peer(&uri);
        Box::pin(async move {
            let peer = peer.ok_or(io::ErrorKind::NotFound)?;
            let stream = timeout(CONNECT_TIMEOUT, connect(peer)).await??;
            Ok(TokioIo::new(stream))
        })
    }
}

async fn connect(peer: Peer) -> io::Result<PeerStream> {
    let port = peer.authority.port_u16().unwrap_or_default();
    let host = peer.authority.host();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    let Some(sum) = peer.certificate else {
        return Ok(PeerStream(Box::pin(stream)));
    };
    let connector = TlsConnector::from(Arc::new(config(sum).map_err(io::Error::other)?));
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let stream = connector.connect(name, stream).await?;
    Ok(PeerStream(Box::pin(stream)))
}

trait Stream: AsyncRead + AsyncWrite + Send {}

impl<T: AsyncRead + AsyncWrite + Send> Stream for T {}

/// A connection to a node, encrypted or not.
pub(crate) struct PeerStream(Pin<Box<dyn Stream>>);

impl AsyncRead for PeerStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_read(context, buffer)
    }
}

impl AsyncWrite for PeerStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.as_mut().poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_shutdown(context)
    }
}

impl Connection for PeerStream {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

fn config(sum: Fingerprint) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = Pinned {
        sum,
        provider: Arc::clone(&provider),
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(config)
}

/// Accepts one certificate, whatever it says about itself.
#[derive(Debug)]
struct Pinned {
    sum: Fingerprint,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let sum = digest(&SHA256, shown);
        verify_slices_are_equal(sum.as_ref(), &self.sum)
            .map(|()| ServerCertVerified::assertion())
            .map_err(|_| rustls::CertificateError::UnknownIssuer.into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let known = &self.provider.signature_verification_algorithms;
        known.supported_schemes()
    }
}
