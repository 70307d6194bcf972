//! Requests of plugins to hosts that are granted.
//!
//! A request goes where an operator has read that it goes, and nowhere else: no redirections, no
//! proxy, no cookies, and a public name that leads to an address of the own network is refused.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use plugin::permission::may_fetch;
use plugin::permission::own_network::{is_local_name, is_public};
use plugin::{Permission, Reason};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, Url};
use serde_json::{Map, Value, json};

const TIMEOUT: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The most bytes of an answer, headers of a request and of an answer, and bytes of one.
const BODY: usize = 1_000_000;
const HEADERS: usize = 50;
const HEADER: usize = 2_000;
/// What the client writes itself, and what would say more about this host than a plugin may.
const OWN_HEADERS: [&str; 9] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

pub(crate) struct Fetcher {
    /// `None`: no client can be made on this machine.
    client: Option<Client>,
}

impl Fetcher {
    pub(crate) fn new() -> Fetcher {
        let client = Client::builder()
            .user_agent("padsvc-plugin")
            .timeout(TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(Policy::none())
            .no_proxy()
            .dns_resolver(Arc::new(PublicNames))
            .build();
        Fetcher {
            client: client.ok(),
        }
    }

    pub(crate) async fn fetch(
        &self,
        granted: &BTreeSet<Permission>,
        url: &str,
        options: &Value,
    ) -> Result<Value, Reason> {
        let url = checked(granted, url)?;
        let client = self.client.as_ref().ok_or("requests cannot be sent")?;
        let request = client
            .request(method(options)?, url)
            .headers(headers(options)?);
        let request = match options.get("body") {
            None | Some(Value::Null) => request,
            Some(Value::String(body)) => request.body(body.clone()),
            Some(_) => return Err("body must be a text".into()),
        };
        let response = request.send().await.map_err(|error| reason(&error))?;
        answer(response).await
    }
}

/// The address, if a request may go there.
fn checked(granted: &BTreeSet<Permission>, url: &str) -> Result<Url, Reason> {
    let url = Url::parse(url).map_err(|error| format!("the address is malformed: {error}"))?;
    if !matches!(url.scheme(), "https" | "http") {
        return Err("the address must begin with https://".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("an address with a password is refused".into());
    }
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or_default();
    if !may_fetch(granted, host, port) {
        return Err(format!("requests to {host}:{port} are not granted").into());
    }
    Ok(url)
}

fn method(options: &Value) -> Result<Method, Reason> {
    match options.get("method").and_then(Value::as_str) {
        None | Some("GET") => Ok(Method::GET),
        Some("POST") => Ok(Method::POST),
        Some(_) => Err("method must be GET or POST".into()),
    }
}

fn headers(options: &Value) -> Result<HeaderMap, Reason> {
    let given = match options.get("headers") {
        None | Some(Value::Null) => return Ok(HeaderMap::new()),
        Some(Value::Object(given)) if given.len() <= HEADERS => given,
        Some(_) => {
            return Err(format!("headers must be an object of at most {HEADERS} texts").into());
        }
    };
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let refused = || format!("the header {} is refused", excerpt(name));
        let name = HeaderName::try_from(name.as_str()).map_err(|_| refused())?;
        let value = value.as_str().filter(|value| value.len() <= HEADER);
        let value = HeaderValue::try_from(value.ok_or_else(refused)?).map_err(|_| refused())?;
        if OWN_HEADERS.contains(&name.as_str()) || name.as_str().starts_with("proxy-") {
            return Err(refused().into());
        }
        headers.insert(name, value);
    }
    Ok(headers)
}

async fn answer(mut response: Response) -> Result<Value, Reason> {
    let status = response.status().as_u16();
    let mut headers = Map::new();
    for (name, value) in response.headers() {
        if let Ok(value) = value.to_str()
            && value.len() <= HEADER
            && headers.len() < HEADERS
            && name != "set-cookie"
        {
            headers.insert(name.as_str().to_owned(), value.into());
        }
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| reason(&error))? {
        if body.len() + chunk.len() > BODY {
            return Err(format!("the answer has more than {BODY} bytes").into());
        }
        body.extend_from_slice(&chunk);
    }
    let body = String::from_utf8_lossy(&body);
    Ok(json!({ "status": status, "headers": headers, "body": body }))
}

/// An error and all it comes from, without the address, which the plugin knows.
fn reason(error: &reqwest::Error) -> String {
    let mut text = "the request failed".to_owned();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text += &format!(": {inner}");
        source = inner.source();
    }
    text
}

