//! `padsvc nodes`: the processes that serve the pads of a PostgreSQL database.

use std::process::ExitCode;

use pad::Timestamp;
use serde_json::json;
use service::Environment;
use store::{Location, NodeRecord};
use system::System;

use super::Outcome;
use super::display::Display;
use crate::arguments;
use crate::operate::{Row, Summary};
use ::settings::{Configuration, Options};

pub(super) async fn run(options: &Options, arguments: &arguments::Nodes) -> ExitCode {
    let mut display = Display::new(arguments.output.json);
    let outcome = list(options, &mut display).await;
    display.end(outcome)
}

async fn list(options: &Options, display: &mut Display) -> Outcome {
    let location = Configuration::load(options)?.location(options);
    let is_shared = matches!(location, Location::Postgres(_));
    let now = System.now();
    let looked = tokio::task::spawn_blocking(move || store::list_nodes(&location, now));
    let nodes = looked.await??;
    for node in &nodes {
        display.row(row(node, now));
    }
    Ok(Summary {
        text: match nodes.len() {
            0 if !is_shared => "an embedded database has no nodes".to_owned(),
            0 => "no nodes".to_owned(),
            1 => "1 node".to_owned(),
            count => format!("{count} nodes"),
        },
        data: json!({ "nodes": nodes.len() }),
        ok: true,
    })
}

fn row(node: &NodeRecord, now: Timestamp) -> Row {
    let (id, report) = (node.id, &node.report);
    let seconds = (now.millis() - node.started.millis()).max(0) / 1000;
    let silent = node.silent_millis;
    let state = if report.draining { ", draining" } else { "" };
    Row {
        text: format!(
            "{id} {} version {}, up for {seconds} s, seen {silent} ms ago, \
             {} members in {} pads{state}",
            report.address, report.version, report.members, report.pads,
        ),
        data: json!({
            "id": id.to_string(),
            "version": report.version,
            "address": report.address,
            "started": node.started.millis(),
            "silentMillis": silent,
            "members": report.members,
            "pads": report.pads,
            "commits": report.commits,
            "replans": report.replans,
            "draining": report.draining,
        }),
    }
}
