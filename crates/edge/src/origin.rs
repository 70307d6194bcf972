//! CSRF protection: tells requests that a page of another origin makes a browser send, with the
//! cookies of ours, from our own; and the address that a request was sent to.

use std::sync::Once;

use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};

use settings::Settings;

/// Whether a page of another origin has sent a request. Programs send neither header and are not
/// meant: they have no cookies but their own.
pub(crate) fn is_cross_site(request: &Parts, settings: &Settings) -> bool {
    if let Some(said) = declared_cross_site(request) {
        return said;
    }
    let Some(origin) = header(request, ORIGIN.as_str()) else {
        return false;
    };
    // A proxy may have given us another name than the one that people use.
    let asked = header(request, HOST.as_str()).or_else(|| request.uri.host());
    let public = settings.listen.public_url.as_ref();
    let public = public.and_then(|address| host_of(&address.0));
    let forwarded = if settings.listen.trust_proxy.is_on() {
        header(request, "x-forwarded-host")
    } else {
        None
    };
    let Some(host) = host_of(origin) else {
        return true;
    };
    let names = [asked, public, forwarded].into_iter().flatten();
    !names
        .map(without_default_port)
        .any(|name| name.eq_ignore_ascii_case(without_default_port(host)))
}

/// Browsers leave out the port of the scheme; proxies and operators may write it.
fn without_default_port(host: &str) -> &str {
    let bare = host.strip_suffix(":443").or(host.strip_suffix(":80"));
    bare.unwrap_or(host)
}

/// Tells the operator about the first socket that came without credentials: where a proxy rewrites
/// `Host` that is every socket of our own pages, and the cause is hard to find.
pub(crate) fn warn_once(request: &Parts) {
    static WARNED: Once = Once::new();
    if declared_cross_site(request).is_some() {
        return;
    }
    WARNED.call_once(|| {
        let shown = |name| {
            let value = header(request, name).unwrap_or("none");
            value.chars().take(100).collect::<String>()
        };
        tracing::warn!(
            origin = shown(ORIGIN.as_str()),
            host = shown(HOST.as_str()),
            "a page of another origin opened a socket, which is served without its cookies. If the \
             page is one of this service, a proxy rewrites Host: see \"Behind a proxy\" in \
             docs/operations.md. This is logged once",
        );
    });
}

/// `Sec-Fetch-Site`, from browsers that send it; how a proxy calls us does not matter then.
pub(crate) fn declared_cross_site(request: &Parts) -> Option<bool> {
    let site = header(request, "sec-fetch-site")?;
    Some(!matches!(site, "same-origin" | "none"))
}

/// The address that a request was sent to.
pub(crate) fn asked(settings: &Settings, uri: &Uri, headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let host = host
        .or_else(|| uri.authority().map(|authority| authority.as_str()))
        .filter(|host| {
            host.chars()
                .all(|c| c.is_ascii_alphanumeric() || ".:-[]".contains(c))
        });
    let scheme = if is_secure(settings, headers) {
        "https"
    } else {
        "http"
    };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

/// Whether the visitor's own connection is encrypted, ours or that of a proxy we trust.
pub(crate) fn is_secure(settings: &Settings, headers: &HeaderMap) -> bool {
    let listen = &settings.listen;
    let forwarded = headers
        .get("x-forwarded-proto")
        .and_then(|value| value.to_str().ok());
    let by_proxy =
        forwarded.is_some_and(|list| list.split(',').next().map(str::trim) == Some("https"));
    listen.tls.is_some() || listen.trust_proxy.is_on() && by_proxy
}

fn header<'a>(request: &'a Parts, name: &str) -> Option<&'a str> {
    request.headers.get(name)?.to_str().ok()
}

fn host_of(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    rest.split('/').next()
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;
    use settings::WebAddress;

    fn cross_site(headers: &[(&str, &str)]) -> bool {
        let mut request = Request::post("/p/a/import").header("host", "pads.example:9001");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut settings = Settings::default();
        settings.listen.public_url = Some(WebAddress("https://pads.example.org/below".to_owned()));
        is_cross_site(&request.body(()).unwrap().into_parts().0, &settings)
    }

    #[test]
    fn requests_of_other_sites_are_cross_site() {
        for (headers, expected) in [
            (&[][..], false),
            (&[("origin", "https://pads.example:9001")], false),
            (&[("origin", "https://pads.example.org")], false),
            (&[("origin", "https://evil.example")], true),
            (
                &[
                    ("origin", "https://evil.example"),
                    ("x-forwarded-host", "evil.example"),
                ],
                true,
            ),
            (&[("origin", "null")], true),
            (&[("origin", "https://pads.example.org:443")], false),
            (&[("origin", "http://pads.example:9002")], true),
            (&[("origin", "http://other.pads.example:9001")], true),
            (&[("origin", "http://pads.example")], true),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("sec-fetch-site", "same-site")], true),
            (&[("sec-fetch-site", "cross-site")], true),
        ] {
            assert_eq!(cross_site(headers), expected, "{headers:?}");
        }
    }
}
