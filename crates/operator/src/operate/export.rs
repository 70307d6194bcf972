//! Pads as files.

use std::path::Path;

use convert::fonts::Library;
use convert::{Codec, FileFormat, Format, Meanings};
use pad::Rev;
use serde_json::json;
use service::Visit;

use super::{Failure, Operations, ProgressSender, Summary};

impl Operations {
    pub async fn export(
        &self,
        name: &str,
        format: &str,
        rev: Option<Rev>,
        out: &ProgressSender,
    ) -> Result<Summary, Failure> {
        let record = self.find(name).await?;
        let visit = Visit {
            pad: record.id.clone(),
            name: record.id.as_str().to_owned(),
            head: record.head,
            read_only: true,
            is_new: false,
        };
        let codec = FileFormat::named(format).and_then(|format| format.codec);
        let bytes = match codec {
            Some(Codec::Document(format)) => self.document(&visit, format, rev, out).await?,
            Some(Codec::Native) => self.whole_history(&visit, rev, out).await?,
            None => return Err(Failure::NoFormat(format.to_owned())),
        };
        Ok(Summary {
            text: format!("exported {name}"),
            data: json!({ "pad": name, "format": format, "bytes": bytes }),
            ok: true,
        })
    }

    async fn whole_history(
        &self,
        visit: &Visit,
        rev: Option<Rev>,
        out: &ProgressSender,
    ) -> Result<usize, Failure> {
        let mut file = self.service.native_file(visit, rev).await?;
        let mut bytes = 0;
        while let Some(part) = file.next().await? {
            bytes += part.len();
            out.bytes(part.into_bytes()).await?;
        }
        Ok(bytes)
    }

    async fn document(
        &self,
        visit: &Visit,
        format: Format,
        rev: Option<Rev>,
        out: &ProgressSender,
    ) -> Result<usize, Failure> {
        if let Some(rev) = rev.filter(|rev| *rev > visit.head) {
            let newest = visit.head;
            return Err(Failure::NoRevision { rev, newest });
        }
        let (document, pool) = self.service.content(visit, rev).await?;
        let title = visit.name.clone();
        let declared = self.service.declared_attributes();
        let write = move || {
            // Only PDF needs fonts, and that is not among the formats here.
            let (fonts, _) = Library::load(&[], Path::new("."), false);
            let meanings = Meanings::new(&pool, &declared);
            convert::export(format, &title, &document, meanings, &fonts)
        };
        let file = tokio::task::spawn_blocking(write).await?.file;
        let bytes = file.len();
        out.bytes(file).await?;
        Ok(bytes)
    }
}
