//! Rows: updates, and mail to the administrator.

use super::{Section, any, older, whole};

/// The longest grace is a week.
const WEEK_IN_MINUTES: u64 = 10_080;
const DAY_IN_SECONDS: u64 = 86_400;

pub(super) const UPDATES: Section = Section {
    title: "Updates",
    rows: &[
        any(
            "updates.tier",
            |s| &mut s.updates.tier,
            "How much happens by itself: nothing, telling, installing when asked, installing after \
             a grace, installing in the maintenance window. What installs needs a git checkout.",
        )
        .variable("UPDATES_TIER"),
        any(
            "updates.source",
            |s| &mut s.updates.source,
            "Where releases are announced; Etherpad's `\"github\"` is taken for it.",
        ),
        any(
            "updates.channel",
            |s| &mut s.updates.channel,
            "Which releases count.",
        ),
        any(
            "updates.installMethod",
            |s| &mut s.updates.install_method,
            "How the service was installed, if that is not to be found out.",
        ),
        whole(
            "updates.checkIntervalHours",
            (1, 168),
            |s| &mut s.updates.check_interval_hours,
            "How often releases are looked for, in hours.",
        ),
        older(
            "updates.githubRepo",
            "updates.codehostRepo",
            "Ignored when `updates.codehostRepo` is given.",
        ),
        any(
            "updates.codehostRepo",
            |s| &mut s.updates.repository,
            "The repository whose releases count: `owner/name`, or the address of its API on \
             another code host. The default is the project's own. It has no public address yet: \
             the default leads nowhere, the log says once that no release could be looked for, \
             and forks and mirrors set their own.",
        ),
        any(
            "updates.requireAdminForStatus",
            |s| &mut s.updates.require_admin_for_status,
            "Show the state of updates to signed-in administrators only.",
        ),
        whole(
            "updates.preApplyGraceMinutes",
            (0, WEEK_IN_MINUTES),
            |s| &mut s.updates.grace_minutes,
            "How many minutes tier `auto` waits between finding a release and installing it.",
        )
        .clamped(),
        whole(
            "updates.drainSeconds",
            (0, DAY_IN_SECONDS),
            |s| &mut s.updates.drain_seconds,
            "How long before the restart people in pads are informed, in seconds. 0: it \
             comes at once.",
        ),
        whole(
            "updates.rollbackHealthCheckSeconds",
            (1, DAY_IN_SECONDS),
            |s| &mut s.updates.health_check_seconds,
            "How long a new version may take to answer before the old one is put back, in seconds.",
        ),
        whole(
            "updates.diskSpaceMinMB",
            (0, 1_000_000_000),
            |s| &mut s.updates.min_free_megabytes,
            "How much free space an update needs, in megabytes. 0: it is not looked at.",
        ),
        any(
            "updates.requireSignature",
            |s| &mut s.updates.require_signature,
            "Install only what was signed with a trusted key. Unset, tiers `auto` and \
             `autonomous` do, and the others do not.",
        ),
        any(
            "updates.allowInsecureFeed",
            |s| &mut s.updates.allow_insecure_feed,
            "Look for releases over plain HTTP, too, where anybody on the way can change what is \
             announced. Otherwise `updates.codehostRepo` has to be an address of HTTPS.",
        ),
        any(
            "updates.trustedKeysPath",
            |s| &mut s.updates.trusted_keys,
            "The folder of the keyring to check with. Unset, it is the user's own.",
        ),
        any(
            "updates.maintenanceWindow",
            |s| &mut s.updates.window,
            "When tier `autonomous` may install. The end does not belong to it; an end before the \
             start is on the next day. A window that cannot be understood is a warning, and tier \
             `autonomous` then acts like `auto`.",
        ),
    ],
};

pub(super) const MAIL: Section = Section {
    title: "Mail",
    rows: &[
        any(
            "adminEmail",
            |s| &mut s.mail.admin,
            "Who is informed about updates by mail. Unset, nobody is.",
        ),
        any(
            "mail.host",
            |s| &mut s.mail.host,
            "The server that takes mail. Unset, mail is only noted in the log.",
        ),
        whole(
            "mail.port",
            (1, 65_535),
            |s| &mut s.mail.port,
            "The port of that server.",
        ),
        any(
            "mail.secure",
            |s| &mut s.mail.secure,
            "Encrypt from the start (usually port 465); when off, encrypt if the server offers it.",
        ),
        any(
            "mail.from",
            |s| &mut s.mail.from,
            "The sender. Unset, mail is only noted in the log.",
        ),
        any(
            "mail.auth.user",
            |s| &mut s.mail.user,
            "The name to sign in with, if the server asks for one.",
        ),
        any(
            "mail.auth.pass",
            |s| &mut s.mail.password,
            "The password for it.",
        ),
    ],
};
