//! The people who can sign in.

use std::collections::BTreeMap;

use crate::password::{BrokenHash, Password};

/// A person as settings tell of one. Without a password there is no signing in under that name.
#[derive(Clone, Debug, Default)]
pub struct User {
    pub password: Option<String>,
    pub is_admin: bool,
}

pub(crate) struct Users {
    users: BTreeMap<String, Known>,
    /// What is checked when there is nothing to check, so that a name that does not exist takes as
    /// long as one that does.
    decoy: Option<Password>,
}

struct Known {
    password: Option<Password>,
    is_admin: bool,
}

impl Users {
    /// Also tells what an operator should know about these passwords.
    pub(crate) fn new(users: BTreeMap<String, User>, complaints: &mut Vec<String>) -> Users {
        let mut plain = Vec::new();
        let mut known = BTreeMap::new();
        for (name, user) in users {
            let password = match user.password.as_deref().map(Password::read) {
                Some(Ok(password)) => Some(password),
                Some(Err(BrokenHash)) => {
                    complaints.push(format!(
                        "users.{name}.password begins like a hash and is none; \
                         nobody can sign in as {name}"
                    ));
                    None
                }
                None => None,
            };
            if password.as_ref().is_some_and(Password::is_plain) {
                plain.push(name.clone());
            }
            let is_admin = user.is_admin;
            known.insert(name, Known { password, is_admin });
        }
        if !plain.is_empty() {
            complaints.push(format!(
                "the settings hold passwords that can be read ({}); \
                 write hashes of argon2 or bcrypt instead",
                plain.join(", ")
            ));
        }
        let passwords = known.values().filter_map(|user| user.password.as_ref());
        let decoy = passwords.max_by_key(|password| !password.is_plain());
        Users {
            decoy: decoy.cloned(),
            users: known,
        }
    }

    /// Whether this is the password of the user of that name. Slow if it is kept as a hash.
    pub(crate) fn check(&self, name: &str, password: &str) -> bool {
        let known = self.users.get(name);
        match known.and_then(|user| user.password.as_ref()) {
            Some(right) => right.matches(password),
            None => {
                // For its duration alone.
                let _ = self
                    .decoy
                    .as_ref()
                    .map(|decoy| std::hint::black_box(decoy.matches(password)));
                false
            }
        }
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.users.contains_key(name)
    }

    pub(crate) fn is_admin(&self, name: &str) -> bool {
        self.users.get(name).is_some_and(|user| user.is_admin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn users(list: &[(&str, Option<&str>)]) -> (Users, Vec<String>) {
        let mut complaints = Vec::new();
        let user = |(name, password): &(&str, Option<&str>)| {
            let user = User {
                password: password.map(str::to_owned),
                is_admin: *name == "root",
            };
            ((*name).to_owned(), user)
        };
        let users = Users::new(list.iter().map(user).collect(), &mut complaints);
        (users, complaints)
    }

    #[test]
    fn names_and_passwords_belong_together() {
        let (users, complaints) = users(&[("ada", Some("one")), ("root", Some("two"))]);
        assert!(users.check("ada", "one"));
        assert!(users.check("root", "two"));
        for (name, password) in [("ada", "two"), ("Ada", "one"), ("", ""), ("eve", "one")] {
            assert!(!users.check(name, password), "{name}");
        }
        assert!(users.is_admin("root") && !users.is_admin("ada") && !users.is_admin("eve"));
        assert_eq!(complaints.len(), 1);
        assert!(complaints[0].contains("(ada, root)"), "{complaints:?}");
        assert!(!complaints[0].contains("one"), "{complaints:?}");
    }

    #[test]
    fn without_a_sound_password_there_is_no_way_in() {
        let (users, complaints) = users(&[("ada", None), ("bob", Some("$2b$broken"))]);
        for name in ["ada", "bob"] {
            for password in ["", "null", "$2b$broken"] {
                assert!(!users.check(name, password), "{name}");
            }
        }
        assert_eq!(complaints.len(), 1);
        assert!(complaints[0].starts_with("users.bob.password"));
    }
}
