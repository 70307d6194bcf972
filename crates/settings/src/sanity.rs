//! Checks that need all settings.

use super::diagnostics::Report;
use super::model::{DatabaseKind, Settings, Tier};

/// Passwords and secrets that come with examples, and that strangers try first.
const PLACEHOLDERS: [&str; 7] = [
    "",
    "admin",
    "changeme",
    "changeme1",
    "password",
    "secret",
    "user",
];

pub(crate) fn check(settings: &Settings, report: &mut Report) {
    database(settings, report);
    clients(settings, report);
    placeholders(settings, report);
    logins(settings, report);
    issuer(settings, report);
    feed(settings, report);
    frames(settings, report);
    templates(settings, report);
}

/// What others rely on must not follow the `Host` of a request.
fn issuer(settings: &Settings, report: &mut Report) {
    let access = &settings.access;
    if settings.listen.public_url.is_some() {
        return;
    }
    if !access.sso.clients.is_empty() && access.sso.issuer.is_none() {
        let text = "publicURL is not set: tokens name the address that was asked, and count only \
                    where the same address is asked; set publicURL, or sso.issuer";
        report.warn("publicURL", None, text);
    }
    if access.login.issuer.is_some() {
        let text = "publicURL is not set: people come back from login.issuer to the address that \
                    they have asked; set publicURL";
        report.warn("publicURL", None, text);
    }
}

/// A man in the middle could announce anything.
fn feed(settings: &Settings, report: &mut Report) {
    let updates = &settings.updates;
    let is_plain = updates
        .repository
        .get(..7)
        .is_some_and(|start| start.eq_ignore_ascii_case("http://"));
    if is_plain && updates.tier != Tier::Off && !updates.allow_insecure_feed {
        let text = "updates.codehostRepo is an address of plain HTTP; use https://, or set \
                    updates.allowInsecureFeed";
        report.fail("updates.codehostRepo", None, text);
    }
}

fn frames(settings: &Settings, report: &mut Report) {
    let ancestors = &settings.listen.frame_ancestors;
    if ancestors.len() > 1 && ancestors.iter().any(|source| source.0 == "'none'") {
        let text = "frameAncestors has \"'none'\" beside others, which browsers ignore then";
        report.fail("frameAncestors", None, text);
    }
}

/// What the first page has room for.
const TEMPLATES: usize = 100;
const TEMPLATE_TEXT: usize = 100;

fn templates(settings: &Settings, report: &mut Report) {
    let templates = &settings.pads.templates;
    if templates.len() > TEMPLATES {
        let text = format!("templates has more than {TEMPLATES} items");
        report.fail("templates", None, text);
    }
    for (at, template) in templates.iter().enumerate() {
        // One without a name is not offered; that it is missing has been told already.
        if template.name.is_empty() {
            continue;
        }
        let key = format!("templates[{at}].name");
        let before = templates.iter().take(at);
        if before.into_iter().any(|other| other.name == template.name) {
            let text = format!("{key} is {:?}, like one before it", template.name);
            report.fail(&key, None, text);
        }
        let is_long = |text: &str| text.chars().count() > TEMPLATE_TEXT;
        if is_long(&template.name) || is_long(template.title()) {
            let text = format!("{key} and its title have at most {TEMPLATE_TEXT} characters");
            report.fail(&key, None, text);
        }
    }
}

fn database(settings: &Settings, report: &mut Report) {
    let database = &settings.database;
    if database.kind != DatabaseKind::Postgres || database.connection.is_some() {
        return;
    }
    let needed = [
        ("dbSettings.user", &database.user),
        ("dbSettings.database", &database.name),
    ];
    for (key, _) in needed.iter().filter(|(_, value)| value.is_none()) {
        let text = format!("{key} is missing, which dbType \"postgres\" needs");
        report.fail(key, None, text);
    }
}

fn clients(settings: &Settings, report: &mut Report) {
    let clients = &settings.access.sso.clients;
    for (at, client) in clients.iter().enumerate() {
        // Those without an id have been told already.
        let before = clients.iter().take(at).filter(|other| !other.id.is_empty());
        if before.into_iter().any(|other| other.id == client.id) {
            let key = format!("sso.clients[{at}].client_id");
            let text = format!("{key} is {:?}, like that of a client before it", client.id);
            report.fail(&key, None, text);
        }
    }
}

fn placeholders(settings: &Settings, report: &mut Report) {
    let users = settings.access.users.iter();
    let passwords = users.map(|(name, user)| (format!("users.{name}.password"), &user.password));
    let clients = settings.access.sso.clients.iter().enumerate();
    let secrets =
        clients.map(|(at, client)| (format!("sso.clients[{at}].client_secret"), &client.secret));
    for (key, secret) in passwords.chain(secrets) {
        let is_placeholder = |secret: &&_| PLACEHOLDERS.contains(secret);
        if secret
            .as_ref()
            .map(|s| s.0.as_str())
            .as_ref()
            .is_some_and(is_placeholder)
        {
            let text = format!("{key} is one that strangers try first; choose another");
            report.warn(&key, None, text);
        }
    }
}

/// What is written down and does nothing.
fn logins(settings: &Settings, report: &mut Report) {
    let access = &settings.access;
    let login = &access.login;
    // One that is wrong has been told already.
    let has_issuer = login
        .issuer
        .as_ref()
        .is_some_and(|issuer| !issuer.0.is_empty());
    if has_issuer && login.client_id.is_empty() {
        let text = "login.clientId is missing, which login.issuer needs";
        report.fail("login.clientId", None, text.to_owned());
    }
    if login.header.is_some() && !settings.listen.trust_proxy.is_on() {
        let text = "login.header counts with trustProxy only, since anybody can send headers";
        report.warn("login.header", None, text.to_owned());
    }
    if access.require_authorization && !access.require_authentication {
        let text = "requireAuthorization counts with requireAuthentication only";
        report.warn("requireAuthorization", None, text.to_owned());
    }
}
