//! The operator's own files in the pages, with the real program.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Request, Response};
use crate::logins::basic;
use crate::server::{Server, TempRoot};

const ADMIN: &str = r#"{ "users": { "root": { "password": "root's", "is_admin": true } } }"#;

fn root(test: &str, settings: &str, files: &[(&str, &str)]) -> TempRoot {
    let root = TempRoot::with_settings(test, settings);
    std::fs::create_dir(root.path("custom")).unwrap();
    for (name, text) in files {
        root.write(&format!("custom/{name}"), text);
    }
    root
}

/// The address of a file in a page, from the root.
fn address(page: &Response, name: &str) -> Option<String> {
    let end = page.text().find(&format!("/{name}\""))? + name.len() + 1;
    let start = page.text()[..end].rfind("custom/")?;
    Some(format!("/{}", &page.text()[start..end]))
}

/// The page of a pad, as soon as it is as it should be.
fn page_when(server: &Server, is_so: impl Fn(&Response) -> bool) -> Response {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(120) {
        let page = server.get("/p/a");
        if is_so(&page) {
            return page;
        }
    }
    panic!("the page stays as it was")
}

#[test]
fn own_files_are_in_the_pages_they_are_named_after() {
    let root = root(
        "custom_pages",
        ADMIN,
        &[
            ("pad.css", "body { margin: 0 }"),
            ("pad.js", "document.title = 'mine'"),
            (
                "pad.html",
                "<img src=\"{custom}logo.svg\" alt=\"\"> Ours & theirs",
            ),
            ("index.css", "main { margin: 0 }"),
            ("index.js", "1"),
            ("index.html", "<a href=\"https://example.org/\">Imprint</a>"),
            ("logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        ],
    );
    let server = Server::start(&root);
    let types = [
        ("css", "text/css; charset=utf-8"),
        ("js", "text/javascript; charset=utf-8"),
    ];
    for (path, name) in [("/p/a", "pad"), ("/p/a/timeslider", "pad"), ("/", "index")] {
        let page = server.get(path);
        let policy = page.header("content-security-policy");
        // The page of a pad has a map of its modules, too.
        let scripts = policy
            .split("; ")
            .find(|rule| rule.starts_with("script-src"));
        let allowed: Vec<&str> = scripts.unwrap().split(' ').skip(1).collect();
        let (own, rest) = allowed.split_first().unwrap();
        assert_eq!(*own, "'self'");
        assert!(
            rest.iter().all(|source| source.starts_with("'sha256-")),
            "{policy}"
        );
        for (ending, content_type) in types {
            let file = server.get(&address(&page, &format!("{name}.{ending}")).unwrap());
            assert_eq!(file.status, 200);
            assert_eq!(file.header("content-type"), content_type);
            assert_eq!(file.header("x-content-type-options"), "nosniff");
            assert_eq!(
                file.header("cache-control"),
                "private, max-age=31536000, immutable"
            );
            assert_eq!(file.text(), root.read(&format!("custom/{name}.{ending}")));
        }
    }
    let page = server.get("/p/a/timeslider");
    let logo = address(&page, "logo.svg").unwrap();
    assert!(page.text().contains(&format!("<img src=\"../..{logo}\"")));
    assert!(page.text().contains("> Ours & theirs</aside>"));
    assert_eq!(server.get(&logo).header("content-type"), "image/svg+xml");
    assert!(server.get("/").text().contains(">Imprint</a></div>"));
    // An address from before a change gives what there is now, and is asked again next time.
    let older = server.get("/custom/0123/pad.css");
    assert_eq!(older.text(), "body { margin: 0 }");
    assert_eq!(older.header("cache-control"), "private, no-cache");
    server.stop();
}

#[test]
fn nothing_of_it_is_where_people_sign_in_or_administer() {
    let files = ["pad", "index"].map(|name| ["css", "js", "html"].map(|ending| (name, ending)));
    let files: Vec<String> = files
        .as_flattened()
        .iter()
        .map(|(name, ending)| format!("{name}.{ending}"))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|name| (name.as_str(), "MINE")).collect();
    let root = root("custom_not_admin", ADMIN, &files);
    let server = Server::start(&root);
    for path in [
        "/admin",
        "/admin/plugins",
        "/sign-in",
        "/api-docs",
        "/nowhere",
    ] {
        let request = Request::get(path).header("authorization", &basic("root", "root's"));
        let page = server.send(&request);
        assert!(page.text().contains("<!doctype html>"), "{path}");
        for trace in ["custom/", "MINE"] {
            assert!(!page.text().contains(trace), "{path}: {trace}");
        }
    }
    // Only whole names of files in the folder are addresses.
    for path in [
        "/custom/x/pad.html",
        "/custom/x/../settings.json",
        "/custom/x/..%2Fsettings.json",
        "/custom/x/",
        "/custom/pad.css",
        "/custom/",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    server.stop();
}

#[test]
fn who_has_to_sign_in_does_not_get_own_files_before() {
    let settings = json!({
        "requireAuthentication": true,
        "users": { "ada": { "password": "ada's" } },
    });
    let root = root(
        "custom_closed",
        &settings.to_string(),
        &[("pad.css", "a {}")],
    );
    let server = Server::start(&root);
    let request = Request::get("/custom/x/pad.css");
    assert_eq!(server.send(&request).status, 401);
    let request = request.header("authorization", &basic("ada", "ada's"));
    assert_eq!(server.send(&request).status, 200);
    server.stop();
}

#[test]
fn what_cannot_be_used_is_logged_and_shown_and_the_page_is_there() {
    let long = "x".repeat(1024 * 1024 + 1);
    let files = [
        ("pad.css", long.as_str()),
        ("pad.js", "1"),
        ("notes.txt", ""),
    ];
    let root = root("custom_left_out", ADMIN, &files);
    std::fs::write(root.path("custom/index.html"), [0xff]).unwrap();
    let server = Server::start(&root);
    let page = server.get("/p/a");
    assert_eq!(page.status, 200);
    assert_eq!(address(&page, "pad.css"), None);
    assert!(address(&page, "pad.js").is_some());
    assert_eq!(server.get("/").status, 200);
    let log = server.log();
    for line in [
        "pad.css is left out: it has 1048577 bytes; 1048576 are allowed",
        "index.html is left out: it is not UTF-8",
        "notes.txt is left out: it is none of",
    ] {
        assert!(log.contains(line), "{line}\n{log}");
    }
    let request = Request::get("/admin/api/plugins");
    let request = request.header("authorization", &basic("root", "root's"));
    let custom = server.send(&request).json()["custom"].take();
    assert_eq!(custom["files"]["pad.js"], json!({ "bytes": 1 }));
    let problem = custom["files"]["index.html"]["problem"].as_str();
    assert_eq!(problem, Some("is not UTF-8"));
    assert!(custom["folder"].as_str().unwrap().ends_with("custom"));
    server.stop();
}

#[test]
fn a_file_that_is_changed_counts_without_a_restart() {
    let root = root("custom_changed", "{}", &[("pad.css", "one")]);
    let server = Server::start(&root);
    let before = address(&server.get("/p/a"), "pad.css").unwrap();
    root.write("custom/pad.css", "another");
    root.write("custom/pad.html", "<b>new</b>");
    // The folder is looked at each second; a page that is asked for says when it was.
    let page = page_when(&server, |page| page.text().contains("<b>new</b>"));
    let after = address(&page, "pad.css").unwrap();
    assert_ne!(after, before);
    assert_eq!(server.get(&after).text(), "another");
    std::fs::remove_dir_all(root.path("custom")).unwrap();
    page_when(&server, |page| address(page, "pad.css").is_none());
    assert_eq!(server.get(&after).status, 404);
    server.stop();
}
