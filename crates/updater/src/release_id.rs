//! The public name of the running release, as `/health` shows it.

use settings::Listen;

/// The version, or the name of the web bundle if the version is not to be exposed: every page names
/// the bundle, and it changes with the release.
pub fn release_id<'a>(settings: &Listen, version: &'a str) -> &'a str {
    if settings.expose_version {
        version
    } else {
        bundle::NAME.as_str()
    }
}
