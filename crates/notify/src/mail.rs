//! Mail over the server of the settings.

use std::time::Duration;

use lettre::address::AddressError;
use lettre::message::Mailbox;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use thiserror::Error;

use crate::reason;

const LIMIT: Duration = Duration::from_secs(60);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub subject: String,
    pub body: String,
}

/// Why a mail is not sent.
#[derive(Debug, Error)]
pub enum MailError {
    /// Nothing to hand it to.
    #[error("mail.host and mail.from are not set")]
    NoServer,
    #[error("{0} is no address: {1}")]
    Address(&'static str, AddressError),
    #[error(transparent)]
    Message(#[from] lettre::error::Error),
    #[error("{}", reason(.0))]
    Smtp(#[from] smtp::Error),
    #[error("no end within {} s", LIMIT.as_secs())]
    TimedOut,
}

impl MailError {
    /// Whether another attempt may succeed.
    pub fn is_temporary(&self) -> bool {
        match self {
            MailError::TimedOut => true,
            MailError::Smtp(error) => !error.is_permanent(),
            MailError::NoServer | MailError::Address(..) | MailError::Message(_) => false,
        }
    }
}

/// Hands a mail to the server. `key` is the setting that `to` is from.
pub async fn send_mail(
    settings: &settings::Mail,
    (key, to): (&'static str, &str),
    mail: Mail,
) -> Result<(), MailError> {
    let (Some(host), Some(from)) = (&settings.host, &settings.from) else {
        return Err(MailError::NoServer);
    };
    let message = Message::builder()
        .from(mailbox(from, "mail.from")?)
        .to(mailbox(to, key)?)
        .subject(mail.subject)
        .body(mail.body)?;
    let transport = transport(host, settings)?;
    let sent = tokio::time::timeout(LIMIT, transport.send(message)).await;
    sent.map_err(|_| MailError::TimedOut)??;
    Ok(())
}

fn mailbox(text: &str, key: &'static str) -> Result<Mailbox, MailError> {
    let parsed: Result<Mailbox, _> = text.parse();
    parsed.map_err(|error| MailError::Address(key, error))
}

fn transport(
    host: &str,
    settings: &settings::Mail,
) -> Result<AsyncSmtpTransport<Tokio1Executor>, MailError> {
    let parameters = TlsParameters::new(host.to_owned())?;
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
        .port(settings.port)
        .timeout(Some(LIMIT / 2))
        .tls(if settings.secure {
            Tls::Wrapper(parameters)
        } else {
            Tls::Opportunistic(parameters)
        });
    if let (Some(user), Some(password)) = (&settings.user, &settings.password) {
        builder = builder.credentials(Credentials::new(user.clone(), password.0.clone()));
    }
    Ok(builder.build())
}
