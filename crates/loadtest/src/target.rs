//! Target of a load test: the server that is measured.

use axum::http::Uri;

use super::error::LoadTestError;

/// The server that is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Host and port, to connect to.
    pub address: String,
    /// What comes before `/socket.io/`.
    base: String,
}

impl Target {
    /// From an address as a browser shows it; the error says what is wrong with it.
    pub(crate) fn parse(url: &str) -> Result<Target, LoadTestError> {
        let wrong = |error: fn(String) -> LoadTestError| error(url.to_owned());
        let uri: Uri = url
            .parse()
            .map_err(|_| wrong(LoadTestError::NotAnAddress))?;
        let authority = uri.authority();
        let authority = authority.ok_or_else(|| wrong(LoadTestError::NoHost))?;
        match uri.scheme_str() {
            Some("http") => {}
            Some("https") => return Err(wrong(LoadTestError::Encrypted)),
            _ => return Err(wrong(LoadTestError::Scheme)),
        }
        Ok(Target {
            address: format!(
                "{}:{}",
                authority.host(),
                authority.port_u16().unwrap_or(80)
            ),
            base: uri.path().trim_end_matches('/').to_owned(),
        })
    }

    pub(crate) fn websocket(&self, pad: &str) -> String {
        let Target { address, base } = self;
        format!("ws://{address}{base}/socket.io/?EIO=4&transport=websocket&padId={pad}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_browsers_show_them() {
        for (url, websocket) in [
            ("http://pads.example", "ws://pads.example:80/socket.io/"),
            ("http://127.0.0.1:9001/", "ws://127.0.0.1:9001/socket.io/"),
            ("http://[::1]:9001", "ws://[::1]:9001/socket.io/"),
            (
                "http://pads.example/team/",
                "ws://pads.example:80/team/socket.io/",
            ),
        ] {
            let target = Target::parse(url).unwrap();
            let expected = format!("{websocket}?EIO=4&transport=websocket&padId=x");
            assert_eq!(target.websocket("x"), expected);
        }
    }

    #[test]
    fn what_cannot_be_measured_is_named() {
        for (url, what) in [
            ("https://pads.example", "encrypted"),
            ("ftp://pads.example", "begins with http://"),
            ("pads.example:9001", "begins with http://"),
            ("/p/test", "no host"),
            ("http://", "not an address"),
        ] {
            let problem = Target::parse(url).unwrap_err().to_string();
            assert!(problem.contains(what), "{problem}");
        }
    }
}
