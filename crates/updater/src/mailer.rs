//! Mail to the administrator. Whatever becomes of it, nothing waits for it.

use std::time::Duration;

use lettre::address::AddressError;
use lettre::message::Mailbox;
use lettre::transport::smtp;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use thiserror::Error;
use tracing::{info, warn};
use update::mail::Mail;

use super::feed::reason;

const LIMIT: Duration = Duration::from_secs(60);

/// Hands a mail to the server, or notes that there is none to hand it to.
pub(crate) async fn send(settings: settings::Mail, mail: Mail) {
    let Some(admin) = settings.admin.clone() else {
        return;
    };
    let (Some(host), Some(from)) = (settings.host.clone(), settings.from.clone()) else {
        info!("(would send email) to {admin}: {}", mail.subject);
        return;
    };
    let sent = async {
        let message = message(&from, &admin, mail)?;
        let transport = transport(&host, &settings)?;
        transport.send(message).await?;
        Ok::<(), MailError>(())
    };
    match tokio::time::timeout(LIMIT, sent).await {
        Ok(Ok(())) => info!("email sent to {admin}"),
        Ok(Err(problem)) => warn!("email send failed: {problem}"),
        Err(_) => warn!("email send failed: no end within {} s", LIMIT.as_secs()),
    }
}

/// Why a mail is not sent.
#[derive(Debug, Error)]
enum MailError {
    #[error("{0} is no address: {1}")]
    Address(&'static str, AddressError),
    #[error(transparent)]
    Message(#[from] lettre::error::Error),
    #[error("{}", reason(.0))]
    Smtp(#[from] smtp::Error),
}

fn message(from: &str, to: &str, mail: Mail) -> Result<Message, MailError> {
    let mailbox = |text: &str, key: &'static str| {
        let parsed: Result<Mailbox, _> = text.parse();
        parsed.map_err(|error| MailError::Address(key, error))
    };
    Ok(Message::builder()
        .from(mailbox(from, "mail.from")?)
        .to(mailbox(to, "adminEmail")?)
        .subject(mail.subject)
        .body(mail.body)?)
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
