//! Pre-flight: every reason for which nothing is begun, and that nothing is changed then.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::update::installation::Installation;
use crate::update::origin::{Kind, find, git};

/// Applies, and gives the reason for which that does not work.
fn refusal(here: &Installation) -> String {
    let refs = git(&here.root, &["for-each-ref", "refs/heads", "refs/tags"]);
    if here.status() == "preflight-failed" {
        acknowledge(here);
    }
    let answer = here.apply();
    assert_eq!(answer.status, 409, "{}", answer.text());
    assert_eq!(
        answer.json()["error"],
        "preflight-failed",
        "{}",
        answer.text()
    );
    let reason = answer.json()["reason"].as_str().unwrap().to_owned();
    let execution = here.state()["execution"].take();
    assert_eq!(execution["status"], "preflight-failed");
    assert_eq!(execution["reason"], reason.as_str());
    here.is_as_before();
    assert_eq!(
        git(&here.root, &["for-each-ref", "refs/heads", "refs/tags"]),
        refs
    );
    assert!(here.codes().is_empty());
    reason
}

/// Nothing new is begun before the failure is acknowledged.
fn acknowledge(here: &Installation) {
    let answer = here.apply();
    let expected = json!({
        "error": "acknowledge-first",
        "status": "preflight-failed",
        "reason": "acknowledge-first: the last attempt ended in preflight-failed",
    });
    assert_eq!((answer.status, answer.json()), (409, expected));
    assert_eq!(here.status(), "preflight-failed");
    here.acknowledge();
}

#[test]
fn reasons_that_come_and_go() {
    let mut here = Installation::new("preflight", json!({}));
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_known("v1.1.0");
    std::fs::write(here.root.join("src/main.rs"), "changed").unwrap();
    std::fs::write(here.root.join("stray"), "").unwrap();
    let answer = here.apply();
    assert_eq!(
        answer.json()["reason"],
        "dirty-working-tree: M src/main.rs and 1 more"
    );
    git(&here.root, &["checkout", "--quiet", "--", "."]);
    std::fs::remove_file(here.root.join("stray")).unwrap();
    // The tag is gone, and then the whole origin.
    git(&here.origin.bare, &["tag", "--delete", "v1.1.0"]);
    assert_eq!(refusal(&here), "remote-tag-missing");
    let away = here.path("away.git");
    std::fs::rename(&here.origin.bare, &away).unwrap();
    assert!(refusal(&here).starts_with("remote-tag-missing: git ls-remote exit 128: "));
    std::fs::rename(&away, &here.origin.bare).unwrap();
    // A tag whose end is the same is another.
    git(&here.origin.bare, &["tag", "other/v1.1.0", "v1.0.0"]);
    assert_eq!(refusal(&here), "remote-tag-missing");
    // The tag is of a version that needs another compiler, and of one that is not newer.
    here.origin.commit("1.1.0", Kind::Good, "99.0");
    here.origin.tag("v1.1.0");
    let reason = refusal(&here);
    let begin = "node-engine-mismatch: target requires Rust 99.0.0, installed is 1.";
    assert!(
        reason.starts_with(&begin.replace("99.0.0", "99.0")),
        "{reason}"
    );
    here.origin.commit("1.0.0", Kind::Good, "1.70");
    here.origin.tag("v1.1.0");
    assert_eq!(
        refusal(&here),
        "target-not-newer: v1.1.0 is version 1.0.0, 1.0.0 is running"
    );
    // The tag is of something that is not this program at all.
    let tree = git(
        &here.origin.bare,
        &["hash-object", "-w", "-t", "tree", "/dev/null"],
    );
    let commit = git(&here.origin.bare, &["commit-tree", &tree, "-m", "empty"]);
    git(&here.origin.bare, &["tag", "--force", "v1.1.0", &commit]);
    assert!(refusal(&here).starts_with("tag-fetch-failed: git show exit 128: "));
    // Acknowledged, it is as if nothing had been.
    assert_eq!(here.post("/admin/update/acknowledge").status, 200);
    assert_eq!(here.status(), "idle");
    // Somebody else holds the lock.
    let lock = here.root.join("var/update.lock");
    let mut holder = Command::new("flock");
    holder.arg(&lock).args(["sh", "-c", "echo held; read line"]);
    let mut holder = holder
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = [0; 5];
    std::io::Read::read_exact(holder.stdout.as_mut().unwrap(), &mut said).unwrap();
    assert_eq!(here.get("/admin/update/status").json()["lockHeld"], true);
    let answer = here.apply();
    assert_eq!(
        (answer.status, answer.json()),
        (409, json!({ "error": "lock-held" }))
    );
    assert_eq!(here.status(), "idle");
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert_eq!(here.get("/admin/update/status").json()["lockHeld"], false);
    here.stop();
}

