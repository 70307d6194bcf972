//! Routes that are not worth a file of their own. Who may use which is in `access`.

use crate::server::{Server, TempRoot};

#[test]
fn robots_stay_out_of_pads() {
    let root = TempRoot::new("robots");
    let server = Server::start(&root);
    let robots = server.get("/robots.txt");
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(
        robots.text(),
        "User-agent: *\nDisallow: /p/\nDisallow: /api/\n"
    );
}
