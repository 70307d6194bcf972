//! What somebody gets who may not open a pad.

use axum::http::StatusCode;

use super::get_with;

#[tokio::test]
async fn a_page_says_so_whether_the_pad_is_there_or_not() {
    let pad = "/p/g.0123456789abcdef$notes";
    for path in [pad, &format!("{pad}/timeslider")] {
        let page = get_with(path, &[("accept-language", "en")]).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{path}");
        let text = page.text();
        let heading = "<h1>You may not open this pad</h1>";
        assert!(text.contains(heading), "{text}");
        assert!(!text.contains("id=\"boot\""), "{text}");
    }
}
