//! Rows: keys of Etherpad's template that have no meaning here, each with the reason.

use super::{Section, foreign};

const ONE_DESIGN: &str =
    "The pages have one design. Files of your own in the folder `custom` change it.";
const OTHER_DATABASE: &str = "It belongs to databases that are not supported.";
const NO_KEYS: &str = "Cookies hold random texts that are looked up; what has to be signed is \
                       signed with keys that padsvc makes and keeps in `var/`.";
const OWN_DEVELOPMENT: &str = "It serves the development of Etherpad.";

pub(super) const FOREIGN: Section = Section {
    title: "Keys of Etherpad that do not apply",
    rows: &[
        foreign("skinName", ONE_DESIGN),
        foreign("skinVariants", ONE_DESIGN),
        foreign(
            "authenticationMethod",
            "Tokens and the API key are accepted side by side, always.",
        ),
        foreign("sessionKey", NO_KEYS),
        foreign("sso.cookieKeys", NO_KEYS),
        foreign("cookie.keyRotationInterval", NO_KEYS),
        foreign(
            "cookie.sessionCleanup",
            "Logins are in memory, and those that are over do not stay there.",
        ),
        foreign("ttl.RefreshToken", "Refresh tokens are not issued."),
        foreign("sessionNoPassword", "Pads do not have passwords."),
        foreign("dbSettings.charset", OTHER_DATABASE),
        foreign("dbSettings.collection", OTHER_DATABASE),
        foreign("dbSettings.url", OTHER_DATABASE),
        foreign(
            "suppressErrorsInPadText",
            "Errors are never written into pads.",
        ),
        foreign(
            "minify",
            "Scripts and styles are made small when the program is built.",
        ),
        foreign(
            "maxAge",
            "Scripts and styles never change under their names, so browsers keep them for good.",
        ),
        foreign("loadTest", "Access checks cannot be switched off."),
        foreign(
            "logconfig",
            "The log goes to standard error; where it goes from there is up to the system.",
        ),
        foreign("abiword", "Documents are converted by `soffice`."),
        foreign("tidyHtml", "Exported HTML is tidy as it is."),
        foreign("dumpOnUncleanExit", OWN_DEVELOPMENT),
        foreign("enableAdminUITests", OWN_DEVELOPMENT),
        foreign("scalingDiveMetrics", OWN_DEVELOPMENT),
        foreign(
            "scrollWhenFocusLineIsOutOfViewport",
            "The editor brings the cursor into view by itself.",
        ),
    ],
};
