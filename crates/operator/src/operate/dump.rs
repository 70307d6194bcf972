//! Dump of all records, in the form that Etherpad's database layer loads.

use migrate::Dump;
use serde_json::json;

use super::{Failure, Operations, ProgressSender, Summary};

impl Operations {
    pub async fn dump(&self, out: &ProgressSender) -> Result<Summary, Failure> {
        let mut dump = Dump::new(&self.service);
        let mut records = 0_usize;
        while let Some(lines) = dump.next().await? {
            records += lines.bytes().filter(|byte| *byte == b'\n').count();
            if !lines.is_empty() {
                out.bytes(lines.into_bytes()).await?;
            }
        }
        Ok(Summary {
            text: format!("wrote {records} records"),
            data: json!({ "records": records }),
            ok: true,
        })
    }
}
