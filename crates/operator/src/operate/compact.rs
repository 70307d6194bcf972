//! Shortening histories.

use pad::PadId;
use serde_json::json;

use super::progress::count;
use super::{Failure, Operations, Pads, ProgressSender, Summary};

impl Operations {
    /// Keeps the last `keep` revisions of each pad, and what the text was before them. Pads that
    /// are short enough are left alone; one that fails does not hold up the others.
    pub async fn compact(
        &self,
        pads: &Pads,
        keep: Option<u64>,
        dry_run: bool,
        out: &ProgressSender,
    ) -> Result<Summary, Failure> {
        if !self.settings.pads.compaction {
            return Err(Failure::CompactionOff);
        }
        let after = keep.unwrap_or(0) + 1;
        let (mut shortened, mut failed) = (0, 0);
        let mut walk = self.walk(pads).await?;
        while let Some(record) = walk.next(out).await? {
            let (pad, before) = (record.id, record.head.next().0);
            if before <= after {
                continue;
            }
            let outcome = self.compact_one(&pad, keep, dry_run).await;
            let problem = outcome.as_ref().err();
            let text = match problem {
                None if dry_run => format!("{pad}: {before} revisions would become {after}"),
                None => format!("{pad}: {before} revisions became {after}"),
                Some(error) => format!("{pad}: not compacted: {error}"),
            };
            let data = json!({
                "pad": pad.as_str(),
                "before": before,
                "after": after,
                "error": problem.map(ToString::to_string),
            });
            out.row(text, data).await?;
            shortened += usize::from(problem.is_none());
            failed += usize::from(problem.is_some());
        }
        let verb = if dry_run {
            "would compact"
        } else {
            "compacted"
        };
        let failures = match failed {
            0 => String::new(),
            failed => format!("; {failed} failed"),
        };
        Ok(Summary {
            text: format!("{verb} {}{failures}", count(shortened, "pad")),
            data: json!({ "compacted": shortened, "failed": failed, "dryRun": dry_run }),
            ok: failed == 0,
        })
    }

    async fn compact_one(
        &self,
        pad: &PadId,
        keep: Option<u64>,
        dry_run: bool,
    ) -> Result<(), service::Error> {
        if dry_run {
            Ok(())
        } else {
            self.service.compact_pad(pad, keep).await
        }
    }
}
