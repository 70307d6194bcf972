//! Hostile scripts, and what must come of the hook `message`: `fixtures/plugin/hostile.script`.

use serde_json::Value;

#[derive(Debug)]
pub(crate) enum Expect {
    Answer(Value),
    /// A part of the error.
    Error(&'static str),
    Nothing,
    /// The worker gives up, with a part of the reason.
    Failed(&'static str),
    Killed,
}

pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) script: &'static str,
    pub(crate) expect: Expect,
}

pub(crate) fn cases() -> Vec<Case> {
    let text = include_str!("../../../../fixtures/plugin/hostile.script");
    let cases: Vec<Case> = text.split("\n[").skip(1).map(case).collect();
    assert_eq!(cases.len(), text.matches("\n=> ").count());
    cases
}

fn case(text: &'static str) -> Case {
    let (name, rest) = text.split_once("]\n").unwrap();
    let (script, rest) = rest.split_once("\n=> ").unwrap();
    let line = rest.lines().next().unwrap();
    let (kind, value) = line.split_once(' ').unwrap_or((line, ""));
    let expect = match kind {
        "answer" => Expect::Answer(serde_json::from_str(value).unwrap()),
        "error" => Expect::Error(value),
        "nothing" => Expect::Nothing,
        "failed" => Expect::Failed(value),
        "killed" => Expect::Killed,
        other => panic!("{name}: {other}"),
    };
    Case {
        name,
        script,
        expect,
    }
}
