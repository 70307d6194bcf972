//! Rows: who may open what, and how one signs in.

use super::server::FOREVER;
use super::{Section, any, whole};

/// A year in seconds.
const YEAR: u64 = 31_557_600;

pub(super) const ACCESS: Section = Section {
    title: "Access",
    rows: &[
        any(
            "requireSession",
            |s| &mut s.access.require_session,
            "Only those with a session made through the API may open pads, which leaves the pads \
             of groups.",
        ),
        any(
            "editOnly",
            |s| &mut s.access.edit_only,
            "Pads are created through the API only; people open those that exist.",
        ),
        any(
            "requireAuthentication",
            |s| &mut s.access.require_authentication,
            "Nobody comes to pads without signing in: on the page `/sign-in`, by HTTP basic \
             authentication, through `login.header` or `login.issuer`.",
        ),
        any(
            "requireAuthorization",
            |s| &mut s.access.require_authorization,
            "Who signed in, as `requireAuthentication` asks, needs more than that to come to pads: \
             a group of `login.groups`, or to be an administrator.",
        ),
        any(
            "users",
            |s| &mut s.access.users,
            "Those who can sign in, by name. `is_admin` opens the admin area, `readOnly` forbids \
             changes, `canCreate: false` forbids new pads. `password` is a hash of argon2 or \
             bcrypt, or the password itself, which gives a warning; without one there is no \
             signing in under that name.",
        ),
        any(
            "showSettingsInAdminPage",
            |s| &mut s.access.show_settings_to_admins,
            "Show the settings in the admin area, where they can be changed. Secrets are never \
             shown.",
        ),
        any(
            "admin.lockedSettings",
            |s| &mut s.access.locked,
            "Settings that can only be changed in the file itself, and not in the admin area; the \
             name of an object locks all that is in it. By default those that name programs, files \
             and databases of the machine, or say which releases are installed. This one is \
             always locked.",
        ),
        whole(
            "admin.auditDays",
            (1, 3_650),
            |s| &mut s.access.audit_days,
            "How long the audit log, in which everything is that administrators do, is kept, in \
             days. It has half a million lines at most.",
        ),
        any(
            "adminOpenAPI.enabled",
            |s| &mut s.access.admin_openapi,
            "Serve a description of the admin interface, in the form of OpenAPI, under \
             `/admin/openapi.json`, to administrators.",
        ),
    ],
};

pub(super) const LOGINS: Section = Section {
    title: "Signing in",
    rows: &[
        any(
            "sso.issuer",
            |s| &mut s.access.sso.issuer,
            "The address that the tokens of this service name as theirs. Unset, it is `publicURL`, \
             and without that the address that was asked.",
        ),
        any(
            "sso.clients",
            |s| &mut s.access.sso.clients,
            "The programs that may get tokens. `sso` may also be this list itself.",
        ),
        whole(
            "ttl.AccessToken",
            (1, YEAR),
            |s| &mut s.access.tokens.access_token,
            "How long the access token of a user is good, in seconds.",
        ),
        whole(
            "ttl.AuthorizationCode",
            (1, YEAR),
            |s| &mut s.access.tokens.authorization_code,
            "How long a client may take to turn a code into a token, in seconds.",
        ),
        whole(
            "ttl.ClientCredentials",
            (1, YEAR),
            |s| &mut s.access.tokens.client_credentials,
            "How long the token of a program without a user is good, in seconds.",
        ),
        whole(
            "ttl.IdToken",
            (1, YEAR),
            |s| &mut s.access.tokens.id_token,
            "How long an ID token is good, in seconds.",
        ),
        any(
            "login.header",
            |s| &mut s.access.login.header,
            "Behind a proxy that lets people sign in: the header in which it names them, such as \
             `X-Forwarded-User`. It counts with `trustProxy` only, and the proxy has to take it \
             away from what others send. Who is not among `users` is one without any flags.",
        ),
        any(
            "login.issuer",
            |s| &mut s.access.login.issuer,
            "Another provider of OpenID Connect where people sign in. It has to know \
             `/sign-in/back` of this service as the address to send them back to.",
        ),
        any(
            "login.clientId",
            |s| &mut s.access.login.client_id,
            "What this service is called there.",
        ),
        any(
            "login.clientSecret",
            |s| &mut s.access.login.client_secret,
            "What it proves itself with there.",
        ),
        any(
            "login.scope",
            |s| &mut s.access.login.scope,
            "What it asks for there; `openid` is part of it.",
        ),
        any(
            "login.label",
            |s| &mut s.access.login.label,
            "What the page `/sign-in` calls that provider.",
        ),
        any(
            "login.nameClaim",
            |s| &mut s.access.login.name_claim,
            "The claim of the ID token that names a person; without it `sub` does.",
        ),
        any(
            "login.groupsClaim",
            |s| &mut s.access.login.groups_claim,
            "The claim of the ID token with a person's groups, a list or one text.",
        ),
        any(
            "login.groups",
            |s| &mut s.access.login.groups,
            "What the members of a group may do; the best counts, and `*` is everybody. Left \
             empty, all may write in pads and create them; otherwise who is in none of the groups \
             is not let in.",
        ),
        any(
            "cookie.prefix",
            |s| &mut s.access.cookies.prefix,
            "What the names of all cookies begin with, if another program on the same host uses \
             the same names.",
        ),
        any(
            "cookie.sameSite",
            |s| &mut s.access.cookies.same_site,
            "Whether cookies are sent from pages of other sites. Pads inside such pages need \
             `\"none\"`, and HTTPS.",
        ),
        whole(
            "cookie.sessionLifetime",
            (0, FOREVER),
            |s| &mut s.access.cookies.lifetime_milliseconds,
            "How long one stays signed in after the last visit, in milliseconds; 0 is until the \
             browser is closed.",
        ),
        whole(
            "cookie.sessionRefreshInterval",
            (0, FOREVER),
            |s| &mut s.access.cookies.refresh_milliseconds,
            "How often that time is extended while somebody is there, in milliseconds; 0 is \
             never.",
        ),
    ],
};
