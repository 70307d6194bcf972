//! What can only be judged when all settings are known.

use super::model::{DatabaseKind, Settings};
use super::note::Report;

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

pub fn check(settings: &Settings, report: &mut Report) {
    database(settings, report);
    clients(settings, report);
    placeholders(settings, report);
    logins(settings, report);
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