#[test]
fn reasons_of_the_machine() {
    let mut here = Installation::new("machine", json!({ "diskSpaceMinMB": 999_999_999 }));
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_known("v1.1.0");
    let reason = refusal(&here);
    assert!(reason.starts_with("low-disk-space: "), "{reason}");
    assert!(
        reason.ends_with(" MB are free, 999999999 MB are needed"),
        "{reason}"
    );
    // There is git, and nothing to build with.
    let tools = here.path("git-only");
    std::fs::create_dir(&tools).unwrap();
    for program in ["git", "sh"] {
        std::os::unix::fs::symlink(find(program), tools.join(program)).unwrap();
    }
    here.variables = vec![("PATH".to_owned(), tools.display().to_string())];
    here.settings["updates"]["diskSpaceMinMB"] = json!(1);
    here.restart();
    let reason = refusal(&here);
    assert!(
        reason.starts_with("build-tool-missing: cargo cannot be started"),
        "{reason}"
    );
    here.settings["updates"]["installMethod"] = json!("docker");
    here.restart();
    acknowledge(&here);
    let answer = here.apply();
    assert_eq!(answer.status, 409);
    assert_eq!(answer.json()["reason"], "install-method-not-writable");
    here.stop();
}

/// A key that can sign; its folder is the keyring.
fn key(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir(folder).unwrap();
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).unwrap();
    let mut command = Command::new("gpg");
    command.args([
        "--batch",
        "--quiet",
        "--passphrase",
        "",
        "--quick-generate-key",
    ]);
    command.args(["Ada <ada@example.org>", "ed25519", "sign", "never"]);
    command.env("GNUPGHOME", folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// What holds the keys of a test, and would go on without it.
struct Agents(Vec<std::path::PathBuf>);

impl Drop for Agents {
    fn drop(&mut self) {
        for keys in &self.0 {
            let mut command = Command::new("gpgconf");
            let _ = command
                .args(["--kill", "all"])
                .env("GNUPGHOME", keys)
                .status();
        }
    }
}

#[test]
fn what_installs_by_itself_is_signed_unless_the_settings_say_otherwise() {
    let updates = json!({ "tier": "auto", "requireSignature": null });
    let mut here = Installation::new("unsigned", updates);
    here.publish("1.1.0", Kind::Good);
    here.start();
    let execution = here.until_status("preflight-failed");
    let reason = execution["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("signature-verification-failed"),
        "{reason}"
    );
    here.is_as_before();
    here.stop();
}

#[test]
fn only_tags_signed_with_a_trusted_key() {
    let mut here = Installation::new("signed", json!({ "requireSignature": true }));
    // Sockets have short names.
    let folder = std::env::temp_dir().join(format!("padsvc-keys-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let (trusted, other) = (folder.join("trusted"), folder.join("other"));
    let _agents = Agents(vec![trusted.clone(), other.clone()]);
    key(&trusted);
    key(&other);
    here.settings["updates"]["trustedKeysPath"] = json!(trusted);
    here.publish("1.1.0", Kind::Good);
    here.start();
    here.until_known("v1.1.0");
    let failed = "signature-verification-failed: ";
    assert!(refusal(&here).starts_with(failed));
    here.origin.sign("v1.1.0", &other);
    assert!(refusal(&here).starts_with(failed));
    // A good signature, but of the tag of another release.
    here.origin.sign("v1.0.9", &trusted);
    let object = git(&here.origin.bare, &["rev-parse", "v1.0.9"]);
    git(
        &here.origin.bare,
        &["update-ref", "refs/tags/v1.1.0", &object],
    );
    assert_eq!(
        refusal(&here),
        format!("{failed}the signature is that of another tag")
    );
    here.origin.sign("v1.1.0", &trusted);
    acknowledge(&here);
    let answer = here.apply();
    assert_eq!(answer.status, 202, "{}", answer.text());
    here.until_status("verified");
    here.until_runs("1.1.0");
    here.stop();
    std::fs::remove_dir_all(&folder).unwrap();
}
