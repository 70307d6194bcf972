//! The data files: lines of input, each followed by lines that begin with `>` and are recorded.

use std::path::PathBuf;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use update::{Config, Daily, InstallMethod, Tier, Window};

/// Reads a file, asks `answer` about each line, and compares what it says with what is recorded.
pub(crate) fn check(name: &str, mut answer: impl FnMut(&str) -> Vec<String>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/update");
    let path = path.join(name);
    let recorded = std::fs::read_to_string(&path).unwrap();
    let mut found = String::new();
    for line in recorded.lines().filter(|line| !line.starts_with('>')) {
        found += line;
        found.push('\n');
        let input = line.split('#').next().unwrap_or_default().trim();
        if !input.is_empty() {
            for line in answer(input) {
                found += &format!("> {line}\n");
            }
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let recorded = std::fs::read_to_string(&path).unwrap();
    assert_eq!(found, recorded, "{name}; UPDATE_EXPECT=1 rewrites it");
}

/// A time as the files write it: `2026-03-02T01:59Z`, with seconds if there are any.
pub(crate) fn time(text: &str) -> Timestamp {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn config() -> Config {
    Config {
        tier: Tier::Auto,
        install_method: InstallMethod::Git,
        current: "1.0.0".to_owned(),
        grace_minutes: 60,
        drain_seconds: 60,
        health_check_seconds: 60,
        window: Window::Unset,
        zone: TimeZone::UTC,
        has_admin_email: true,
        node: None,
    }
}

/// Changes what is named: `tier=auto grace=0 window=22:00-02:00 zone=Europe/Berlin`.
pub(crate) fn configure(config: &mut Config, words: &str) {
    for word in words.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap();
        match name {
            "tier" => config.tier = by_name(&Tier::ALL, |tier| tier.name(), value),
            "install" => {
                config.install_method = by_name(&InstallMethod::ALL, |it| it.name(), value);
            }
            "current" => config.current = value.to_owned(),
            "grace" => config.grace_minutes = value.parse().unwrap(),
            "drain" => config.drain_seconds = value.parse().unwrap(),
            "window" => config.window = window(value),
            "zone" => config.zone = TimeZone::get(value).unwrap(),
            "email" => config.has_admin_email = value == "yes",
            other => panic!("no setting {other}"),
        }
    }
}

fn by_name<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str, wanted: &str) -> T {
    *all.iter().find(|it| name(**it) == wanted).unwrap()
}

/// `unset`, `invalid`, or `22:00-02:00`, in UTC with `utc:` before it.
pub(crate) fn window(text: &str) -> Window {
    let minutes = |text: &str| {
        let (hours, minutes) = text.split_once(':').unwrap();
        hours.parse::<u16>().unwrap() * 60 + minutes.parse::<u16>().unwrap()
    };
    let (utc, times) = match text.strip_prefix("utc:") {
        Some(times) => (true, times),
        None => (false, text),
    };
    match times.split_once('-') {
        Some((start, end)) => Window::Daily(Daily {
            start: minutes(start),
            end: minutes(end),
            utc,
        }),
        None if text == "invalid" => Window::Invalid,
        None => Window::Unset,
    }
}
