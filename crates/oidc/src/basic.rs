//! HTTP basic authentication: a name and a secret in the header `Authorization`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The name and the secret, as they were written; `None` if the header is of another kind.
pub fn read_basic(authorization: &str) -> Option<(String, String)> {
    let (scheme, encoded) = authorization.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (name, secret) = text.split_once(':')?;
    Some((name.to_owned(), secret.to_owned()))
}
