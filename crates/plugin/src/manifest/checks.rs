//! From the form of a plugin.json to its meaning.

use std::collections::{BTreeMap, BTreeSet};

use semver::{Version, VersionReq};

use super::{
    API_FUNCTIONS, DESCRIPTION, LINE, Manifest, ManifestError, OnFailure, PERMISSIONS, RawManifest,
    TITLE,
};
use crate::attributes::{AttributeDeclaration, DECLARATIONS};
use crate::hooks::{Hook, Wait};
use crate::parameter::{has_units, is_plain};
use crate::permission::{Permission, excerpt, grants};
use crate::settings::is_key;

pub(super) fn check(raw: RawManifest) -> Result<Manifest, ManifestError> {
    let name = raw.name.parse().map_err(ManifestError::Name)?;
    let version = version(&raw.version)?;
    let interface = interface(&raw.interface)?;
    check_texts(&raw)?;
    let permissions = permissions(&raw.permissions)?;
    let hooks = hooks(&raw, &permissions)?;
    let refusing = refusing(&raw, &hooks)?;
    raw.settings.validate().map_err(ManifestError::Settings)?;
    check_attributes(&raw.attributes)?;
    check_api(&raw.api, &hooks)?;
    Ok(Manifest {
        name,
        version,
        interface,
        title: raw.title,
        description: raw.description,
        author: raw.author,
        license: raw.license,
        homepage: raw.homepage,
        permissions,
        hooks,
        refusing,
        settings: raw.settings,
        attributes: raw.attributes,
        api: raw.api,
    })
}

/// Part of the names of files, so no longer than those need.
fn version(text: &str) -> Result<Version, ManifestError> {
    let version = Version::parse(text).ok().filter(|_| text.len() <= 40);
    version.ok_or_else(|| ManifestError::Version(excerpt(text)))
}

fn interface(text: &str) -> Result<VersionReq, ManifestError> {
    let wanted = VersionReq::parse(text).ok().filter(|_| text.len() <= 40);
    let wanted = wanted.ok_or_else(|| ManifestError::InterfaceForm(excerpt(text)))?;
    if wanted.matches(&crate::INTERFACE) {
        Ok(wanted)
    } else {
        Err(ManifestError::Interface {
            wanted: wanted.to_string(),
        })
    }
}

fn check_texts(raw: &RawManifest) -> Result<(), ManifestError> {
    if !is_line(&raw.title, TITLE) {
        return Err(ManifestError::Title);
    }
    if !is_line(&raw.description.replace('\n', " "), DESCRIPTION) {
        return Err(ManifestError::Description);
    }
    for (name, text) in [
        ("author", &raw.author),
        ("license", &raw.license),
        ("homepage", &raw.homepage),
    ] {
        if text.as_deref().is_some_and(|text| !is_line(text, LINE)) {
            return Err(ManifestError::Line(name));
        }
    }
    // It becomes a link in the admin area.
    let homepage = raw.homepage.as_deref().unwrap_or("https://");
    if homepage.starts_with("https://") || homepage.starts_with("http://") {
        Ok(())
    } else {
        Err(ManifestError::Homepage)
    }
}

fn is_line(text: &str, max: usize) -> bool {
    !text.trim().is_empty() && has_units(text, max) && is_plain(text)
}

fn permissions(texts: &[String]) -> Result<BTreeSet<Permission>, ManifestError> {
    if texts.len() > PERMISSIONS {
        return Err(ManifestError::TooManyPermissions);
    }
    let mut permissions = BTreeSet::new();
    for (index, text) in texts.iter().enumerate() {
        let wrong = |error| ManifestError::Permission(index, error);
        if !permissions.insert(text.parse().map_err(wrong)?) {
            return Err(ManifestError::RepeatedPermission(index, excerpt(text)));
        }
    }
    Ok(permissions)
}

fn hooks(
    raw: &RawManifest,
    permissions: &BTreeSet<Permission>,
) -> Result<BTreeMap<Hook, Option<u32>>, ManifestError> {
    let mut hooks = BTreeMap::new();
    for (index, text) in raw.hooks.iter().enumerate() {
        let unknown = |()| ManifestError::UnknownHook(index, excerpt(text));
        let hook: Hook = text.parse().map_err(unknown)?;
        let needed = hook.row().permission;
        if let Some(needed) = needed.filter(|needed| !grants(permissions, *needed)) {
            return Err(ManifestError::HookWithoutPermission {
                index,
                hook: hook.name(),
                permission: needed.name(),
            });
        }
        if hooks.insert(hook, hook.budget_ms()).is_some() {
            return Err(ManifestError::RepeatedHook(index, excerpt(text)));
        }
    }
    for (text, milliseconds) in &raw.budgets {
        let hook = text.parse().ok().filter(|hook| hooks.contains_key(hook));
        let hook: Hook = hook.ok_or_else(|| ManifestError::BudgetWithoutHook(excerpt(text)))?;
        hooks.insert(hook, Some(budget(hook, *milliseconds)?));
    }
    Ok(hooks)
}

fn budget(hook: Hook, milliseconds: u32) -> Result<u32, ManifestError> {
    let name = hook.name();
    match hook.row().wait {
        Wait::Never => Err(ManifestError::BudgetWithoutWait(name)),
        Wait::Budget { max_ms, .. } if (1..=max_ms).contains(&milliseconds) => Ok(milliseconds),
        Wait::Budget { max_ms, .. } => Err(ManifestError::Budget {
            hook: name,
            max: max_ms,
        }),
    }
}

fn refusing(
    raw: &RawManifest,
    hooks: &BTreeMap<Hook, Option<u32>>,
) -> Result<BTreeSet<Hook>, ManifestError> {
    let mut refusing = BTreeSet::new();
    for (text, outcome) in &raw.on_failure {
        let hook = text.parse().ok().filter(|hook| hooks.contains_key(hook));
        let hook: Hook = hook.ok_or_else(|| ManifestError::FailureWithoutHook(excerpt(text)))?;
        if !hook.row().decides {
            return Err(ManifestError::FailureWithoutDecision(hook.name()));
        }
        if *outcome == OnFailure::Refuse {
            refusing.insert(hook);
        }
    }
    Ok(refusing)
}

fn check_attributes(declarations: &[AttributeDeclaration]) -> Result<(), ManifestError> {
    if declarations.len() > DECLARATIONS {
        return Err(ManifestError::TooManyAttributes);
    }
    let mut keys = BTreeSet::new();
    for (index, declaration) in declarations.iter().enumerate() {
        let wrong = |error| ManifestError::Attribute(index, error);
        declaration.validate().map_err(wrong)?;
        if !keys.insert(&declaration.key) {
            let key = declaration.key.clone();
            return Err(ManifestError::RepeatedAttribute(index, key));
        }
    }
    Ok(())
}

fn check_api(
    functions: &BTreeMap<String, String>,
    hooks: &BTreeMap<Hook, Option<u32>>,
) -> Result<(), ManifestError> {
    if functions.len() > API_FUNCTIONS {
        return Err(ManifestError::TooManyApiFunctions);
    }
    for (name, description) in functions {
        if !is_key(name) {
            return Err(ManifestError::ApiName(excerpt(name)));
        }
        if !is_line(description, LINE) {
            return Err(ManifestError::ApiDescription(name.clone()));
        }
    }
    match (functions.is_empty(), hooks.contains_key(&Hook::ApiCall)) {
        (false, false) => Err(ManifestError::ApiWithoutHook),
        (true, true) => Err(ManifestError::HookWithoutApi),
        _ => Ok(()),
    }
}
