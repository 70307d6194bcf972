//! Many generated requests, each with one thing wrong: wrong types, huge values, broken encodings,
//! NUL, lone surrogates, repeated parameters, unknown charsets, bodies cut in two.
//!
//! Each must be refused in words, none may be the server's fault, and nothing stored may change.
//! `PADSVC_CASES` says how many there are; the same number makes the same requests.

use serde_json::{Value, json};
use service::api::{Function, Kind, functions};

use crate::client::{self, Request, escape, exchange, form, multipart, multipart_type};
use crate::server::{Server, TempRoot};

const CASES: usize = 400;

#[test]
fn bad_requests_are_refused_in_words_and_change_nothing() {
    let root = TempRoot::with_settings("bad_requests", &settings().to_string());
    let server = Server::start(&root);
    refuse_all(&server);
    server.stop();
}

/// Texts can be too long without being long.
pub(crate) fn settings() -> Value {
    json!({ "maxTextLength": 10_000 })
}

pub(crate) fn refuse_all(server: &Server) {
    let mut world = World::new(server);
    let before = digest(server);
    let cases = std::env::var("PADSVC_CASES").map_or(CASES, |count| count.parse().unwrap());
    for index in 0..cases {
        let kind = KINDS[index % KINDS.len()];
        let case = kind(&mut world);
        let answer = exchange(&server.address, &case.bytes);
        let shown = String::from_utf8_lossy(&case.bytes[..case.bytes.len().min(600)]);
        let complain = |what: &str| -> ! {
            let answer = String::from_utf8_lossy(&answer);
            panic!("case {index}, {}: {what}\n{shown}\n\n{answer}", case.what)
        };
        let Some(response) = client::parse(&answer) else {
            complain("no answer");
        };
        match response.status {
            400..500 if case.is_http_broken => {}
            200 | 400..500 => match refusal(&response) {
                Ok(()) => {}
                Err(what) => complain(what),
            },
            _ => complain("neither refused nor refusable"),
        }
    }
    assert_eq!(digest(server), before);
    let log = server.log();
    assert!(!log.contains("ERROR") && !log.contains("panicked"), "{log}");
}

fn refusal(response: &client::Response) -> Result<(), &'static str> {
    if response.status == 431 {
        return Ok(());
    }
    let Ok(envelope) = serde_json::from_slice::<Value>(&response.body) else {
        return Err("not an envelope");
    };
    let message = envelope["message"].as_str().unwrap_or_default();
    match envelope["code"].as_u64() {
        Some(1 | 3 | 4) if message.len() > 3 && envelope["data"].is_null() => Ok(()),
        _ => Err("not a refusal"),
    }
}

/// Everything that calls can change.
fn digest(server: &Server) -> Value {
    let pads = server.data("listAllPads", &json!({}));
    let mut found = vec![
        server.data("listAllGroups", &json!({})),
        server.data("getStats", &json!({})),
    ];
    for pad in pads["padIDs"].as_array().unwrap() {
        for function in [
            "getText",
            "getRevisionsCount",
            "getChatHead",
            "listAuthorsOfPad",
            "listSavedRevisions",
            "getAttributePool",
        ] {
            found.push(server.data(function, &json!({ "padID": pad })));
        }
    }
    json!([pads, found])
}

struct Case {
    what: &'static str,
    bytes: Vec<u8>,
    /// Not even HTTP: the parser may refuse it without an envelope.
    is_http_broken: bool,
}

impl Case {
    fn of(what: &'static str, request: &Request) -> Case {
        Case {
            what,
            bytes: request.bytes(),
            is_http_broken: false,
        }
    }
}

const KINDS: &[fn(&mut World) -> Case] = &[
    World::wrong_type,
    World::missing_parameter,
    World::huge_value,
    World::broken_encoding,
    World::nul_in_an_id,
    World::lone_surrogate,
    World::repeated_parameter,
    World::unknown_charset,
    World::truncated_multipart,
    World::truncated_json,
    World::json_of_another_kind,
    World::unknown_content_type,
    World::too_many_fields,
    World::head_too_large,
    World::no_such_function,
    World::wrong_credential,
    World::garbage_body,
    World::broken_http,
];