fn excerpt(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Looks names up. A public name with an address that is not public has none: anybody could point
/// a name of theirs at this network.
struct PublicNames;

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let name = name.as_str().to_owned();
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed = allowed(&name, found);
            if allowed.is_empty() {
                return Err("the name has no public address".into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// Where a name may lead of what was found for it.
fn allowed(name: &str, found: impl Iterator<Item = SocketAddr>) -> Vec<SocketAddr> {
    let is_local = is_local_name(name);
    found
        .filter(|address| is_local || is_public(address.ip()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    #[test]
    fn requests_go_where_they_are_granted() {
        let granted = ["http:fetch(api.example.org)", "http:fetch(10.0.0.1:8080)"];
        let granted = granted.iter().map(|text| text.parse().unwrap()).collect();
        for (url, is_allowed) in [
            ("https://api.example.org/a?b", true),
            ("HTTPS://API.example.org", true),
            ("https://api.example.org:443/", true),
            ("http://api.example.org/", false),
            ("https://api.example.org:8443/", false),
            ("https://example.org/", false),
            ("https://api.example.org.evil.test/", false),
            ("https://api.example.org./", false),
            ("https://api.example.org@evil.test/", false),
            ("https://user@api.example.org/", false),
            ("http://10.0.0.1:8080/", true),
            // The same address in other forms.
            ("http://0xa.1:8080/", true),
            ("http://10.0.0.1/", false),
            ("http://10.0.0.2:8080/", false),
            ("file:///etc/passwd", false),
            ("ftp://api.example.org/", false),
            ("javascript:1", false),
            ("", false),
        ] {
            assert_eq!(checked(&granted, url).is_ok(), is_allowed, "{url}");
        }
    }

    /// Answers one request with these bytes; gives the address.
    async fn answering(bytes: Vec<u8>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 1024];
            let _ = stream.read(&mut head).await.unwrap();
            let _ = stream.write_all(&bytes).await;
        });
        address
    }

    async fn fetched(bytes: Vec<u8>) -> Result<Value, Reason> {
        let address = answering(bytes).await;
        let granted = format!("http:fetch({address})").parse().unwrap();
        let (granted, url) = (BTreeSet::from([granted]), format!("http://{address}/"));
        Fetcher::new().fetch(&granted, &url, &Value::Null).await
    }

    #[tokio::test]
    async fn redirections_are_answers_and_answers_are_bounded() {
        let elsewhere = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\n\
                         set-cookie: a=b\r\ncontent-length: 0\r\n\r\n";
        let answer = fetched(elsewhere.into()).await.unwrap();
        assert_eq!(answer["status"], 302);
        assert_eq!(answer["headers"]["location"], "http://127.0.0.1:1/");
        assert_eq!(answer["headers"]["set-cookie"], Value::Null);
        for (length, is_fine) in [(BODY, true), (BODY + 1, false)] {
            let mut bytes = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec();
            bytes.resize(bytes.len() + length, b'x');
            let answer = fetched(bytes).await;
            let has_body = |it: &Value| it["body"].as_str().unwrap().len() == length;
            assert_eq!(answer.is_ok_and(|it| has_body(&it)), is_fine, "{length}");
        }
    }

    /// The owner of a name decides where it leads.
    #[test]
    fn a_public_name_leads_to_no_own_network() {
        let found = ["127.0.0.1:0", "93.184.216.34:0", "[::1]:0", "10.0.0.1:0"];
        let found = || found.iter().map(|it| it.parse::<SocketAddr>().unwrap());
        let public = allowed("api.example.org", found());
        assert_eq!(public, ["93.184.216.34:0".parse().unwrap()]);
        assert_eq!(allowed("db.internal", found()).len(), 4);
    }

    #[test]
    fn options_are_checked() {
        assert_eq!(method(&json!({"method": "POST"})), Ok(Method::POST));
        assert!(method(&json!({"method": "DELETE"})).is_err());
        assert!(headers(&json!({"headers": {"accept": "text/plain"}})).is_ok());
        for refused in [
            json!({"headers": {"Host": "evil.test"}}),
            json!({"headers": {"content-length": "1"}}),
            json!({"headers": {"a": "b\r\nc: d"}}),
            json!({"headers": {"a b": "c"}}),
            json!({"headers": {"a": 1}}),
            json!({"headers": []}),
        ] {
            assert!(headers(&refused).is_err(), "{refused}");
        }
    }
}
