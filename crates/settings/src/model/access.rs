//! Access settings: users, clients of the API, and how long a login lasts.

use std::collections::BTreeMap;
use std::fmt;

use crate::diagnostics::Report;
use crate::tree::Node;
use crate::value::{Fields, Scalar, Secret, Setting, WebAddress, choices};

#[derive(Clone, Debug)]
pub struct Access {
    pub require_session: bool,
    pub edit_only: bool,
    pub require_authentication: bool,
    pub require_authorization: bool,
    pub users: BTreeMap<String, User>,
    pub login: Login,
    pub sso: Sso,
    pub tokens: TokenLives,
    pub cookies: Cookies,
    pub show_settings_to_admins: bool,
    /// Settings that administrators cannot change in a browser.
    pub locked: Vec<String>,
    pub admin_openapi: bool,
    /// How long the audit log is kept.
    pub audit_days: u64,
}

/// What names programs, files and databases of the machine, says which releases are installed, or
/// would shorten the record of what administrators did.
const LOCKED: [&str; 11] = [
    "admin.auditDays",
    "backups.folder",
    "dbSettings",
    "dbType",
    "exportPdfFonts",
    "soffice",
    "ssl",
    "updates.allowInsecureFeed",
    "updates.codehostRepo",
    "updates.requireSignature",
    "updates.trustedKeysPath",
];

impl Default for Access {
    fn default() -> Access {
        Access {
            require_session: false,
            edit_only: false,
            require_authentication: false,
            require_authorization: false,
            users: BTreeMap::new(),
            login: Login::default(),
            sso: Sso::default(),
            tokens: TokenLives::default(),
            cookies: Cookies::default(),
            show_settings_to_admins: true,
            locked: LOCKED.map(str::to_owned).to_vec(),
            admin_openapi: false,
            audit_days: 365,
        }
    }
}

#[derive(Clone, Debug)]
pub struct User {
    /// Who has none cannot log in.
    pub password: Option<Secret>,
    pub is_admin: bool,
    pub read_only: bool,
    pub can_create: bool,
}

impl Default for User {
    fn default() -> User {
        User {
            password: None,
            is_admin: false,
            read_only: false,
            can_create: true,
        }
    }
}

impl Fields for User {
    fn fields(&mut self) -> Vec<(&'static str, &mut dyn Setting)> {
        vec![
            ("password", &mut self.password),
            ("is_admin", &mut self.is_admin),
            ("readOnly", &mut self.read_only),
            ("canCreate", &mut self.can_create),
        ]
    }
}

/// Signing in elsewhere.
#[derive(Clone, Debug)]
pub struct Login {
    /// In which header a trusted proxy names who has signed in there.
    pub header: Option<HeaderWord>,
    /// Another provider of OpenID Connect.
    pub issuer: Option<WebAddress>,
    pub client_id: String,
    pub client_secret: Option<Secret>,
    pub scope: String,
    /// What people call it.
    pub label: String,
    pub name_claim: String,
    pub groups_claim: String,
    pub groups: BTreeMap<String, GroupRights>,
}

impl Default for Login {
    fn default() -> Login {
        Login {
            header: None,
            issuer: None,
            client_id: String::new(),
            client_secret: None,
            scope: "openid profile".to_owned(),
            label: "OpenID Connect".to_owned(),
            name_claim: "preferred_username".to_owned(),
            groups_claim: "groups".to_owned(),
            groups: BTreeMap::new(),
        }
    }
}

choices! {
    #[derive(PartialOrd, Ord)]
    pub enum GroupRights {
        #[default]
        ReadOnly = "readOnly",
        Modify = "modify",
        Create = "create",
        Admin = "admin",
    }
}

#[derive(Clone, Debug, Default)]
pub struct Sso {
    /// `None` is the address of the service itself.
    pub issuer: Option<WebAddress>,
    pub clients: Vec<Client>,
}

/// A program that signs in with OAuth.
#[derive(Clone, Debug, Default)]
pub struct Client {
    pub id: String,
    pub secret: Option<Secret>,
    pub grant_types: Vec<String>,
    pub response_types: Vec<String>,
    pub redirect_uris: Vec<String>,
    pub name: Option<String>,
    pub trusted: bool,
    pub extra_parameters: Vec<ExtraParameter>,
}

impl Fields for Client {
    const REQUIRED: &'static [&'static str] = &["client_id"];

    fn fields(&mut self) -> Vec<(&'static str, &mut dyn Setting)> {
        vec![
            ("client_id", &mut self.id),
            ("client_secret", &mut self.secret),
            ("grant_types", &mut self.grant_types),
            ("response_types", &mut self.response_types),
            ("redirect_uris", &mut self.redirect_uris),
            ("client_name", &mut self.name),
            ("trusted", &mut self.trusted),
            ("extraParams", &mut self.extra_parameters),
        ]
    }
}

/// Becomes a claim of the client's tokens.
#[derive(Clone, Debug, Default)]
pub struct ExtraParameter {
    pub name: String,
    pub value: Scalar,
}

impl Fields for ExtraParameter {
    const REQUIRED: &'static [&'static str] = &["name", "value"];

    fn fields(&mut self) -> Vec<(&'static str, &mut dyn Setting)> {
        vec![("name", &mut self.name), ("value", &mut self.value)]
    }
}

/// In seconds.
#[derive(Clone, Debug)]
pub struct TokenLives {
    pub access_token: u64,
    pub authorization_code: u64,
    pub client_credentials: u64,
    pub id_token: u64,
}

impl Default for TokenLives {
    fn default() -> TokenLives {
        TokenLives {
            access_token: 3600,
            authorization_code: 600,
            client_credentials: 3600,
            id_token: 3600,
        }
    }
}

/// The cookies of logins.
#[derive(Clone, Debug)]
pub struct Cookies {
    pub prefix: CookiePrefix,
    pub same_site: SameSite,
    pub lifetime_milliseconds: u64,
    pub refresh_milliseconds: u64,
}

impl Default for Cookies {
    fn default() -> Cookies {
        const DAY: u64 = 24 * 60 * 60 * 1000;
        Cookies {
            prefix: CookiePrefix::default(),
            same_site: SameSite::Lax,
            lifetime_milliseconds: 10 * DAY,
            refresh_milliseconds: DAY,
        }
    }
}

choices! {
    pub enum SameSite {
        #[default]
        Lax = "lax",
        Strict = "strict",
        None = "none",
    }
}

/// The name of a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderWord(pub String);

impl Setting for HeaderWord {
    fn allowed(&self) -> String {
        "the name of a header, such as \"X-Forwarded-User\"".to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        match node.text() {
            Some(text) if !text.is_empty() && text.chars().all(plain) => {
                self.0 = text.to_owned();
            }
            _ => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> serde_json::Value {
        self.0.as_str().into()
    }
}

/// What the names of cookies begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CookiePrefix(pub String);

impl fmt::Display for CookiePrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Setting for CookiePrefix {
    fn allowed(&self) -> String {
        "a text of letters, digits, \"_\" and \"-\"".to_owned()
    }

    fn read(&mut self, key: &str, node: &Node, report: &mut Report) {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        match node.text() {
            Some(text) if text.chars().all(plain) => self.0 = text.to_owned(),
            _ => report.refuse(key, node, &self.allowed()),
        }
    }

    fn to_json(&self) -> serde_json::Value {
        self.0.as_str().into()
    }
}
