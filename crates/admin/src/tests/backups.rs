//! Backups: made, listed, downloaded, tested, on schedule, and never two at once.

use std::fs;

use super::*;

struct Place {
    site: Router,
    backups: Arc<Backups>,
    store: Store,
    root: tempfile::TempDir,
}

/// A service with an embedded database of its own.
async fn place(every_hours: u64) -> Place {
    let root = tempfile::tempdir().unwrap();
    let location = Location::Embedded(root.path().join("pads.db"));
    let store = Store::open(location.clone()).await.unwrap();
    let mut settings = settings();
    settings.backups.every_hours = every_hours;
    let (site, backups) = site_at(store.clone(), settings, location, root.path()).await;
    Place {
        site,
        backups,
        store,
        root,
    }
}

impl Place {
    fn folder(&self) -> PathBuf {
        self.root.path().join("var/backups")
    }

    async fn begin(&self, path: &str) -> (StatusCode, Value) {
        send(&self.site, "POST", path, json!({})).await
    }

    /// What is there when nothing is under way.
    async fn settled(&self) -> Value {
        self.until(|_| true).await
    }

    /// The same, as soon as it is so.
    async fn until(&self, is_so: fn(&Value) -> bool) -> Value {
        let watch = async {
            loop {
                let found = get(&self.site, "/admin/api/backups").await;
                if found["running"].is_null() && is_so(&found) {
                    return found;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            found = watch => found,
            never = self.backups.run() => match never {},
        }
    }

    async fn download(&self, name: &str) -> (StatusCode, Vec<u8>) {
        let path = format!("/admin/api/backups/download/{name}");
        let request = Request::get(path).header("authorization", ROOT);
        let request = request.body(Body::empty()).unwrap();
        let answer = self.site.clone().oneshot(request).await.unwrap();
        let status = answer.status();
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        (status, body.to_vec())
    }
}

#[tokio::test]
async fn a_backup_is_made_downloaded_and_tested() {
    let place = place(0).await;
    create(&place.site, &["one", "two"]).await;
    let before = place.settled().await;
    assert_eq!(before["files"], json!([]));
    assert_eq!(
        (&before["last"], &before["test"]),
        (&Value::Null, &Value::Null)
    );
    let (status, _) = place.begin("/admin/api/backups/test").await;
    assert_eq!(status, StatusCode::CONFLICT, "there is none to test");

    let (status, begun) = place.begin("/admin/api/backups").await;
    assert_eq!(status, StatusCode::ACCEPTED);
    let name = begun["name"].as_str().unwrap();
    let made = place.settled().await;
    assert_eq!(made["files"][0]["name"], name);
    assert_eq!(made["last"]["name"], name);
    let on_disk = fs::read(place.folder().join(name)).unwrap();
    let (status, downloaded) = place.download(name).await;
    assert_eq!((status, downloaded == on_disk), (StatusCode::OK, true));
    for wrong in [
        "..%2F..%2Fpads.db",
        "pads.db",
        "pads-2026-11-18T07-00-00Z.db",
    ] {
        assert_eq!(
            place.download(wrong).await.0,
            StatusCode::NOT_FOUND,
            "{wrong}"
        );
    }

    place.begin("/admin/api/backups/test").await;
    let test = &place.settled().await["test"];
    assert_eq!((&test["pads"], &test["revisions"]), (&json!(2), &json!(2)));
    assert_eq!(test["problem"], Value::Null);
    assert_eq!(
        fs::read_dir(place.folder()).unwrap().count(),
        1,
        "nothing else stays"
    );
    assert!(fs::read(place.folder().join(name)).unwrap() == on_disk);

    let log = get(&place.site, "/admin/api/audit?action=backups").await;
    let lines = log["lines"].as_array().unwrap().iter();
    let done: Vec<_> = lines.filter(|line| line["done"] == true).collect();
    let actions: Vec<&str> = done
        .iter()
        .map(|it| it["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["backups.test", "backups.download", "backups"]);
    assert!(done.iter().all(|line| line["target"] == name), "{log}");
    place.store.close().await;
}

#[tokio::test]
async fn one_job_runs_at_a_time() {
    let place = place(0).await;
    let begin = || place.begin("/admin/api/backups");
    let ((one, _), (other, _)) = tokio::join!(begin(), begin());
    // Either may be the first.
    let mut answers = [one, other];
    answers.sort();
    assert_eq!(answers, [StatusCode::ACCEPTED, StatusCode::CONFLICT]);
    assert_eq!(place.settled().await["files"].as_array().unwrap().len(), 1);
    place.store.close().await;
}

#[tokio::test]
async fn a_damaged_backup_fails_its_test() {
    let place = place(0).await;
    create(&place.site, &["one"]).await;
    let (_, begun) = place.begin("/admin/api/backups").await;
    place.settled().await;
    let file = place.folder().join(begun["name"].as_str().unwrap());
    let mut bytes = fs::read(&file).unwrap();
    // Pages behind the first one, which says what the file is.
    bytes[4096..].fill(0xab);
    fs::write(&file, bytes).unwrap();
    place.begin("/admin/api/backups/test").await;
    let test = &place.settled().await["test"];
    assert!(test["problem"].is_string(), "{test}");
    place.store.close().await;
}

#[tokio::test]
async fn backups_are_made_on_schedule_and_a_failure_turns_health_amber() {
    let place = place(24).await;
    let health = async || get(&place.site, "/admin/api/overview").await["health"].clone();
    assert_eq!(health().await, json!([]), "it has just begun");
    // No folder can be made where a file is.
    let var = place.root.path().join("var");
    fs::write(&var, "").unwrap();
    let failed = place.until(|found| !found["failure"].is_null()).await;
    assert_eq!(failed["last"], Value::Null);
    let problem = &health().await[0];
    assert_eq!(problem["kind"], "backup");
    assert!(
        problem["reason"].as_str().unwrap().contains("backups"),
        "{problem}"
    );
    // It is not tried again at once; somebody who asks for one gets it.
    fs::remove_file(&var).unwrap();
    place.begin("/admin/api/backups").await;
    let made = place.settled().await;
    assert_eq!(made["files"].as_array().unwrap().len(), 1);
    assert_eq!(made["failure"], Value::Null);
    assert_eq!(
        health().await[0]["kind"],
        "backup",
        "the schedule is still behind"
    );
    place.store.close().await;
}

#[tokio::test]
async fn the_first_backup_of_a_schedule_is_made_at_once() {
    let place = place(24).await;
    let is_made = |found: &Value| !found["files"].as_array().unwrap().is_empty();
    let found = place.until(is_made).await;
    let name = found["files"][0]["name"].as_str().unwrap();
    assert!(!name.contains("manual"), "{name}");
    assert_eq!(
        get(&place.site, "/admin/api/overview").await["health"],
        json!([])
    );
    place.store.close().await;
}
