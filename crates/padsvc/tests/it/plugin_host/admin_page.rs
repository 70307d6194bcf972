//! The page of a plugin in the admin area: what it describes is shown, its buttons act, and what is
//! no page is an error that says so.

use super::*;
use crate::logins::basic;

const SERVER: &str = r#"
    let pressed = 0;
    padsvc.on("adminPage", ({ language, action }) => {
        if (action === "throw") throw new Error("broken on purpose");
        if (action === "markup") return { parts: [{ html: "<b>no</b>" }] };
        if (action === "press") pressed += 1;
        return { parts: [
            { heading: `In ${language}` },
            { values: [["Pressed", pressed]] },
            { button: { action: "press", label: "Press" } },
        ] };
    });
"#;

#[test]
fn a_plugin_has_a_page_of_its_own() {
    let users = json!({ "root": { "password": "root's", "is_admin": true } });
    let settings = json!({ "users": users }).to_string();
    let root = TempRoot::with_settings("plugin_page", &settings);
    std::fs::create_dir(root.path("var")).unwrap();
    let paged = Written {
        name: "paged",
        manifest: json!({ "hooks": ["adminPage"], "budgets": { "adminPage": 10000 } }),
        server: SERVER.to_owned(),
        client: None,
    };
    install(Location::Embedded(root.path("var/padsvc.db")), &[paged]);
    let server = Server::start(&root);
    let admin = |request: Request| request.header("authorization", &basic("root", "root's"));
    let get = |path: &str| server.send(&admin(Request::get(path)));
    let press = |action: &str| {
        let body = json!({ "name": "paged", "language": "de", "action": action });
        let request = Request::new("POST", "/admin/api/plugins/page");
        server.send(&admin(request.body("application/json", body.to_string())))
    };
    let parts = |pressed: &str| {
        json!([
            { "heading": "In de" },
            { "values": [["Pressed", pressed]] },
            { "button": { "action": "press", "label": "Press", "confirm": null } },
        ])
    };
    let page = get("/admin/api/plugins/page?name=paged&language=de").json();
    assert_eq!(page, json!({ "title": "paged", "parts": parts("0") }));
    assert_eq!(press("press").json()["parts"], parts("1"));
    for (action, told) in [
        ("throw", "broken on purpose"),
        ("markup", "its answer must be"),
    ] {
        let answer = press(action);
        assert_eq!(answer.status, 502, "{action}");
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(told), "{error}");
    }
    let none = get("/admin/api/plugins/page?name=other");
    assert_eq!(none.status, 404);
    // The address of the page, which a script fills.
    let shell = get("/admin/plugins/paged");
    let shell = shell.text();
    assert!(shell.contains(r#""plugin":"paged""#), "{shell}");
    let listed = get("/admin/api/plugins/installed").json();
    assert_eq!(listed["plugins"][0]["page"], true);
    server.stop();
}
