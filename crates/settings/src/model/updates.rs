//! Keeping the program current, and telling the administrator about it.

use serde_json::{Value as Json, json};

use crate::diagnostics::Report;
use crate::tree::{Node, Value};
use crate::value::{Kind, Secret, Setting, Undecided, choices};

/// Where the project announces its releases; `Cargo.toml` of the workspace says where that is.
pub const PROJECT_REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

#[derive(Clone, Debug)]
pub struct Updates {
    pub tier: Tier,
    pub source: Source,
    pub channel: Channel,
    pub install_method: InstallMethod,
    pub check_interval_hours: u64,
    pub repository: String,
    pub require_admin_for_status: bool,
    pub grace_minutes: u64,
    pub drain_seconds: u64,
    pub health_check_seconds: u64,
    pub min_free_megabytes: u64,
    pub require_signature: Undecided,
    /// Whether releases may be announced over plain HTTP.
    pub allow_insecure_feed: bool,
    pub trusted_keys: Option<String>,
    pub window: MaintenanceWindow,
}

impl Default for Updates {
    fn default() -> Updates {
        Updates {
            tier: Tier::Notify,
            source: Source::Codehost,
            channel: Channel::Stable,
            install_method: InstallMethod::Auto,
            check_interval_hours: 6,
            repository: PROJECT_REPOSITORY.to_owned(),
            require_admin_for_status: false,
            grace_minutes: 0,
            drain_seconds: 60,
            health_check_seconds: 60,
            min_free_megabytes: 500,
            require_signature: Undecided(None),
            allow_insecure_feed: false,
            trusted_keys: None,
            window: MaintenanceWindow::Unset,
        }
    }
}

impl Updates {
    /// What installs by itself installs only what is signed, unless the operator says otherwise.
    pub fn requires_signature(&self) -> bool {
        let by_itself = matches!(self.tier, Tier::Auto | Tier::Autonomous);
        self.require_signature.0.unwrap_or(by_itself)
    }
}

choices! {
    pub enum Tier {
        Off = "off",
        #[default]
        Notify = "notify",
        Manual = "manual",
        Auto = "auto",
        Autonomous = "autonomous",
    }
}

choices! {
    pub enum Source {
        #[default]
        Codehost = "codehost",
    }
}

choices! {
    pub enum Channel {
        #[default]
        Stable = "stable",
    }
}

choices! {
    pub enum InstallMethod {
        #[default]
        Auto = "auto",
        Git = "git",
        Docker = "docker",
        Npm = "npm",
        Managed = "managed",
    }
}

/// When updates may be installed without anybody asking for it.
///
/// A window that cannot be understood is kept as such: the service starts, and the administrator
/// sees why no update waits for the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaintenanceWindow {
    #[default]
    Unset,
    Invalid,
    /// In minutes after midnight; the end is not part of it, and may be on the next day.
    Daily {
        start: u16,
        end: u16,
        zone: WindowZone,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowZone {
    Local,
    Utc,
}

impl Setting for MaintenanceWindow {
    fn allowed(&self) -> String {
        "an object with start and end, two different times as \"HH:MM\", and tz, \"local\" or \
         \"utc\""
            .to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        *self = daily(node).unwrap_or(MaintenanceWindow::Invalid);
        if *self == MaintenanceWindow::Invalid {
            let text = format!(
                "{key} must be {}; as it is, tier \"autonomous\" acts like \"auto\"",
                self.allowed()
            );
            report.warn(key, node.place, text);
        }
    }

    fn to_json(&self) -> Json {
        match self {
            MaintenanceWindow::Unset => Json::Null,
            MaintenanceWindow::Invalid => "(invalid)".into(),
            MaintenanceWindow::Daily { start, end, zone } => json!({
                "start": clock(*start),
                "end": clock(*end),
                "tz": match zone {
                    WindowZone::Local => "local",
                    WindowZone::Utc => "utc",
                },
            }),
        }
    }

    fn kind(&self) -> Kind {
        Kind::Object
    }
}

fn daily(node: &Node) -> Option<MaintenanceWindow> {
    let Value::Object(members) = &node.value else {
        return None;
    };
    let member = |name| members.iter().find(|(known, _)| known == name)?.1.text();
    let start = minutes(member("start")?)?;
    let end = minutes(member("end")?)?;
    let zone = match member("tz")? {
        "local" => WindowZone::Local,
        "utc" => WindowZone::Utc,
        _ => return None,
    };
    (start != end).then_some(MaintenanceWindow::Daily { start, end, zone })
}

/// Minutes after midnight of exactly `HH:MM`.
fn minutes(text: &str) -> Option<u16> {
    let part = |text: &str, below: u16| {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        let value: u16 = digits.then(|| text.parse().ok())??;
        (value < below).then_some(value)
    };
    let (hours, minutes) = text.split_once(':')?;
    Some(part(hours, 24)? * 60 + part(minutes, 60)?)
}

fn clock(minutes: u16) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// How mail is sent, and to whom.
#[derive(Clone, Debug)]
pub struct Mail {
    pub admin: Option<String>,
    pub host: Option<String>,
    pub port: u16,
    /// Encrypted from the start, instead of when the server offers it.
    pub secure: bool,
    pub from: Option<String>,
    pub user: Option<String>,
    pub password: Option<Secret>,
}

impl Default for Mail {
    fn default() -> Mail {
        Mail {
            admin: None,
            host: None,
            port: 587,
            secure: false,
            from: None,
            user: None,
            password: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::load;

    #[test]
    fn what_installs_by_itself_asks_for_signatures() {
        for (tier, said, expected) in [
            ("notify", "", false),
            ("manual", "", false),
            ("auto", "", true),
            ("autonomous", "", true),
            ("auto", r#", "requireSignature": false"#, false),
            ("manual", r#", "requireSignature": true"#, true),
        ] {
            let text = format!(r#"{{"updates": {{"tier": "{tier}"{said}}}}}"#);
            let (settings, _) = load(&text, &|_| None).unwrap();
            assert_eq!(settings.updates.requires_signature(), expected, "{text}");
        }
    }
}
