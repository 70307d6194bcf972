//! Rules that are tables: versions, tags, policies, install methods, announcements, manifests.

use update::config::InstallMethod;
use update::drain::announcements;
use update::feed::{self, Answer, Checked};
use update::install::{Facts, detect};
use update::target::{Target, release_folder};
use update::version::{is_minor_behind, is_newer};
use update::{Execution, policy};

use crate::data::{self, configure, time};
use crate::stories::release;

#[test]
fn versions() {
    data::check("versions.txt", |line| {
        let (current, latest) = line.split_once(" -> ").unwrap();
        vec![
            match (is_newer(latest, current), is_minor_behind(current, latest)) {
                (false, _) => "not newer",
                (true, true) => "newer, by a minor version at least",
                (true, false) => "newer, by a patch",
            }
            .to_owned(),
        ]
    });
}

#[test]
fn policies() {
    data::check("policies.txt", |line| {
        let mut config = data::config();
        let mut latest = release("v1.1.0");
        let mut execution = Execution::Idle;
        for word in line.split_whitespace() {
            match word.split_once('=').unwrap() {
                ("latest", tag) => latest = release(tag),
                ("status", "rollback-failed") => {
                    execution = Execution::RollbackFailed {
                        reason: "x".to_owned(),
                        target_tag: "v1.1.0".to_owned(),
                        from_sha: "x".to_owned(),
                        at: time("2026-03-02T12:00Z"),
                    };
                }
                _ => configure(&mut config, word),
            }
        }
        let policy = policy(&config, &latest, &execution);
        let may = [
            (policy.can_notify, "notify"),
            (policy.can_manual, "manual"),
            (policy.can_auto, "auto"),
            (policy.can_autonomous, "autonomous"),
        ];
        let may: Vec<&str> = may
            .iter()
            .filter(|(can, _)| *can)
            .map(|(_, it)| *it)
            .collect();
        let may = if may.is_empty() {
            "nothing".to_owned()
        } else {
            may.join(" ")
        };
        vec![format!("{}: {may}", policy.reason.name())]
    });
}

#[test]
fn tags_and_addresses() {
    data::check("tags.txt", |line| match line.split_once(' ') {
        Some(("repository", name)) => {
            vec![feed::address(name).unwrap_or_else(|| "refused".to_owned())]
        }
        _ => {
            let tag = line.replace("\\s", " ").replace("\\n", "\n");
            let safe = if feed::is_safe_tag(&tag) {
                "safe"
            } else {
                "refused"
            };
            vec![safe.to_owned()]
        }
    });
}

#[test]
fn feeds() {
    let now = time("2026-03-02T12:00Z");
    data::check("feeds.txt", |line| {
        let (status, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (retry_after, body) = match rest.strip_prefix("retry-after ") {
            Some(value) => (Some(value), ""),
            None => (None, rest),
        };
        let answer = Answer {
            status: status.parse().unwrap(),
            etag: Some("\"abc\""),
            retry_after,
            body: body.as_bytes(),
        };
        vec![match feed::read(&answer, now) {
            Checked::Found { release, etag } => {
                let etag = etag.unwrap();
                format!("found {} {} {etag}", release.tag, release.version)
            }
            Checked::Unchanged => "unchanged".to_owned(),
            Checked::Prerelease { .. } => "prerelease".to_owned(),
            Checked::Limited { until: None } => "limited".to_owned(),
            Checked::Limited { until: Some(at) } => format!("limited until {at}"),
            Checked::Failed(reason) => format!("failed: {reason}"),
        }]
    });
}

/// Every combination of what can be seen, held against the order of the contract.
#[test]
fn install_methods() {
    for bits in 0..16_u8 {
        let bit = |number: u8| bits & (1 << number) != 0;
        let facts = Facts {
            docker_mark: bit(0),
            git_folder: bit(1),
            root_is_writable: bit(2),
            writable_package_lock: bit(3),
        };
        let expected = match (bit(0), bit(1) && bit(2), bit(3)) {
            (true, _, _) => InstallMethod::Docker,
            (_, true, _) => InstallMethod::Git,
            (_, _, true) => InstallMethod::Npm,
            _ => InstallMethod::Managed,
        };
        assert_eq!(detect(facts), expected, "{facts:?}");
    }
}

#[test]
fn announcements_come_at_60_30_and_10_seconds() {
    let told = |seconds| -> Vec<(u64, &str)> {
        let all = announcements(seconds).into_iter();
        all.map(|it| (it.seconds_left, it.key.rsplit('.').next().unwrap()))
            .collect()
    };
    assert_eq!(told(60), [(60, "t60"), (30, "t30"), (10, "t10")]);
    assert_eq!(
        told(120),
        [(120, "t60"), (60, "t60"), (30, "t30"), (10, "t10")]
    );
    assert_eq!(told(30), [(30, "t60"), (10, "t10")]);
    assert_eq!(told(11), [(11, "t60"), (10, "t10")]);
    assert_eq!(told(10), [(10, "t60")]);
    assert_eq!(told(1), [(1, "t60")]);
}

#[test]
fn manifests_of_packages_and_workspaces() {
    let workspace = "[workspace.package]\nversion = \"1.2.3\"\nrust-version = \"1.95\"\n";
    let target = Target::read(workspace).unwrap();
    assert_eq!(target.version.as_deref(), Some("1.2.3"));
    let problem = |rustc: &str| target.compiler_problem(rustc);
    assert_eq!(problem("rustc 1.95.0 (59807616e 2026-04-14)"), None);
    assert_eq!(problem("rustc 2.0.0"), None);
    assert_eq!(
        problem("rustc 1.94.1 (x)").unwrap(),
        "target requires Rust 1.95, installed is 1.94.1"
    );
    assert!(problem("").is_some());
    let package = "[package]\nversion = \"1.0.0\"\n";
    let target = Target::read(package).unwrap();
    assert_eq!(target.version.as_deref(), Some("1.0.0"));
    assert_eq!(target.compiler_problem("rustc 1.0.0"), None);
    assert!(Target::read("[package").is_err());
}

#[test]
fn folders_of_releases_are_plain_names() {
    assert_eq!(
        release_folder("v1.2.3", "0123456789abcdef"),
        "v1.2.3-0123456789ab"
    );
    assert_eq!(release_folder("a/../b", "01"), "a_.._b-01");
}
