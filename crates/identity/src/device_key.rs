//! The key that signs device cookies, in a file of the root folder.
//!
//! The file is made when somebody signs in for the first time. Without it browsers are strangers
//! again, which costs them no more than being counted like everybody else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use oidc::DeviceCookies;
use store::Store;
use tracing::warn;

use system::environment::random_bytes;
use system::private_file;
use system::{hex, unhex};

const FILE: &str = "browser-key";

pub struct DeviceKey {
    path: PathBuf,
    cookies: OnceLock<DeviceCookies>,
}

impl DeviceKey {
    /// `var` is the folder of what the service keeps.
    pub fn new(var: &Path) -> DeviceKey {
        DeviceKey {
            path: var.join(FILE),
            cookies: OnceLock::new(),
        }
    }

    /// The key that all nodes have, if there are nodes; it has no file. Otherwise that of the
    /// folder.
    pub fn of_all(var: &Path, store: &Store) -> DeviceKey {
        let key = DeviceKey::new(var);
        if store.is_shared()
            && let Some(derived) = store.derived_key("devices")
        {
            // Nobody else has it yet.
            let _ = key.cookies.set(DeviceCookies::new(&derived));
        }
        key
    }

    pub fn cookies(&self) -> &DeviceCookies {
        self.cookies.get_or_init(|| {
            let key = self.open().unwrap_or_else(|error| {
                let path = self.path.display();
                warn!("{path}: {error}; browsers are not recognized after the next start");
                random_bytes()
            });
            DeviceCookies::new(&key)
        })
    }

    fn open(&self) -> io::Result<[u8; 32]> {
        if !self.path.exists() {
            private_file::create(&self.path, &hex(&random_bytes::<32>()))?;
        }
        // Also after creating it: another process may have been quicker.
        let text = fs::read_to_string(&self.path)?;
        unhex(text.trim()).ok_or_else(|| io::Error::other("this is not a key; move it away"))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_cookie_is_still_known_after_another_start() {
        let name = format!("padsvc-devices-{}", hex(&random_bytes::<8>()));
        let var = std::env::temp_dir().join(name);
        fs::create_dir(&var).unwrap();
        let key = DeviceKey::new(&var);
        assert!(!var.join(FILE).exists());
        let cookie = key.cookies().issue(None, "ada", [7; 16]);
        let mode = fs::metadata(var.join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let recognize = || DeviceKey::new(&var).cookies().recognize(&cookie, "ada");
        assert!(recognize().is_some());
        // One that is damaged is not replaced, and costs no more than being known.
        fs::write(var.join(FILE), "nonsense").unwrap();
        assert!(recognize().is_none());
        assert_eq!(fs::read_to_string(var.join(FILE)).unwrap(), "nonsense");
        fs::remove_dir_all(var).unwrap();
    }
}
