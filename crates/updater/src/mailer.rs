//! Mail to the administrator about updates. Whatever becomes of it, nothing waits for it.

use notify::{MailError, send_mail};
use tracing::{info, warn};
use update::mail::Mail;

/// Hands a mail to the server, or notes that there is none to hand it to.
pub(crate) async fn send(settings: settings::Mail, mail: Mail) {
    let Some(admin) = &settings.admin else {
        return;
    };
    let subject = mail.subject.clone();
    let mail = notify::Mail {
        subject: mail.subject,
        body: mail.body,
    };
    match send_mail(&settings, ("adminEmail", admin), mail).await {
        Ok(()) => info!("email sent to {admin}"),
        Err(MailError::NoServer) => info!("(would send email) to {admin}: {subject}"),
        Err(problem) => warn!("email send failed: {problem}"),
    }
}
