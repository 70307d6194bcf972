//! As much of a browser as signing in takes: cookies and one form.

use crate::client::{Request, Response, form};
use crate::server::Server;

#[derive(Default)]
pub(crate) struct Browser {
    /// Of the page that was shown last.
    folder: String,
    cookies: Vec<(String, String)>,
}

impl Browser {
    pub(crate) fn get(&mut self, server: &Server, path: &str) -> Response {
        self.send(server, Request::get(path))
    }

    /// Sends the form of a page, as a browser does: with the fields that are there and those given.
    pub(crate) fn submit(
        &mut self,
        server: &Server,
        page: &Response,
        fields: &[(&str, &str)],
    ) -> Response {
        let text = page.text();
        let action = attribute(text, "action=\"");
        let path = match action.strip_prefix("../") {
            Some(below_root) => format!("/{}", below_root.trim_start_matches("../")),
            None => format!("{}{action}", self.folder),
        };
        let hidden = attribute(text, "name=\"form\" value=\"");
        let mut all = vec![("form", hidden.as_str())];
        all.extend(fields);
        let request = Request::post(&path).header("sec-fetch-site", "same-origin");
        self.send(server, request.form(form(&all)))
    }

    pub(crate) fn sign_in(
        &mut self,
        server: &Server,
        path: &str,
        user: &str,
        password: &str,
    ) -> Response {
        let page = self.get(server, path);
        self.submit(server, &page, &[("user", user), ("password", password)])
    }

    pub(crate) fn send(&mut self, server: &Server, request: Request) -> Response {
        let pairs: Vec<String> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let request = if pairs.is_empty() {
            request
        } else {
            request.header("cookie", &pairs.join("; "))
        };
        let response = server.send(&request);
        let path = request.target.split('?').next().unwrap();
        self.folder = path[..=path.rfind('/').unwrap()].to_owned();
        for cookie in response.all("set-cookie") {
            let (name, rest) = cookie.split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            self.cookies.retain(|(other, _)| other != name);
            if !cookie.contains("Max-Age=0") {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        response
    }

    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        let found = self.cookies.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.clone())
    }

    pub(crate) fn set_cookie(&mut self, name: &str, value: &str) {
        self.cookies.retain(|(other, _)| other != name);
        self.cookies.push((name.to_owned(), value.to_owned()));
    }
}

/// What stands behind a mark in a page, up to the next quote.
fn attribute(text: &str, mark: &str) -> String {
    let (_, rest) = text
        .split_once(mark)
        .unwrap_or_else(|| panic!("no {mark} in {text}"));
    rest.split('"').next().unwrap().replace("&#38;", "&")
}
