//! The client library everyone uses, from npm, in `tests/node/`.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use crate::application;
use crate::harness::Harness;

async fn run(transports: &str) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = package.join("../../web/node_modules/socket.io-client");
    assert!(
        library.exists(),
        "socket.io-client is not installed: run `npm ci` in web/"
    );
    let mut harness = Harness::start().await;
    let (_, unused) = socketio::Server::new(socketio::Config::default());
    let connections = std::mem::replace(&mut harness.connections, unused);
    let client = Command::new("node")
        .arg(package.join("tests/node/client.mjs"))
        .args([&format!("http://{}", harness.address), transports])
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let client = async {
        let output = client.await.expect("node can be started");
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}{errors}");
        assert!(text.ends_with("all done\n"), "{text}{errors}");
        harness.until_empty().await;
        harness.server.close().await;
    };
    tokio::join!(client, application::serve(connections));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_npm_client_over_websocket() {
    run("websocket").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_npm_client_over_polling() {
    run("polling").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_npm_client_with_upgrade() {
    run("polling,websocket").await;
}
