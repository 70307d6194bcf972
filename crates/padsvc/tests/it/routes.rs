//! Routes that are not worth a file of their own. Who may use which is in `access`.

use serde_json::json;

use crate::client::Request;
use crate::server::{Server, TempRoot};

#[test]
fn robots_stay_out_of_pads() {
    let root = TempRoot::new("robots");
    let server = Server::start(&root);
    let robots = server.get("/robots.txt");
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(
        robots.text(),
        "User-agent: *\nDisallow: /p/\nDisallow: /api/\n"
    );
}

/// Below `/pads/`, with a proxy that takes the path away and with one that leaves it: pages come,
/// and nothing in them or in redirects leads out of the path.
#[test]
fn everything_works_below_a_path() {
    let settings = json!({ "publicURL": "https://example.com/pads", "trustProxy": true });
    let root = TempRoot::with_settings("below_a_path", &settings.to_string());
    let server = Server::start(&root);
    server.data("createPad", &json!({ "padID": "notes", "text": "hello" }));
    for prefix in ["", "/pads"] {
        for path in ["/", "/p/notes", "/p/notes/timeslider", "/api-docs"] {
            let page = server.get(&format!("{prefix}{path}"));
            assert_eq!(page.status, 200, "{prefix}{path}");
            for outward in ["href=\"/", "src=\"/", "action=\"/"] {
                assert!(!page.text().contains(outward), "{prefix}{path}: {outward}");
            }
        }
        let moved = server.get(&format!("{prefix}/p/two%20words"));
        assert_eq!(moved.status, 302);
        assert!(!moved.header("location").starts_with('/'));
        let text = server.get(&format!("{prefix}/p/notes/export/txt"));
        assert_eq!(text.text(), "hello\n");
    }
    let forwarded = Request::get("/deep/down/health").header("x-forwarded-prefix", "/deep/down");
    assert_eq!(server.send(&forwarded).status, 200);
    assert_eq!(server.get("/deep/down/health").status, 404);
    server.stop();
}
