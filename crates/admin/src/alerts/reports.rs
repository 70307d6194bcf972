//! Reports of nodes: what each of several sees, for the one that sends.
//!
//! A report ends by itself, so that a node that is gone reports nothing.

use alerts::Condition;
use pad::Timestamp;
use serde_json::{Value, json};
use store::{Error, NodeId, NodeRecord};
use tracing::debug;

use super::{Alerts, KIND, STORE_LIMIT};

/// Three looks.
const REPORT_MILLIS: i64 = 3 * 60 * 1_000;

impl Alerts {
    /// What all nodes see. `None`: another node sends, and knows now what this one sees.
    pub(super) async fn gather(&self, own: Vec<Condition>) -> Option<Vec<Condition>> {
        let store = self.service.store();
        let Some(node) = store.node() else {
            return Some(own);
        };
        let exchanged = tokio::time::timeout(STORE_LIMIT, self.exchange(node, own.clone())).await;
        match exchanged {
            Ok(Ok(seen)) => {
                self.lock().is_first = seen.is_some();
                seen
            }
            // Nobody knows what the others see; the first goes on alone.
            Ok(Err(_)) | Err(_) => {
                debug!("what other nodes see cannot be read");
                self.lock().is_first.then_some(own)
            }
        }
    }

    async fn exchange(
        &self,
        own: NodeId,
        seen: Vec<Condition>,
    ) -> Result<Option<Vec<Condition>>, Error> {
        let nodes = self.service.store().nodes(self.service.now()).await?;
        let is_own = |node: &&NodeRecord| node.id == own;
        let address = nodes.iter().find(is_own).map(|node| &node.report.address);
        let seen = seen.into_iter().map(|mut condition| {
            if let Some(address) = address {
                let node = address.as_str().into();
                condition.facts.insert("node".to_owned(), node);
            }
            condition
        });
        let mut seen: Vec<Condition> = seen.collect();
        if nodes.first().is_some_and(|first| first.id == own) {
            for node in nodes.iter().filter(|node| node.id != own) {
                let others = self.report_of(node.id).await?;
                for condition in others {
                    if !seen.iter().any(|known| known.key() == condition.key()) {
                        seen.push(condition);
                    }
                }
            }
            return Ok(Some(seen));
        }
        self.report(own, &seen).await?;
        Ok(None)
    }

    async fn report(&self, own: NodeId, seen: &[Condition]) -> Result<(), Error> {
        let (store, now) = (self.service.store(), self.service.now());
        if seen.is_empty() {
            if self.lock().has_reported {
                store.remove_entry(KIND, &key(own)).await?;
                self.lock().has_reported = false;
            }
            return Ok(());
        }
        let report: Value = seen
            .iter()
            .map(|it| json!({ "condition": it.to_json(), "about": it.about }))
            .collect();
        let text = report.to_string();
        let until = Timestamp(now.millis().saturating_add(REPORT_MILLIS));
        let value = (text.as_bytes(), until);
        store.put_entry(KIND, &key(own), value, now).await?;
        self.lock().has_reported = true;
        Ok(())
    }

    async fn report_of(&self, node: NodeId) -> Result<Vec<Condition>, Error> {
        let (store, now) = (self.service.store(), self.service.now());
        let found = store.entry(KIND, &key(node), now).await?;
        let report: Option<Vec<Value>> =
            found.and_then(|(text, _)| serde_json::from_slice(&text).ok());
        let conditions = report.into_iter().flatten().filter_map(|it| {
            let about = it.get("about").and_then(Value::as_str).unwrap_or_default();
            Condition::from_json(it.get("condition")?, about)
        });
        Ok(conditions.collect())
    }
}

fn key(node: NodeId) -> Vec<u8> {
    format!("node:{node}").into_bytes()
}
