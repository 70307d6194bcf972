//! Channels that alerts go through: mail and the webhook. Each has a queue of its own, so that one
//! in trouble does not hold up the other, and messages of one arrive in their order.

use std::fmt::Display;
use std::time::Duration;

use alerts::Message;
use notify::{Mail, Webhook, WebhookError, send_mail};
use settings::Settings;
use tokio::sync::{Mutex, mpsc};
use tracing::{info, warn};

/// More messages do not wait.
const WAITING: usize = 32;
/// A reason is no longer, in characters.
const LONGEST: usize = 300;

pub(super) struct Channel {
    pub name: &'static str,
    target: Target,
    queue: mpsc::Sender<Message>,
    waiting: Mutex<mpsc::Receiver<Message>>,
}

enum Target {
    Mail {
        settings: settings::Mail,
        to: String,
        /// The updater writes mails about updates itself.
        leaves_updates: bool,
    },
    Webhook(Box<Result<Webhook, WebhookError>>),
}

/// Why an attempt failed, and whether another one may succeed.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(super) struct Failure {
    reason: String,
    is_temporary: bool,
}

impl Failure {
    fn new(is_temporary: bool, error: &impl Display) -> Failure {
        Failure {
            reason: error.to_string().chars().take(LONGEST).collect(),
            is_temporary,
        }
    }
}

impl Channel {
    /// `None`: nobody gets mail.
    pub(super) fn mail(settings: &Settings) -> Option<Channel> {
        let target = Target::Mail {
            settings: settings.mail.clone(),
            to: settings.alerts.email.clone()?,
            leaves_updates: settings.mail.admin.is_some(),
        };
        Some(Channel::new("mail", target))
    }

    pub(super) fn webhook(settings: &settings::Alerts) -> Option<Channel> {
        let address = settings.webhook.as_ref()?;
        let webhook = Webhook::new(address, settings.webhook_secret.as_ref());
        Some(Channel::new("webhook", Target::Webhook(Box::new(webhook))))
    }

    fn new(name: &'static str, target: Target) -> Channel {
        let (queue, waiting) = mpsc::channel(WAITING);
        Channel {
            name,
            target,
            queue,
            waiting: Mutex::new(waiting),
        }
    }

    pub(super) fn enqueue(&self, message: &Message) {
        let leaves = matches!(
            self.target,
            Target::Mail {
                leaves_updates: true,
                ..
            }
        );
        if leaves && message.is_about_updates {
            return;
        }
        if self.queue.try_send(message.clone()).is_err() {
            let name = self.name;
            warn!(
                "too many alerts wait for delivery ({name}): {}",
                message.subject
            );
        }
    }

    /// What was enqueued first.
    pub(super) async fn next(&self) -> Message {
        let message = self.waiting.lock().await.recv().await;
        match message {
            Some(message) => message,
            // The sender is here, too.
            None => std::future::pending().await,
        }
    }

    /// Delivers a message, with another attempt after each pause. An error is that of the last one.
    pub(super) async fn deliver(
        &self,
        message: &Message,
        pauses: &[Duration],
    ) -> Result<(), Failure> {
        let mut pauses = pauses.iter();
        loop {
            let failure = match self.attempt(message).await {
                Ok(()) => {
                    info!("sent an alert ({}): {}", self.name, message.subject);
                    return Ok(());
                }
                Err(failure) => failure,
            };
            match pauses.next().filter(|_| failure.is_temporary) {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(failure),
            }
        }
    }

    async fn attempt(&self, message: &Message) -> Result<(), Failure> {
        match &self.target {
            Target::Mail { settings, to, .. } => {
                let mail = Mail {
                    subject: message.subject.clone(),
                    body: message.body.clone(),
                };
                let sent = send_mail(settings, ("alerts.email", to), mail).await;
                sent.map_err(|error| Failure::new(error.is_temporary(), &error))
            }
            Target::Webhook(webhook) => {
                let failure = |error: &WebhookError| Failure::new(error.is_temporary(), error);
                let webhook = webhook.as_ref().as_ref().map_err(failure)?;
                let sent = webhook.post(&message.document.to_string()).await;
                sent.map_err(|error| failure(&error))
            }
        }
    }
}
