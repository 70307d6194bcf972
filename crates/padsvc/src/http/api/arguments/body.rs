//! Reading a body: whole, and never more of it than allowed.

use std::time::Duration;

use axum::body::Body;
use http_body::Body as _;
use http_body_util::BodyExt;

use super::Unreadable;

pub const MAX_BYTES: usize = 50 * 1024 * 1024;

/// How long the next part may take to arrive.
const STALL: Duration = Duration::from_secs(30);

/// What is set aside before anything has arrived, however much is announced.
const FIRST_BYTES: u64 = 1024 * 1024;

pub async fn read(body: Body) -> Result<Vec<u8>, Unreadable> {
    if body.is_end_stream() {
        return Ok(Vec::new());
    }
    let announced = body.size_hint().lower();
    if announced > MAX_BYTES as u64 {
        return Err(Unreadable::TooLarge);
    }
    collect(
        body,
        Vec::with_capacity(announced.min(FIRST_BYTES) as usize),
    )
    .await
}

async fn collect(mut body: Body, mut bytes: Vec<u8>) -> Result<Vec<u8>, Unreadable> {
    loop {
        let next = tokio::time::timeout(STALL, body.frame());
        let Some(frame) = next.await.map_err(|_| Unreadable::TooSlow)? else {
            return Ok(bytes);
        };
        let frame = frame.map_err(|_| Unreadable::Incomplete)?;
        // Trailers hold nothing for us.
        let data = frame.into_data().unwrap_or_default();
        if bytes.len() + data.len() > MAX_BYTES {
            return Err(Unreadable::TooLarge);
        }
        bytes.extend_from_slice(&data);
    }
}
