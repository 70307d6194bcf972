//! The fields of a multipart form, each taken as text. A file is its content.

use std::convert::Infallible;

use axum::body::Bytes;
use futures_util::stream;
use multer::Multipart;
use service::api::Argument;

use super::{Fields, Unreadable, content_type};

pub(super) async fn read(
    body: Vec<u8>,
    boundary: String,
    fields: &mut Fields,
) -> Result<(), Unreadable> {
    let body = stream::iter([Ok::<Bytes, Infallible>(body.into())]);
    let mut form = Multipart::new(body, boundary);
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let nameless = || Unreadable::Multipart("a field has no name".to_owned());
        let name = field.name().ok_or_else(nameless)?.to_owned();
        if let Some(kind) = field.content_type() {
            content_type::utf8(kind.as_ref())?;
        }
        let bytes = field.bytes().await.map_err(broken)?;
        match String::from_utf8(bytes.into()) {
            Ok(value) => fields.push(name, Argument::Text(value))?,
            Err(_) => return Err(Unreadable::NotUtf8(Some(name))),
        }
    }
    Ok(())
}

fn broken(error: multer::Error) -> Unreadable {
    Unreadable::Multipart(error.to_string())
}
