//! What is done to plugins: by a running server, which uses them at once, or on the store.

use std::collections::BTreeSet;

use plugin::{Name, PadPatterns, Permission};
use plugins::manage::{Consent, ManageError, Review};
use plugins::registry::Installed;
use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::progress::count;
use super::{Failure, Operations, ProgressSender, Summary};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PluginTask {
    List,
    Install {
        /// What to fetch from the catalogue, if the archive is empty.
        catalogue: Option<(Name, Option<Version>)>,
        /// Travels beside the rest.
        #[serde(skip)]
        archive: Vec<u8>,
        agreed: Agreed,
        dry_run: bool,
    },
    Remove {
        names: Vec<String>,
    },
    SetEnabled {
        names: Vec<String>,
        enabled: bool,
    },
    Pads {
        name: String,
        /// None: they are shown.
        patterns: Vec<String>,
    },
}

/// What the operator agrees to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Agreed {
    /// The package that was looked at; `None`: the one that is given.
    pub sha256: Option<String>,
    pub granted: BTreeSet<Permission>,
    /// To every permission that is asked for.
    pub all: bool,
    /// To code in browsers.
    pub browsers: bool,
}

impl PluginTask {
    /// For the audit log: which plugins; `None` if nothing changes.
    pub(super) fn audited(&self) -> Option<String> {
        match self {
            PluginTask::List | PluginTask::Install { dry_run: true, .. } => None,
            PluginTask::Install { catalogue, .. } => {
                let named = catalogue.as_ref().map(|(name, _)| name.to_string());
                Some(named.unwrap_or_default())
            }
            PluginTask::Remove { names } | PluginTask::SetEnabled { names, .. } => {
                Some(names.join(", "))
            }
            PluginTask::Pads { name, patterns } => (!patterns.is_empty()).then(|| name.clone()),
        }
    }

    /// For the log.
    pub(super) fn name(&self) -> &'static str {
        match self {
            PluginTask::List => "plugins list",
            PluginTask::Install { .. } => "plugins install",
            PluginTask::Remove { .. } => "plugins remove",
            PluginTask::SetEnabled { enabled: true, .. } => "plugins enable",
            PluginTask::SetEnabled { .. } => "plugins disable",
            PluginTask::Pads { .. } => "plugins pads",
        }
    }
}

impl Operations {
    pub(super) async fn plugins(
        &self,
        task: PluginTask,
        out: &ProgressSender,
    ) -> Result<Summary, Failure> {
        match task {
            PluginTask::List => self.list_plugins(out).await,
            PluginTask::Install {
                catalogue,
                archive,
                agreed,
                dry_run,
            } => {
                let archive = match catalogue {
                    Some((name, version)) => self.plugins.fetch(&name, version.as_ref()).await?,
                    None => archive,
                };
                self.install_plugin(&archive, agreed, dry_run, out).await
            }
            PluginTask::Remove { names } => {
                for name in &names {
                    self.plugins.remove(name).await?;
                    out.row(format!("{name}: removed"), json!({ "name": name }))
                        .await?;
                }
                Ok(done("removed", names.len()))
            }
            PluginTask::SetEnabled { names, enabled } => {
                let verb = if enabled { "enabled" } else { "disabled" };
                for name in &names {
                    self.plugins.set_enabled(name, enabled).await?;
                    out.row(format!("{name}: {verb}"), json!({ "name": name }))
                        .await?;
                }
                Ok(done(verb, names.len()))
            }
            PluginTask::Pads { name, patterns } => self.pads_of_plugin(&name, patterns).await,
        }
    }

    async fn pads_of_plugin(&self, name: &str, patterns: Vec<String>) -> Result<Summary, Failure> {
        if !patterns.is_empty() {
            let pads = PadPatterns::new(patterns).map_err(ManageError::from)?;
            let nothing = json!({});
            self.plugins.configure(name, &nothing, Some(&pads)).await?;
        }
        let registry = self.plugins.registry();
        registry.reload().await?;
        let snapshot = registry.current();
        let installed = snapshot.get(name);
        let installed = installed.ok_or_else(|| ManageError::not_installed(name))?;
        let pads = installed.pads.patterns().join(", ");
        Ok(Summary {
            text: format!("{name} is switched on for the pads {pads}"),
            data: json!({ "name": name, "pads": installed.pads }),
            ok: true,
        })
    }

