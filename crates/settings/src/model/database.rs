//! Database settings.

use std::path::{Path, PathBuf};

use crate::diagnostics::Report;
use crate::tree::Node;
use crate::value::{Kind, Secret, Setting, one_of};

#[derive(Clone, Debug)]
pub struct Database {
    pub kind: DatabaseKind,
    /// The file of the embedded database.
    pub file: String,
    pub host: String,
    pub port: u16,
    pub user: Option<String>,
    pub password: Option<Secret>,
    pub name: Option<String>,
    /// Whether the connection to PostgreSQL is encrypted.
    pub encrypted: bool,
    /// Wins over the fields above.
    pub connection: Option<Secret>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DatabaseKind {
    #[default]
    Embedded,
    Postgres,
}

impl Default for Database {
    fn default() -> Database {
        Database {
            kind: DatabaseKind::Embedded,
            file: "var/padsvc.db".to_owned(),
            host: "localhost".to_owned(),
            port: 5432,
            user: None,
            password: None,
            name: None,
            encrypted: false,
            connection: None,
        }
    }
}

impl Database {
    /// The file of the embedded database; a relative path starts at the root.
    pub fn file_in(&self, root: &Path) -> PathBuf {
        root.join(&self.file)
    }

    /// How to reach PostgreSQL, in the form `host='…' port='…'`: unlike in an address, only two
    /// characters of a password need care.
    pub fn connection(&self) -> Secret {
        if let Some(connection) = &self.connection {
            return connection.clone();
        }
        let port = self.port.to_string();
        let password = self.password.as_ref().map(|password| password.0.as_str());
        let parts = [
            ("host", Some(self.host.as_str())),
            ("port", Some(port.as_str())),
            ("user", self.user.as_deref()),
            ("password", password),
            ("dbname", self.name.as_deref()),
            ("sslmode", self.encrypted.then_some("require")),
        ];
        let written = parts.into_iter().filter_map(|(name, value)| {
            let value = value?.replace('\\', "\\\\").replace('\'', "\\'");
            Some(format!("{name}='{value}'"))
        });
        Secret(written.collect::<Vec<_>>().join(" "))
    }
}

const EMBEDDED: &str = "padsvc";
const POSTGRES: &str = "postgres";

/// Not a plain choice, because Etherpad has a dozen other databases and an operator who names one
/// of them has pads in it.
impl Setting for DatabaseKind {
    fn allowed(&self) -> String {
        one_of(&[EMBEDDED, POSTGRES])
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        match node.text() {
            Some(EMBEDDED) => *self = DatabaseKind::Embedded,
            Some(POSTGRES) => *self = DatabaseKind::Postgres,
            Some(_) => report.refuse(key, node, &format!("{}; {MOVING}", self.allowed())),
            None => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> serde_json::Value {
        match self {
            DatabaseKind::Embedded => EMBEDDED.into(),
            DatabaseKind::Postgres => POSTGRES.into(),
        }
    }

    fn kind(&self) -> Kind {
        Kind::Choice(&[EMBEDDED, POSTGRES])
    }
}

const MOVING: &str = "padsvc does not open the databases of Etherpad, \
    but `padsvc migrate` brings over what is in them";