/// What there is, and chance.
struct World {
    key: String,
    group: String,
    author: String,
    session: String,
    seed: u64,
}

impl World {
    fn new(server: &Server) -> World {
        let text = |data: Value, name: &str| data[name].as_str().unwrap().to_owned();
        let group = text(server.data("createGroup", &json!({})), "groupID");
        let author = text(server.data("createAuthor", &json!({})), "authorID");
        let grant = json!({"groupID": group, "authorID": author, "validUntil": 4_000_000_000_u64});
        let session = text(server.data("createSession", &grant), "sessionID");
        for pad in ["victim", "other"] {
            server.data("createPad", &json!({"padID": pad, "text": "as it was"}));
        }
        let plan = json!({"groupID": group, "padName": "plan"});
        server.data("createGroupPad", &plan);
        World {
            key: server.key.clone(),
            group,
            author,
            session,
            seed: 0x9e37_79b9_7f4a_7c15,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed % bound as u64) as usize
    }

    fn one_of<T: Clone>(&mut self, list: &[T]) -> T {
        let index = self.below(list.len());
        list[index].clone()
    }

    /// A function that has a parameter of that kind, and the parameter's place.
    fn function(
        &mut self,
        wanted: impl Fn(&service::api::Param) -> bool,
    ) -> (&'static Function, usize) {
        let all: Vec<(&'static Function, usize)> = functions()
            .flat_map(|function| (0..function.params.len()).map(move |at| (function, at)))
            .filter(|(function, at)| wanted(&function.params[*at]))
            .collect();
        self.one_of(&all)
    }

    /// Good values for all parameters of a function but one.
    fn others(&self, function: &Function, left_out: usize) -> Vec<(&'static str, String)> {
        let params = function.params.iter().enumerate();
        params
            .filter(|(at, param)| *at != left_out && param.required)
            .map(|(_, param)| (param.name, self.good(param.name)))
            .collect()
    }

    fn good(&self, name: &str) -> String {
        match name {
            "padID" | "padId" | "sourceID" => "victim".to_owned(),
            "destinationID" => "elsewhere".to_owned(),
            "groupID" => self.group.clone(),
            "authorID" => self.author.clone(),
            "sessionID" => self.session.clone(),
            "rev" | "startRev" | "endRev" => "0".to_owned(),
            "validUntil" => "4000000000".to_owned(),
            "publicStatus" => "true".to_owned(),
            _ => "value".to_owned(),
        }
    }

    fn post(&self, function: &str) -> Request {
        Request::post(&format!("/api/1.3.1/{function}")).header("apikey", &self.key)
    }

    fn json(&self, function: &Function, at: usize, value: &str) -> Request {
        let mut members: Vec<String> = self
            .others(function, at)
            .iter()
            .map(|(name, value)| format!("{}:{}", json!(name), json!(value)))
            .collect();
        members.push(format!("{}:{value}", json!(function.params[at].name)));
        self.post(function.name)
            .body("application/json", format!("{{{}}}", members.join(",")))
    }

    fn wrong_type(&mut self) -> Case {
        let (function, at) = self.function(|_| true);
        let values: &[&str] = match function.params[at].kind {
            Kind::Text => &["7", "-1.5", "true", "[]", "[\"x\"]", "{}", "{\"a\":[1]}"],
            Kind::Integer => &[
                "\"x\"",
                "\"1.5\"",
                "1.5",
                "true",
                "[1]",
                "{}",
                "1e300",
                "-1e300",
                "\"0x1\"",
                "\"1 2\"",
                "\"NaN\"",
                "\"inf\"",
                "\"1e\"",
                "99999999999999999999999999",
            ],
            Kind::Boolean => &["\"banana\"", "2", "-1", "[true]", "{}", "\"TRUE \"", "0.5"],
        };
        let value = self.one_of(values);
        Case::of("wrong type", &self.json(function, at, value))
    }

    fn missing_parameter(&mut self) -> Case {
        let (function, at) = self.function(|param| param.required);
        let others = self.others(function, at);
        let others: Vec<(&str, &str)> = others.iter().map(|(n, v)| (*n, v.as_str())).collect();
        let request = match self.below(2) {
            0 => self.post(function.name).form(form(&others)),
            _ => self
                .post(function.name)
                .body(&multipart_type(), multipart(&others)),
        };
        Case::of("missing parameter", &request)
    }

    fn huge_value(&mut self) -> Case {
        let length = 110_000 + self.below(100_000);
        let fill = self.one_of(&["x", "\u{2603}", "\u{1f600}", "%", "\0", "y\n"]);
        let huge = fill.repeat(length);
        let (function, name) = self.one_of(&[
            ("setText", "text"),
            ("appendText", "text"),
            ("createPad", "padID"),
            ("createGroupPad", "padName"),
            ("getText", "padID"),
            ("getText", "rev"),
            ("getPadID", "roID"),
            ("copyPad", "destinationID"),
            ("listPads", "groupID"),
            ("listPadsOfAuthor", "authorID"),
            ("getSessionInfo", "sessionID"),
            ("createSession", "validUntil"),
            ("setPublicStatus", "publicStatus"),
            ("appendChatMessage", "text"),
        ]);
        let function = functions().find(|row| row.name == function).unwrap();
        let at = function.params.iter().position(|param| param.name == name);
        let at = at.unwrap();
        let request = match self.below(2) {
            0 => self.json(function, at, &json!(huge).to_string()),
            _ => {
                let others = self.others(function, at);
                let mut fields: Vec<(&str, &str)> =
                    others.iter().map(|(n, v)| (*n, v.as_str())).collect();
                fields.push((name, &huge));
                self.post(function.name).form(form(&fields))
            }
        };
        Case::of("huge value", &request)
    }

    fn broken_encoding(&mut self) -> Case {
        let broken: &[u8] = self.one_of(&[
            &b"\xff"[..],
            b"\xc0\x80",
            b"\xed\xa0\x80",
            b"\xf5\x80\x80\x80",
            b"\xe2\x98",
            b"\x80",
        ]);
        let escaped: String = broken.iter().map(|byte| format!("%{byte:02x}")).collect();
        let raw = |start: &str, end: &str| [start.as_bytes(), broken, end.as_bytes()].concat();
        let request = match self.below(5) {
            0 => self.post("setText").form(raw("padID=victim&text=a", "b")),
            1 => self
                .post("setText")
                .form(format!("padID=victim&text={escaped}")),
            2 => {
                let target = format!("/api/1/setText?padID=victim&text={escaped}");
                Request::get(&target).header("apikey", &self.key)
            }
            3 => self.post("setText").body(
                "application/json",
                raw("{\"padID\":\"victim\",\"text\":\"", "\"}"),
            ),
            _ => {
                let whole = multipart(&[("padID", "victim"), ("text", "@")]);
                let at = whole.iter().position(|&byte| byte == b'@').unwrap();
                let body = [&whole[..at], broken, &whole[at + 1..]].concat();
                self.post("setText").body(&multipart_type(), body)
            }
        };
        Case::of("broken encoding", &request)
    }

    fn nul_in_an_id(&mut self) -> Case {
        let (function, name) = self.one_of(&[
            ("createPad", "padID"),
            ("getText", "padID"),
            ("setText", "padID"),
            ("createGroupPad", "padName"),
            ("copyPad", "destinationID"),
            ("movePad", "destinationID"),
            ("listPads", "groupID"),
            ("createSession", "authorID"),
            ("deleteSession", "sessionID"),
            ("getPadID", "roID"),
        ]);
        let function = functions().find(|row| row.name == function).unwrap();
        let at = function.params.iter().position(|param| param.name == name);
        let good = self.good(name);
        let value = self.one_of(&["\0".to_owned(), format!("{good}\0"), format!("\0{good}")]);
        Case::of(
            "NUL in an id",
            &self.json(function, at.unwrap(), &json!(value).to_string()),
        )
    }

    fn lone_surrogate(&mut self) -> Case {
        // In the text of a pad it is allowed.
        let (function, at) =
            self.function(|param| param.kind == Kind::Text && param.name != "text");
        let value = self.one_of(&[
            r#""\ud800""#,
            r#""\udfff""#,
            r#""a\ud83dx""#,
            r#""\ude00\ud83d""#,
            r#""\ud800\n""#,
        ]);
        Case::of("lone surrogate", &self.json(function, at, value))
    }

    fn repeated_parameter(&mut self) -> Case {
        let fields = [
            ("padID", "missing"),
            ("padID", "victim"),
            ("text", "changed"),
        ];
        let request = match self.below(4) {
            0 => self.post("setText").form(form(&fields)),
            1 => self
                .post("setText")
                .body(&multipart_type(), multipart(&fields)),
            2 => self.post("setText").body(
                "application/json",
                r#"{"padID":"missing","padID":"victim","text":"changed"}"#,
            ),
            _ => {
                let target = format!("/api/1/setText?{}", form(&fields));
                Request::get(&target).header("apikey", &self.key)
            }
        };
        Case::of("repeated parameter", &request)
    }

    fn unknown_charset(&mut self) -> Case {
        let charset = self.one_of(&[
            "latin1",
            "utf-16",
            "x",
            "\"utf-7\"",
            "utf-8x",
            "=",
            "\u{7f}",
        ]);
        let (kind, body) = self.one_of(&[
            (
                "application/x-www-form-urlencoded",
                "padID=victim&text=changed",
            ),
            ("application/json", r#"{"padID":"victim","text":"changed"}"#),
        ]);
        let kind = format!("{kind}; charset={charset}");
        let mut case = Case::of("unknown charset", &self.post("setText").body(&kind, body));
        case.is_http_broken = charset == "\u{7f}";
        case
    }

    fn truncated_multipart(&mut self) -> Case {
        let whole = multipart(&[("padID", "victim"), ("text", "changed")]);
        // With the last line end missing it would still be whole.
        let cut = 1 + self.below(whole.len() - "--\r\n".len() - 1);
        let request = self.post("setText");
        Case::of(
            "truncated multipart",
            &request.body(&multipart_type(), &whole[..cut]),
        )
    }

    fn truncated_json(&mut self) -> Case {
        let whole = r#"{"padID": "victim", "text": "ch\u0061nged", "x": [1, {"y": null}]}"#;
        let cut = 1 + self.below(whole.len() - 1);
        let request = self.post("setText");
        Case::of(
            "truncated JSON",
            &request.body("application/json", &whole.as_bytes()[..cut]),
        )
    }

    fn json_of_another_kind(&mut self) -> Case {
        let deep = "[".repeat(1 + self.below(100_000));
        let nested = format!(
            "{{\"padID\":\"victim\",\"text\":{deep}{}}}",
            "]".repeat(deep.len())
        );
        let body = self.one_of(&[
            "[]".to_owned(),
            "null".to_owned(),
            "\"padID=victim\"".to_owned(),
            "1".to_owned(),
            "true".to_owned(),
            "{} {}".to_owned(),
            "// a comment\n{}".to_owned(),
            "{\"padID\":\"victim\",\"text\":\"x\",}".to_owned(),
            "{padID:'victim'}".to_owned(),
            "{\"padID\":\"victim\",\"text\":1e999}".to_owned(),
            deep,
            nested,
        ]);
        let request = self.post("setText").body("application/json", body);
        Case::of("JSON of another kind", &request)
    }

    fn unknown_content_type(&mut self) -> Case {
        let kind = self.one_of(&[
            "text/plain",
            "text/html; charset=utf-8",
            "application/xml",
            "image/png",
            "multipart/mixed; boundary=x",
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "application/jsonp",
            "json",
            ";",
            "",
        ]);
        let request = self.post("setText").body(kind, "padID=victim&text=changed");
        Case::of("unknown content type", &request)
    }

    fn too_many_fields(&mut self) -> Case {
        let count = 1000 + self.below(20_000);
        let good = "padID=victim&text=changed";
        let request = self
            .post("setText")
            .form(format!("{good}{}", "&x".repeat(count)));
        Case::of("too many fields", &request)
    }

    fn head_too_large(&mut self) -> Case {
        let fill = "x".repeat(8192 + self.below(30_000));
        let request = match self.below(3) {
            0 => Request::get(&format!("/api/1/createPad?padID={fill}")),
            1 => self.post("createPad").header("x-fill", &fill),
            _ => Request::get("/api/1/createPad").header("cookie", &fill),
        };
        let mut case = Case::of("head too large", &request);
        case.is_http_broken = true;
        case
    }

    fn no_such_function(&mut self) -> Case {
        let path = self.one_of(&[
            "/api/2/setText",
            "/api/1.3.2/setText",
            "/api/1/settext",
            "/api/1/setText/victim",
            "/api/1/..%2f1%2fsetText",
            "/api/1/set%00Text",
            "/api/%31/setText",
            "/api/1/constructor",
            "/api/1/__proto__",
            "/api/1/",
            "/api/x",
        ]);
        let method = self.one_of(&["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);
        let request = Request::new(method, &format!("{path}?padID=victim&text=changed"));
        Case::of("no such function", &request.header("apikey", &self.key))
    }

    fn wrong_credential(&mut self) -> Case {
        let almost = self.key[..63].to_owned();
        let wrong = self.one_of(&[
            String::new(),
            almost,
            "\u{2603}".to_owned(),
            "0".repeat(64),
            "x".repeat(4000),
            "' OR 1=1 --".to_owned(),
        ]);
        let request = match self.below(3) {
            0 => Request::post("/api/1/setText").form(format!(
                "padID=victim&text=changed&apikey={}",
                escape(&wrong)
            )),
            1 => Request::post("/api/1/setText")
                .header("authorization", &format!("Bearer {wrong}"))
                .form("padID=victim&text=changed"),
            _ => Request::get(&format!(
                "/api/1/deletePad?padID=victim&deletionToken={}",
                escape(&wrong)
            )),
        };
        Case::of("wrong credential", &request)
    }

    fn garbage_body(&mut self) -> Case {
        let length = 1 + self.below(5_000);
        let body: Vec<u8> = (0..length).map(|_| self.below(256) as u8).collect();
        let kind = self.one_of(&[
            "application/json".to_owned(),
            multipart_type(),
            "application/x-www-form-urlencoded".to_owned(),
        ]);
        Case::of("garbage body", &self.post("setText").body(&kind, body))
    }

    fn broken_http(&mut self) -> Case {
        let lines = self.one_of(&[
            "GET  /api/1/getText HTTP/1.1\r\n",
            "GET /api/1/getText?padID=a b HTTP/1.1\r\nhost: pads\r\n",
            "GET /api/1/getText HTTP/1.1\r\nno colon\r\n",
            "GET /api/1/getText HTTP/1.1\r\nhost: pa\0ds\r\n",
            "GET /api/1/get\0Text HTTP/1.1\r\nhost: pads\r\n",
            "POST /api/1/setText HTTP/1.1\r\nhost: pads\r\ncontent-length: many\r\n",
            "POST /api/1/setText HTTP/1.1\r\nhost: pads\r\ncontent-length: -1\r\n",
            "POST /api/1/setText HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n",
            "POST /api/1/setText HTTP/1.1\r\nhost: pads\r\ntransfer-encoding: banana\r\n",
            "\u{16}\u{3}\u{1} hello of another protocol\r\n",
            "getText\r\n",
        ]);
        Case {
            what: "broken HTTP",
            bytes: format!("{lines}connection: close\r\n\r\n").into_bytes(),
            is_http_broken: true,
        }
    }
}
