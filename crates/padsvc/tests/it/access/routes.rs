//! Every route.

use service::api::{Version, functions};

use super::callers::Caller;
use super::*;
use crate::client::{Request, Response};

/// How many routes of a file have an address that is put together; [`all`] knows which.
const COMPUTED: [(&str, usize); 2] = [
    ("crates/admin/src/page.rs", 1),
    ("crates/edge/src/oidc.rs", 1),
];

/// The routes of the program, as its source has them.
pub(crate) fn all() -> Vec<String> {
    let mut routes = Vec::new();
    let mut files = Vec::new();
    sources("crates/edge/src", &mut files);
    sources("crates/admin/src", &mut files);
    for file in files {
        let below = if file == "crates/edge/src/api.rs" {
            "/api"
        } else {
            ""
        };
        let found = marked(&file, ".route(");
        let text = std::fs::read_to_string(project(&file)).unwrap();
        let computed = text.matches(".route(").count() - found.len();
        let expected = COMPUTED.iter().find(|(name, _)| *name == file);
        assert_eq!(computed, expected.map_or(0, |(_, count)| *count), "{file}");
        routes.extend(found.into_iter().map(|path| format!("{below}{path}")));
    }
    routes.extend(admin::page_paths());
    for name in ["openid-configuration", "oauth-authorization-server"] {
        routes.extend(["", "/oidc"].map(|folder| format!("{folder}/.well-known/{name}")));
    }
    routes.push("/nowhere".to_owned());
    routes.sort();
    routes.dedup();
    routes
}

fn sources(folder: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(project(folder)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = format!("{folder}/{name}");
        if name.contains('.') {
            found.push(path)
        } else {
            sources(&path, found)
        }
    }
}

/// A request to a route as a caller would send it.
pub(crate) fn request(method: &str, route: &str, pad: &str) -> Request {
    // What an import makes is not there for the others.
    let pad = match route == "/p/{pad}/import" && pad.contains("new-") {
        true => &format!("{pad}-import"),
        false => pad,
    };
    let path = route
        .replace("{pad}", &pad.replace('$', "%24"))
        .replace("{name}", "none")
        .replace("{format}", "txt")
        .replace("{rev}", "0")
        .replace("{version}", "1.3.1")
        .replace("{*path}", "none.js");
    let request = Request::new(method, &path);
    match route {
        "/p/{pad}/import" if method == "POST" => {
            let part = "content-disposition: form-data; name=\"file\"; filename=\"a.txt\"";
            let body = format!("--cut\r\n{part}\r\n\r\nnew\r\n--cut--\r\n");
            request.body("multipart/form-data; boundary=cut", body)
        }
        _ => request,
    }
}

fn outcome(response: &Response) -> String {
    let status = response.status;
    if response
        .header("content-type")
        .starts_with("application/json")
        && let Some(code) = response.json().get("code")
    {
        return format!("{status}, code {code}");
    }
    status.to_string()
}

/// The same for GET and POST is one case.
fn cases(list: &mut List, path: &str, note: &str, cell: impl Fn(&str) -> Vec<(String, String)>) {
    let [get, post] = ["GET", "POST"].map(cell);
    if get == post {
        list.case(&format!("GET and POST {path}{note}"), &get);
    } else {
        list.case(&format!("GET {path}{note}"), &get);
        list.case(&format!("POST {path}{note}"), &post);
    }
}

#[test]
fn routes_let_in_whom_the_list_says() {
    for (name, signing_in) in SERVERS {
        let place = Place::one_server(&format!("access_routes_{name}"), signing_in);
        compare(&place, name);
    }
}

#[test]
fn routes_of_every_node_let_in_whom_the_list_says() {
    for (name, signing_in) in SERVERS {
        if let Some(place) = Place::two_nodes(&format!("access_nodes_{name}"), signing_in) {
            compare(&place, name);
        }
    }
}

fn compare(place: &Place, name: &str) {
    let (callers, group) = callers::all(&place.made);
    let own = |caller: &Caller| pads(&place.made, &group, &caller.name.replace(' ', "-"));
    let own: Vec<_> = callers.iter().map(own).collect();
    let mut list = List::of(callers.len());
    for route in all() {
        let kinds = match route.contains("{pad}") {
            true => own[0].iter().map(|(kind, _)| *kind).collect(),
            false => vec![""],
        };
        for (at, kind) in kinds.into_iter().enumerate() {
            let note = match kind {
                "" => String::new(),
                kind => format!(": {kind}"),
            };
            cases(&mut list, &route, &note, |method| {
                let cell = |(caller, pads): (&Caller, &Vec<(&str, String)>)| {
                    let request = request(method, &route, &pads[at].1);
                    let response = caller.send(place.asked(), request);
                    (caller.name.to_owned(), outcome(&response))
                };
                callers.iter().zip(&own).map(cell).collect()
            });
        }
    }
    for function in functions() {
        let version = function.since.max(Version::CURRENT);
        let path = format!("/api/{version}/{}", function.name);
        cases(&mut list, &path, "", |method| {
            let cell = |caller: &Caller| {
                let response = caller.send(place.asked(), Request::new(method, &path));
                (caller.name.to_owned(), outcome(&response))
            };
            callers.iter().map(cell).collect()
        });
    }
    list.compare(&format!("routes-{name}"));
}
