//! Deleting pads.

use pad::PadId;
use serde_json::json;
use service::api::Caller;

use super::progress::count;
use super::{Failure, Operations, Pads, ProgressSender, Summary};

impl Operations {
    /// If one of the names is wrong, none is deleted.
    pub async fn delete(
        &self,
        names: &[String],
        dry_run: bool,
        out: &ProgressSender,
    ) -> Result<Summary, Failure> {
        let pads = Pads::Named(names.to_vec());
        let mut walk = self.walk(&pads).await?;
        let mut deleted = 0;
        while let Some(record) = walk.next(out).await? {
            let pad = record.id;
            self.delete_one(&pad, dry_run).await?;
            let verb = if dry_run {
                "would be deleted"
            } else {
                "deleted"
            };
            let data = json!({ "pad": pad.as_str(), "revisions": record.head.next().0 });
            out.row(format!("{pad}: {verb}"), data).await?;
            deleted += 1;
        }
        let verb = if dry_run { "would delete" } else { "deleted" };
        Ok(Summary {
            text: format!("{verb} {}", count(deleted, "pad")),
            data: json!({ "deleted": deleted, "dryRun": dry_run }),
            ok: true,
        })
    }

    async fn delete_one(&self, pad: &PadId, dry_run: bool) -> Result<(), Failure> {
        if !dry_run {
            let caller = Caller::Trusted;
            self.service.delete_pad(pad, None, caller).await?;
        }
        Ok(())
    }
}
