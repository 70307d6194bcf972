//! Below a path of a larger site, such as `https://example.com/pads/`.
//!
//! A proxy may take the path away or leave it; both lead to the same routes. Our pages need to know
//! nothing of it, because their links and redirects are relative.

use axum::body::Body;
use axum::extract::Request;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, Uri};

use settings::Listen;

/// What a trusted proxy says it is reached by.
const FORWARDED: &str = "x-forwarded-prefix";

#[derive(Clone, Debug)]
pub(crate) struct Prefix {
    /// The path of the address that people use, without a slash at its end.
    public: Option<String>,
    trust_proxy: bool,
}

impl Prefix {
    pub(crate) fn of(settings: &Listen) -> Prefix {
        let public = settings.public_url.as_ref();
        let public = public.and_then(|address| address.0.parse::<Uri>().ok());
        Prefix {
            public: public.map(|address| address.path().trim_end_matches('/').to_owned()),
            trust_proxy: settings.trust_proxy.is_on(),
        }
    }

    /// The path by which a trusted proxy says that we are reached.
    pub(crate) fn forwarded(settings: &Listen, headers: &HeaderMap) -> Option<String> {
        let prefix = headers
            .get(FORWARDED)
            .filter(|_| settings.trust_proxy.is_on())?;
        let prefix = prefix.to_str().ok()?.trim_end_matches('/');
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/-_.~".contains(c);
        let is_path = prefix.starts_with('/') && prefix.chars().all(is_plain);
        is_path.then(|| prefix.to_owned())
    }

    /// The request as it would be without the path that leads to us.
    pub(crate) fn stripped(&self, mut request: Request<Body>) -> Request<Body> {
        let forwarded = request.headers().get(FORWARDED);
        let forwarded = forwarded.filter(|_| self.trust_proxy);
        let forwarded = forwarded.and_then(|value| value.to_str().ok());
        let forwarded = forwarded.map(|prefix| prefix.trim_end_matches('/'));
        let uri = request.uri();
        let known = [forwarded, self.public.as_deref()];
        let rest = known
            .into_iter()
            .flatten()
            .filter(|prefix| !prefix.is_empty())
            .find_map(|prefix| uri.path().strip_prefix(prefix))
            .filter(|rest| rest.starts_with('/'));
        let Some(rest) = rest else {
            return request;
        };
        let whole = match uri.query() {
            Some(query) => format!("{rest}?{query}"),
            None => rest.to_owned(),
        };
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = PathAndQuery::try_from(whole).ok();
        if let Ok(uri) = Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
        request
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use settings::{TrustProxy, WebAddress};

    fn path(prefix: &Prefix, path: &str, forwarded: Option<&str>) -> String {
        let mut request = Request::builder().uri(path);
        if let Some(forwarded) = forwarded {
            request = request.header(FORWARDED, forwarded);
        }
        let request = request.body(Body::empty()).unwrap();
        prefix.stripped(request).uri().to_string()
    }

    #[test]
    fn the_path_that_leads_to_us_is_taken_away_once() {
        let mut settings = Listen {
            public_url: Some(WebAddress("https://example.com/pads/".to_owned())),
            ..Listen::default()
        };
        let direct = Prefix::of(&settings);
        for (asked, meant) in [
            ("/pads/p/notes?lang=de", "/p/notes?lang=de"),
            ("/pads/", "/"),
            ("/pads/pads/x", "/pads/x"),
            ("/p/notes", "/p/notes"),
            ("/padsandmore/x", "/padsandmore/x"),
            ("/pads", "/pads"),
        ] {
            assert_eq!(path(&direct, asked, None), meant, "{asked}");
        }
        assert_eq!(path(&direct, "/x/p/notes", Some("/x")), "/x/p/notes");
        settings.trust_proxy = TrustProxy::Hops(1);
        settings.public_url = None;
        let proxied = Prefix::of(&settings);
        assert_eq!(path(&proxied, "/x/p/notes", Some("/x/")), "/p/notes");
        assert_eq!(path(&proxied, "/p/notes", Some("/x")), "/p/notes");
        assert_eq!(path(&proxied, "/pads/p/notes", None), "/pads/p/notes");
        assert_eq!(path(&proxied, "/p/notes", Some("")), "/p/notes");
    }
}