    async fn list_plugins(&self, out: &ProgressSender) -> Result<Summary, Failure> {
        let registry = self.plugins.registry();
        registry.reload().await?;
        let snapshot = registry.current();
        for plugin in snapshot.plugins.values() {
            out.row(line(plugin), installed(plugin)).await?;
        }
        for (name, reason) in &snapshot.unusable {
            let data = json!({ "name": name, "unusable": reason });
            out.row(format!("{name}: cannot be used: {reason}"), data)
                .await?;
        }
        let number = snapshot.plugins.len() + snapshot.unusable.len();
        Ok(Summary {
            text: format!("{} installed", count(number, "plugin")),
            data: json!({ "installed": number }),
            ok: snapshot.unusable.is_empty(),
        })
    }

    async fn install_plugin(
        &self,
        archive: &[u8],
        agreed: Agreed,
        dry_run: bool,
        out: &ProgressSender,
    ) -> Result<Summary, Failure> {
        let review = self.plugins.review(archive)?;
        for (text, data) in asked(&review) {
            out.row(text, data).await?;
        }
        let (name, version) = (&review.manifest.name, &review.manifest.version);
        let data = json!({
            "name": name,
            "version": version.to_string(),
            "before": review.installed.as_ref().map(ToString::to_string),
            "sha256": review.sha256,
            "dryRun": dry_run,
        });
        if !dry_run {
            let consent = Consent {
                sha256: agreed.sha256.unwrap_or_else(|| review.sha256.clone()),
                granted: match agreed.all {
                    true => review.manifest.permissions.clone(),
                    false => agreed.granted,
                },
                browsers: agreed.browsers,
            };
            let now = self.service.now();
            let installed = self.plugins.install(archive, &consent, now).await;
            installed.map_err(|error| match error {
                ManageError::Consent(missing) => Failure::NotAgreed(missing),
                other => other.into(),
            })?;
        }
        let verb = if dry_run {
            "would install"
        } else {
            "installed"
        };
        let instead = match &review.installed {
            Some(before) => format!(" in place of {before}"),
            None => String::new(),
        };
        Ok(Summary {
            text: format!("{verb} {name} {version}{instead}"),
            data,
            ok: true,
        })
    }
}

fn done(verb: &str, number: usize) -> Summary {
    Summary {
        text: format!("{verb} {}", count(number, "plugin")),
        data: json!({ verb: number }),
        ok: true,
    }
}

/// A line for each thing to agree to, with what it means.
fn asked(review: &Review) -> Vec<(String, Value)> {
    let permission = |permission: &Permission| {
        let is_new = review.added.contains(permission);
        let new = match (is_new, &review.installed) {
            (true, Some(_)) => " (new in this version)",
            _ => "",
        };
        let meaning = permission.meaning();
        let data = json!({ "permission": permission, "meaning": meaning, "added": is_new });
        (format!("asks for {permission}{new}: {meaning}"), data)
    };
    let sha256 = &review.sha256;
    let package = format!("package with the SHA-256 {sha256}");
    let package = [(package, json!({ "sha256": sha256 }))];
    let permissions = review.manifest.permissions.iter().map(permission);
    let browsers = review.runs_in_browsers.then(|| {
        let is_new = review.browsers_added;
        let new = match (is_new, &review.installed) {
            (true, Some(_)) => " (new in this version)",
            _ => "",
        };
        let text = "runs in the browsers of everybody who opens a pad, with their rights";
        let data = json!({ "browsers": true, "added": is_new });
        (format!("{text}{new}"), data)
    });
    let lines = package.into_iter().chain(permissions);
    lines.chain(browsers).collect()
}

fn line(plugin: &Installed) -> String {
    let manifest = plugin.manifest();
    let state = if plugin.is_enabled() {
        ""
    } else {
        ", disabled"
    };
    let granted = plugin.granted.iter().map(ToString::to_string);
    let granted: Vec<String> = granted.collect();
    let granted = match granted.as_slice() {
        [] => "no permissions".to_owned(),
        some => some.join(", "),
    };
    let pads = match plugin.pads.are_all() {
        true => String::new(),
        false => format!(", on {}", plugin.pads.patterns().join(", ")),
    };
    format!(
        "{} {}: {} ({granted}{state}{pads})",
        manifest.name, manifest.version, manifest.title
    )
}

fn installed(plugin: &Installed) -> Value {
    let manifest = plugin.manifest();
    json!({
        "name": manifest.name,
        "version": manifest.version.to_string(),
        "title": manifest.title,
        "enabled": plugin.is_enabled(),
        "granted": plugin.granted,
        "browsers": plugin.package.runs_in_browsers(),
        "pads": plugin.pads,
        "sha256": plugin.record.sha256,
        "installed": plugin.record.installed.millis(),
    })
}
