//! The folder of a plugin, as a browser sends it: a form with a field for each file, whose name is
//! the path in the folder. It becomes the archive that `padsvc plugins pack` makes of the folder.

use std::collections::BTreeMap;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use multer::{Constraints, Multipart, SizeLimit};
use plugin::package::{FILES, UNPACKED};
use plugin::{Package, PackageError};
use plugins::ManageError;

/// What a form has around its files, for all of them.
const AROUND: usize = 256 * 1024;

/// The boundary of the form, if the request has one.
pub(super) fn boundary(headers: &HeaderMap) -> Option<String> {
    let kind = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    multer::parse_boundary(kind).ok()
}

pub(super) async fn archive(body: Body, boundary: String) -> Result<Bytes, ManageError> {
    let files = files(body, boundary).await?;
    let archive = Package::from_files(files)?.pack()?;
    Ok(archive.into())
}

async fn files(body: Body, boundary: String) -> Result<BTreeMap<String, Vec<u8>>, ManageError> {
    let limit = SizeLimit::new().whole_stream((UNPACKED + AROUND) as u64);
    let constraints = Constraints::new().size_limit(limit);
    let body = body.into_data_stream();
    let mut form = Multipart::with_constraints(body, boundary, constraints);
    let mut files = BTreeMap::new();
    while let Some(field) = form.next_field().await.map_err(broken)? {
        let path = field.name().unwrap_or_default().to_owned();
        // As the command does: a folder may be one of git.
        if path.split('/').any(|name| name.starts_with('.')) {
            continue;
        }
        if files.len() >= FILES {
            return Err(PackageError::TooManyFiles.into());
        }
        let bytes = field.bytes().await.map_err(broken)?;
        if files.insert(path, bytes.into()).is_some() {
            return Err(PackageError::RepeatedFile.into());
        }
    }
    Ok(files)
}

fn broken(error: multer::Error) -> ManageError {
    match error {
        multer::Error::StreamSizeExceeded { .. } => PackageError::UnpackedTooLong.into(),
        _ => ManageError::Form,
    }
}
