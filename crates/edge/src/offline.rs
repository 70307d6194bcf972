//! `GET /offline.js`: the script that answers for the server in a browser that has no network.
//!
//! It is at the root because it may only answer for what is below it. In front of it stands which
//! files make up this version; with the next version it is another script, which is how browsers
//! notice. So it is the one script that is asked for again each time.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::json;

static SCRIPT: LazyLock<Bytes> = LazyLock::new(|| {
    let files: Vec<&str> = bundle::files().collect();
    let version = json!({ "name": *bundle::NAME, "files": files });
    let script = bundle::text(bundle::OFFLINE.script).unwrap_or_default();
    Bytes::from(format!("const VERSION={version};\n{script}"))
});

pub(crate) async fn script() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, SCRIPT.clone()).into_response()
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use crate::tests::get_with;

    #[tokio::test]
    async fn the_worker_knows_the_files_of_its_version_and_is_asked_for_again() {
        let answer = get_with("/offline.js", &[]).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.header("cache-control"), "no-cache");
        let (version, script) = answer.text().split_once('\n').unwrap();
        assert!(version.contains(bundle::PAD.script), "{version}");
        assert!(script.contains("addEventListener"), "{script}");
        // It is no module: browsers run it as a plain script.
        assert!(
            !script.contains("import ") && !script.contains("export"),
            "{script}"
        );
    }
}
