//! Rows: alerts, by mail and to a webhook.

use super::{Section, any, whole};

pub(super) const ALERTS: Section = Section {
    title: "Alerts",
    rows: &[
        any(
            "alerts.email",
            |s| &mut s.alerts.email,
            "Who gets a mail when something needs a look, over the server `mail.host`. Unset, \
             nobody does. If `adminEmail` is set, mail about updates goes there alone.",
        ),
        any(
            "alerts.webhook",
            |s| &mut s.alerts.webhook,
            "The `https` address that alerts are posted to as JSON; on this machine `http` will \
             do. Unset, none are. It may have a key in it, so it is hidden like a password.",
        ),
        any(
            "alerts.webhookSecret",
            |s| &mut s.alerts.webhook_secret,
            "Signs what is posted there: HMAC-SHA256 in the header `X-Padsvc-Signature-256`. \
             Unset, it is not signed.",
        ),
        whole(
            "alerts.slowMilliseconds",
            (10, 20_000),
            |s| &mut s.alerts.slow_milliseconds,
            "How long changes may take until they are stored before that needs a look, in \
             milliseconds: the p95 of five minutes.",
        ),
        whole(
            "alerts.certificateDays",
            (1, 90),
            |s| &mut s.alerts.certificate_days,
            "How many days before it expires the certificate of `ssl` needs a look.",
        ),
    ],
};
