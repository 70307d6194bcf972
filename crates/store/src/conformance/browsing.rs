//! What operators look back at: hours of numbers, the audit log, what pads weigh.

use pad::Timestamp;

use super::sample::create_text;
use crate::limits::AUDIT_LINES;
use crate::{AuditAsked, AuditLine, Store};

pub(super) async fn all(store: &Store) {
    hours(store).await;
    audit(store).await;
    weights(store).await;
}

async fn hours(store: &Store) {
    let put = async |hour, totals, keep_from| {
        let stored = store.put_series_hour(hour, totals, keep_from).await;
        stored.unwrap();
    };
    let row = |hour, totals: &str| (hour, true, totals.to_owned());
    put(5, "{five}", 0).await;
    put(7, "{seven}", 0).await;
    put(7, "{SEVEN}", 0).await;
    let both = [row(5, "{five}"), row(7, "{SEVEN}")];
    assert_eq!(store.series_hours(0).await.unwrap(), both);
    assert_eq!(store.series_hours(6).await.unwrap(), both[1..]);
    put(8, "{eight}", 7).await;
    let kept = [row(7, "{SEVEN}"), row(8, "{eight}")];
    assert_eq!(store.series_hours(0).await.unwrap(), kept);
}

pub(crate) fn audit_line(number: i64) -> AuditLine {
    AuditLine {
        time: Timestamp(number),
        principal: "root".to_owned(),
        action: if number % 2 == 0 {
            "pads.delete"
        } else {
            "restart"
        }
        .to_owned(),
        target: format!("pad-{number}"),
        detail: String::new(),
        done: number % 3 != 0,
    }
}

async fn found(store: &Store, search: &str, action: &str) -> Vec<AuditLine> {
    let mut asked = AuditAsked {
        search: search.to_owned(),
        action: action.to_owned(),
        after: None,
        limit: 3,
    };
    let mut lines = Vec::new();
    loop {
        let page = store.browse_audit(&asked).await.unwrap();
        assert!(page.found.len() <= 3);
        lines.extend(page.found);
        asked.after = page.next;
        if asked.after.is_none() {
            return lines;
        }
    }
}

async fn audit(store: &Store) {
    assert_eq!(found(store, "", "").await, []);
    for number in 0..10 {
        store.append_audit(&audit_line(number)).await.unwrap();
    }
    let newest_first: Vec<AuditLine> = (0..10).rev().map(audit_line).collect();
    assert_eq!(found(store, "", "").await, newest_first);
    assert_eq!(found(store, "PAD-7", "").await, [audit_line(7)]);
    assert_eq!(found(store, "pad-7", "pads.").await, []);
    assert_eq!(found(store, "", "pads.").await.len(), 5);
    let removed = store.trim_audit(Timestamp(4)).await.unwrap();
    assert_eq!(removed, 4);
    assert_eq!(found(store, "", "").await, newest_first[..6]);
    // Outside of this crate's tests the bound is large.
    if cfg!(test) {
        for number in 10..60 {
            store.append_audit(&audit_line(number)).await.unwrap();
        }
        assert_eq!(store.trim_audit(Timestamp(0)).await.unwrap(), 16);
        let lines = found(store, "", "").await;
        assert_eq!(lines.len() as u64, AUDIT_LINES);
        assert_eq!(lines.first(), Some(&audit_line(59)));
    }
}

async fn weights(store: &Store) {
    create_text(store, "weight-long", &"Hello, world. ".repeat(500)).await;
    create_text(store, "weight-short", "Hello").await;
    let weights = store.weigh_pads(10_000).await.unwrap();
    let bytes: Vec<u64> = weights.largest.iter().map(|(_, bytes)| *bytes).collect();
    assert!(bytes.is_sorted_by(|one, next| one >= next), "{bytes:?}");
    // The same as a list of pads has.
    let ids: Vec<_> = weights.largest.iter().map(|(id, _)| id.clone()).collect();
    let lines = store.pad_lines(&ids).await.unwrap();
    let listed: Vec<u64> = lines.iter().map(|line| line.bytes).collect();
    assert_eq!(bytes, listed);
    assert!(ids.iter().any(|id| id.as_str() == "weight-short"));
    assert!(weights.texts > 0 && weights.history > 0);
    let one = store.weigh_pads(1).await.unwrap();
    assert_eq!(one.largest, weights.largest[..1]);
}
