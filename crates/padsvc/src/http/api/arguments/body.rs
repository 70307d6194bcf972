//! Reading a body: whole, and never more of it than allowed.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use http_body::Body as _;
use http_body_util::BodyExt;

use super::Unreadable;

pub const MAX_BYTES: usize = 50 * 1024 * 1024;

/// How long the next part may take to arrive.
const STALL: Duration = Duration::from_secs(30);

/// How much of a body that is too large is taken in.
const DISCARDED_BYTES: usize = 2 * MAX_BYTES;

/// What is set aside before anything has arrived, however much is announced.
const FIRST_BYTES: u64 = 1024 * 1024;

pub async fn read(headers: &HeaderMap, mut body: Body) -> Result<Vec<u8>, Unreadable> {
    if body.is_end_stream() {
        return Ok(Vec::new());
    }
    let announced = body.size_hint().lower();
    if announced > MAX_BYTES as u64 {
        let waits_for_leave = headers.contains_key(header::EXPECT);
        if !waits_for_leave {
            discard(body).await?;
        }
        return Err(Unreadable::TooLarge);
    }
    let mut bytes = Vec::with_capacity(announced.min(FIRST_BYTES) as usize);
    while let Some(data) = next(&mut body).await? {
        if bytes.len() + data.len() > MAX_BYTES {
            drop(bytes);
            discard(body).await?;
            return Err(Unreadable::TooLarge);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// Takes in the rest of what is too much, within reason: many clients send everything before they
/// look for an answer, and never find it if the connection is closed on them.
async fn discard(mut body: Body) -> Result<(), Unreadable> {
    let mut discarded = 0;
    while discarded < DISCARDED_BYTES
        && let Some(data) = next(&mut body).await?
    {
        discarded += data.len();
    }
    Ok(())
}

async fn next(body: &mut Body) -> Result<Option<Bytes>, Unreadable> {
    let frame = tokio::time::timeout(STALL, body.frame()).await;
    match frame.map_err(|_| Unreadable::TooSlow)? {
        // Trailers hold nothing for us.
        Some(Ok(frame)) => Ok(Some(frame.into_data().unwrap_or_default())),
        Some(Err(_)) => Err(Unreadable::Incomplete),
        None => Ok(None),
    }
}
