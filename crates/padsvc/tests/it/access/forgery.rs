//! What a page of another site can do with the cookies of somebody who visits it.

use super::*;
use crate::client::Request;

/// How browsers say where a request is from.
const SENT_BY: [(&str, &str); 4] = [
    ("sec-fetch-site", "cross-site"),
    ("sec-fetch-site", "same-site"),
    ("origin", "https://evil.example"),
    ("origin", "null"),
];

#[test]
fn pages_of_other_sites_change_nothing() {
    for (name, signing_in) in SERVERS {
        let (server, _root) = start(&format!("access_forged_{name}"), signing_in);
        let mut victim = logins::sign_in(&server, "root");
        victim.get(&server, "/p/plan");
        let form = victim.cookie("form").unwrap();
        let mut list = List::of(SENT_BY.len());
        for route in routes::all() {
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let mut cells = Vec::new();
                for header in SENT_BY {
                    let request = routes::request(method, &route, "plan");
                    let request = if request.body.is_empty() {
                        request.form(format!("form={form}&user=ada&password=ada%27s"))
                    } else {
                        request
                    };
                    let request: Request = request.header(header.0, header.1);
                    let answer = victim.send(&server, request);
                    cells.push((
                        format!("{}: {}", header.0, header.1),
                        answer.status.to_string(),
                    ));
                }
                if cells
                    .iter()
                    .all(|(_, status)| ["404", "405"].contains(&status.as_str()))
                {
                    continue;
                }
                list.case(&format!("{method} {route}"), &cells);
            }
        }
        list.compare(&format!("forged-{name}"));
        let home = victim.get(&server, "/");
        assert!(home.text().contains(">root</span>"), "still signed in");
        let text = server.data("getText", &json!({ "padID": "plan" }));
        assert_eq!(text["text"], "base\n");
        let pads = server.data("listAllPads", &json!({}));
        assert_eq!(pads["padIDs"], json!(["plan"]));
    }
}
