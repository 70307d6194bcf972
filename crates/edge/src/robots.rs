//! `GET /robots.txt`: pads are for those who have their address, not for search engines.

pub(crate) async fn robots() -> &'static str {
    "User-agent: *\nDisallow: /p/\nDisallow: /api/\n"
}
