//! Plugins as the admin area shows them. What comes from a plugin is text, and no secret is shown.

use plugin::settings::Property;
use plugin::{Hook, Permission};
use plugins::{Health, Installed, Review};
use serde_json::{Value, json};

pub(super) fn review(review: &Review) -> Value {
    let manifest = &review.manifest;
    let permissions = manifest.permissions.iter();
    let permissions = permissions.map(|it| describe(it, review.added.contains(it)));
    json!({
        "name": manifest.name,
        "version": manifest.version.to_string(),
        "title": manifest.title,
        "description": manifest.description,
        "author": manifest.author,
        "license": manifest.license,
        "homepage": manifest.homepage,
        "installed": review.installed.as_ref().map(ToString::to_string),
        "permissions": permissions.collect::<Vec<Value>>(),
        "browsers": review.runs_in_browsers,
        "browsersAdded": review.browsers_added,
        "sha256": review.sha256,
    })
}

pub(super) fn installed(plugin: &Installed, health: Option<&Health>, language: &str) -> Value {
    let manifest = plugin.manifest();
    let settings = manifest.settings.properties();
    let settings = settings.map(|(key, property)| setting(plugin, key, property, language));
    let permissions = plugin.granted.iter().map(|it| describe(it, false));
    json!({
        "name": manifest.name,
        "version": manifest.version.to_string(),
        "title": manifest.title,
        "description": manifest.description,
        "author": manifest.author,
        "license": manifest.license,
        "homepage": manifest.homepage,
        "enabled": plugin.is_enabled(),
        "permissions": permissions.collect::<Vec<Value>>(),
        "browsers": plugin.package.runs_in_browsers(),
        "settings": settings.collect::<Vec<Value>>(),
        "pads": plugin.pads,
        "health": health,
        // It has a page of its own.
        "page": manifest.hooks.contains_key(&Hook::AdminPage),
        "installed": plugin.record.installed.millis(),
        "sha256": plugin.record.sha256,
    })
}

fn describe(permission: &Permission, added: bool) -> Value {
    let meaning = permission.meaning();
    json!({ "permission": permission, "meaning": meaning, "added": added })
}

fn setting(plugin: &Installed, key: &str, property: &Property, language: &str) -> Value {
    let texts = plugin.package.texts();
    let name = format!("settings.{key}");
    let in_language = |language| texts.get(language).and_then(|texts| texts.get(&name));
    let title = in_language(language).or_else(|| in_language("en"));
    let value = plugin.settings.get(key).filter(|_| !property.secret);
    json!({
        "key": key,
        "schema": property,
        "title": title.unwrap_or(&property.title),
        // Of a secret only whether there is one.
        "value": value,
        "isSet": plugin.settings.get(key).is_some_and(|value| *value != property.default),
    })
}
