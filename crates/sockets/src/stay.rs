//! Access log of pads: one line when a member enters, one when it leaves.
//!
//! Of the client's address a line holds what the settings allow. A token never gets here.

use std::time::Instant;

use pad::{AuthorId, PadId};
use service::Member;
use tracing::info;

use identity::client_ip::ClientIp;
use settings::{IpLogging, Settings};
use telemetry::log::ACCESS;
use telemetry::metrics::{Counted, METRICS};

/// The time a member is in a pad: one line at its beginning, one when it is dropped.
pub(super) struct Stay {
    pad: PadId,
    author: AuthorId,
    client: ClientIp,
    ips: IpLogging,
    begun: Instant,
    _counted: Counted,
}

impl Stay {
    pub(crate) fn begin(member: &Member, client: ClientIp, settings: &Settings) -> Stay {
        let stay = Stay {
            pad: member.pad().clone(),
            author: member.author().clone(),
            client,
            ips: settings.log.ip,
            begun: Instant::now(),
            _counted: Counted::on(&METRICS.members),
        };
        info!(
            target: ACCESS,
            author = %stay.author,
            client = %client.shown(stay.ips),
            "ENTER {}",
            stay.pad,
        );
        stay
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        info!(
            target: ACCESS,
            author = %self.author,
            client = %self.client.shown(self.ips),
            seconds = self.begun.elapsed().as_secs(),
            "LEAVE {}",
            self.pad,
        );
    }
}

/// Logs a visitor that was denied.
pub(super) fn denied(client: ClientIp, settings: &Settings) {
    info!(target: ACCESS, client = %client.shown(settings.log.ip), "DENY");
}

/// Logs a client whose address exceeds a creation limit.
pub(super) fn limited(client: ClientIp, settings: &Settings) {
    info!(target: ACCESS, client = %client.shown(settings.log.ip), "LIMIT");
}

/// Logs once that a client exceeds its rate limit and is slowed down.
pub(super) fn slowed(client: ClientIp, settings: &Settings) {
    info!(target: ACCESS, client = %client.shown(settings.log.ip), "SLOW");
}
