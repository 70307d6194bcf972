//! Files as pads.

use std::sync::Arc;

use convert::{Codec, Declared, FileFormat, Limits, native};
use pad::PadId;
use pad::edit::Run;
use serde_json::json;

use super::{Failure, Operations, Summary};

pub struct File {
    /// The ending of its name.
    pub format: String,
    pub content: Vec<u8>,
}

enum Content {
    Pad(Box<native::Pad>),
    Runs(Vec<Run>),
}

impl Operations {
    /// A file that holds a whole pad gives its history; any other becomes a revision.
    pub async fn import(
        &self,
        name: &str,
        file: File,
        replace: bool,
        dry_run: bool,
    ) -> Result<Summary, Failure> {
        let bad_name = || Failure::PadName(name.to_owned());
        let pad = PadId::for_new(name).ok_or_else(bad_name)?;
        let is_there = self.service.store().pad(&pad).await?.is_some();
        if is_there && !replace {
            return Err(Failure::PadExistsUnforced(pad));
        }
        if let Some(group) = pad.group()
            && !self.service.store().group_exists(&group).await?
        {
            return Err(Failure::NoGroup(group.as_str().to_owned()));
        }
        let declared = self.service.declared_attributes();
        let content = tokio::task::spawn_blocking(move || read(&file, declared)).await??;
        let revisions = match &content {
            Content::Pad(pad) => pad.revisions.len(),
            Content::Runs(_) => 1,
        };
        match content {
            _ if dry_run => {}
            Content::Pad(file) => self.service.put_native(&pad, *file).await?,
            Content::Runs(runs) => self.service.put_runs(&pad, runs).await?,
        }
        let verb = if dry_run { "would import" } else { "imported" };
        Ok(Summary {
            text: format!("{verb} {pad}"),
            data: json!({
                "pad": pad.as_str(),
                "revisions": revisions,
                "replaced": is_there,
                "dryRun": dry_run,
            }),
            ok: true,
        })
    }
}

fn read(file: &File, declared: Arc<Declared>) -> Result<Content, Failure> {
    let known = FileFormat::named(&file.format).filter(|format| format.reads);
    let format = match known.and_then(|format| format.codec) {
        Some(Codec::Native) => {
            let (pad, _) = native::read(&file.content)?;
            return Ok(Content::Pad(Box::new(pad)));
        }
        Some(Codec::Document(format)) => format,
        None => {
            let endings = FileFormat::own().rev().map(|format| format.name);
            let endings = endings.collect::<Vec<_>>().join(", ");
            return Err(Failure::Format(endings));
        }
    };
    let limits = Limits {
        bytes: usize::MAX,
        declared,
        ..Limits::default()
    };
    let runs = convert::import(format, &file.content, &limits)?;
    let run = |run: convert::Run| Run {
        text: run.text,
        attributes: run.attributes,
    };
    Ok(Content::Runs(runs.into_iter().map(run).collect()))
}
