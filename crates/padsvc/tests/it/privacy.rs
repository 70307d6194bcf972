//! What a whole run leaves behind, in the log and in files: nothing that is secret, and of
//! addresses what `ipLogging` allows.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::Path;

use serde_json::json;

use crate::access::routes;
use crate::client::{Request, form};
use crate::logins;
use crate::oidc::browser::Browser;
use crate::server::{Server, TempRoot};
use crate::socket::insert;
use crate::socket_client::Member;

/// Those that the run comes from; documentation has set them aside.
const V4: &str = "203.0.113.77";
const V6: &str = "2001:db8:1234:5678::9";

/// Everything that must not be found, each a text that is nothing else.
#[derive(Default)]
struct Secrets(Vec<String>);

impl Secrets {
    fn mark(&mut self, secret: &str) -> String {
        assert!(secret.len() >= 8, "{secret}");
        self.0.push(secret.to_owned());
        secret.to_owned()
    }
}

/// Asks everything in every way, with secrets everywhere.
fn exercise(server: &Server) -> Secrets {
    let mut secrets = Secrets::default();
    secrets.mark(&server.key);
    let from = |request: Request, address: &str| request.header("x-forwarded-for", address);
    let token = secrets.mark("t.markedauthortoken123");
    let wrong = secrets.mark("markedwrongsecret");
    let session = secrets.mark("s.markedsession000");
    let text = secrets.mark("MARKEDPADTEXT");
    // Each route with a query, cookies, a header and a form.
    let cookies = format!("token={token}; login={wrong}; sessionID={session}; form={wrong}");
    let fields = form(&[
        ("user", "ada"),
        ("password", &wrong),
        ("form", &wrong),
        ("apikey", &wrong),
        ("deletionToken", &wrong),
        ("client_id", "robot"),
        ("client_secret", &wrong),
        ("text", &text),
    ]);
    for route in routes::all() {
        for (method, address) in [("GET", V4), ("POST", V6)] {
            let mut request = from(routes::request(method, &route, "plan"), address);
            request.target += &format!("?apikey={wrong}&code={wrong}&state={wrong}&cookie={wrong}");
            request = request.header("cookie", &cookies);
            request = request.header("authorization", &logins::basic("clerk", &wrong));
            if method == "POST" && request.body.is_empty() {
                request = request.form(fields.clone());
            }
            server.send(&request);
        }
    }
    // People who come in, by each door.
    let mut browser = Browser::default();
    let page = browser.send(server, from(Request::get("/sign-in"), V4));
    browser.submit(server, &page, &[("user", "ada"), ("password", "ada's")]);
    for name in ["login", "form"] {
        secrets.mark(&browser.cookie(name).unwrap());
    }
    for name in ["ada's", "guest's", "clerk's", "robot's", "correct horse"] {
        secrets.0.push(name.to_owned());
    }
    let shown = secrets.mark(&logins::basic("ada", "ada's"));
    let request = Request::get("/p/plan").header("authorization", &shown);
    assert_eq!(server.send(&from(request, V6)).status, 200);
    // The API, and what it gives out.
    let made = server.data("createPad", &json!({ "padID": "marked", "text": text }));
    let deletion = secrets.mark(made["deletionToken"].as_str().unwrap());
    let group = server.data("createGroup", &json!({}))["groupID"].clone();
    let author = server.data("createAuthor", &json!({}))["authorID"].clone();
    let session = json!({ "groupID": group, "authorID": author, "validUntil": 4_000_000_000_u64 });
    server.data("createSession", &session);
    // Sockets: one that is let in, one that is not, one that says nonsense.
    let cookie = format!("login={}; token={token}", browser.cookie("login").unwrap());
    let headers = [("cookie", cookie.as_str()), ("x-forwarded-for", V4)];
    let mut member = Member::connect_with(server, &headers);
    member.ready(&json!({ "padId": "plan" }));
    member.welcomed();
    member.change(0, insert(member.length(), &text, &member.author.clone()));
    assert!(member.accepted().is_some());
    member.say(&json!({ "type": "CHAT_MESSAGE", "message": { "text": text } }));
    member.room("CHAT_MESSAGE");
    let delete = json!({ "padId": "plan", "deletionToken": wrong });
    member.say(&json!({ "type": "PAD_DELETE", "data": delete }));
    member.shout("invalid");
    let mut stranger = Member::connect_with(server, &[("x-forwarded-for", V6)]);
    stranger.ready(&json!({ "padId": "plan", "token": wrong }));
    assert_eq!(stranger.message()["accessStatus"], "deny");
    drop((member, stranger));
    let delete = form(&[("padID", "marked"), ("deletionToken", &deletion)]);
    server.send(&Request::post("/api/1/deletePad").form(delete));
    secrets
}

