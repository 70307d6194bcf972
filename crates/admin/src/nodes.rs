//! `/admin/api/nodes`: the processes that serve pads from the same database.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};
use store::NodeRecord;
use tracing::error;

use crate::AdminState;
use crate::answer::{ok, unavailable};
use edge::admin_only::Admin;

pub(crate) async fn list(State(state): State<AdminState>, _: Admin) -> Response {
    let store = state.service.store();
    let Some(own) = store.node() else {
        return ok(&json!({ "shared": false, "nodes": [] }));
    };
    match store.nodes(state.service.now()).await {
        Ok(nodes) => {
            let nodes: Vec<Value> = nodes
                .iter()
                .map(|node| shown(node, node.id == own))
                .collect();
            ok(&json!({ "shared": true, "nodes": nodes }))
        }
        Err(error) => {
            error!("the list of nodes cannot be read: {error}");
            unavailable()
        }
    }
}

fn shown(node: &NodeRecord, is_own: bool) -> Value {
    let report = &node.report;
    json!({
        "id": node.id.to_string(),
        "own": is_own,
        "version": report.version,
        "address": report.address,
        "started": node.started.millis(),
        "silentMs": node.silent_millis,
        "draining": report.draining,
        "connections": report.connections,
        "members": report.members,
        "pads": report.pads,
        "commits": report.commits,
        "replans": report.replans,
    })
}