/// All addresses in a text.
fn addresses(text: &str) -> BTreeSet<IpAddr> {
    let v4 = text
        .split(|c: char| !c.is_ascii_digit() && c != '.')
        .filter_map(|word| word.trim_matches('.').parse::<Ipv4Addr>().ok())
        .map(IpAddr::from);
    let v6 = text
        .split(|c: char| !c.is_ascii_hexdigit() && c != ':')
        .filter_map(|word| word.parse::<Ipv6Addr>().ok())
        // Two colons are also how names of modules are put together.
        .filter(|address| address.segments()[0] >= 0x1000)
        .map(IpAddr::from);
    v4.chain(v6).collect()
}

/// The bytes of all files that the program has written.
fn files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            found.push((path.display().to_string(), text));
        }
    }
}

#[test]
fn a_run_leaves_no_secret_and_only_the_addresses_that_it_may() {
    for (mode, allowed) in [
        ("anonymous", &[][..]),
        (
            "truncated",
            &["203.0.113.0", "2001:db8:1234::", "127.0.0.0"],
        ),
        ("full", &[V4, V6, "127.0.0.1"]),
    ] {
        let more = json!({
            "loglevel": "DEBUG",
            "ipLogging": mode,
            "trustProxy": true,
            "importExportRateLimiting": { "max": 2 },
            "sso": [{
                "client_id": "robot",
                "client_secret": "robot's",
                "grant_types": ["client_credentials"],
                "response_types": [],
                "redirect_uris": [],
            }],
        });
        let (server, root) = logins::start(&format!("privacy_{mode}"), &more);
        let secrets = exercise(&server);
        server.signal("TERM");
        let log = root.0.with_extension("log");
        server.wait();
        let log = std::fs::read_to_string(log).unwrap();
        for secret in &secrets.0 {
            assert!(
                !log.contains(secret),
                "{mode}: {secret} is in the log:\n{log}"
            );
        }
        // Every form that is allowed is there, and no other.
        let expected: BTreeSet<IpAddr> = allowed.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(addresses(&log), expected, "{mode}:\n{log}");
        assert_no_trace(&root, &secrets);
    }
}

/// Settings hold passwords and the key file the key; what else is written holds neither them nor an
/// address. The text of a pad is there, of course.
fn assert_no_trace(root: &TempRoot, secrets: &Secrets) {
    let mut found = Vec::new();
    files(&root.path("var"), &mut found);
    assert!(found.iter().any(|(name, _)| name.ends_with("padsvc.db")));
    for (name, text) in &found {
        for trace in ["203.0.113", "2001:db8", "127.0.0.1"] {
            assert!(!text.contains(trace), "{trace} is in {name}");
        }
        for secret in secrets.0.iter().filter(|secret| *secret != "MARKEDPADTEXT") {
            assert!(!text.contains(secret), "{secret} is in {name}");
        }
    }
    let whole = found.iter().any(|(_, text)| text.contains("MARKEDPADTEXT"));
    assert!(whole, "what was written is where it is looked for");
}

#[test]
fn addresses_are_found_where_there_are_some() {
    let line = "ENTER a::b from 203.0.113.7, [2001:db8::1]:80 at 16:03:19, version 1.3.1.";
    let found: Vec<String> = addresses(line).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["203.0.113.7", "2001:db8::1"]);
}
