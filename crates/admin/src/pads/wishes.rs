//! What can be asked of the list of pads, and where the answers come from.
//!
//! No request looks at more than a stretch of pads. What the store has an index for begins behind
//! a mark in it; the pads of a group, those in use and the largest ones are sets that fit into
//! memory; the rest is filtered, a stretch at a time.

use std::cmp::Ordering;
use std::collections::HashMap;

use axum::http::Uri;
use pad::{GroupId, PadId, Rev, Timestamp};
use store::{Mark, PadLine, PadOrder, PadsAsked, Store};

use crate::AdminState;
use identity::query::parameter;

const USUAL_PAGE: usize = 50;
const LONGEST_PAGE: usize = 200;
/// How many pads a set that is sorted in memory may have.
const IN_MEMORY: usize = 1_000;
/// How many pads are weighed for one request: four small queries each.
const LOOKED_AT: usize = 300;
/// So far behind may a pad be in the order of changes; see `Store::refresh_listing`.
const LISTING_LAG_MILLIS: i64 = 120_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Of(PadOrder),
    Bytes,
    /// Only of pads that somebody is in.
    People,
}

pub(super) struct Asked {
    store: PadsAsked,
    sort: Sort,
    occupied: bool,
    group: Option<GroupId>,
    /// Changed at this time or later.
    since: Option<Timestamp>,
    /// Changed before.
    before: Option<Timestamp>,
    /// Takes so many bytes at least.
    bytes: u64,
    /// The name to begin at, or the first one after it.
    from: Option<String>,
    /// Where to go on among the largest.
    skip: usize,
    pub(super) is_first: bool,
}

#[derive(Default)]
pub(super) struct Found {
    pub lines: Vec<PadLine>,
    pub next: Option<String>,
    /// When it was seen which pads are the largest.
    pub measured: Option<Timestamp>,
    /// That is being found out, and there is nothing to show yet.
    pub weighing: bool,
}

/// `None`: something in the address makes no sense.
pub(super) fn asked(uri: &Uri) -> Option<Asked> {
    let given = |name| parameter(uri, name).filter(|value| !value.is_empty());
    let time = |name| match given(name) {
        None => Some(None),
        Some(text) => text.parse().ok().map(|time| Some(Timestamp(time))),
    };
    let sort = match given("sort").as_deref() {
        None | Some("edited") => Sort::Of(PadOrder::Edited),
        Some("name") => Sort::Of(PadOrder::Name),
        Some("created") => Sort::Of(PadOrder::Created),
        Some("revisions") => Sort::Of(PadOrder::Revisions),
        Some("bytes") => Sort::Bytes,
        Some("people") => Sort::People,
        Some(_) => return None,
    };
    let descending = match given("order").as_deref() {
        None => sort != Sort::Of(PadOrder::Name),
        Some("desc") => true,
        Some("asc") => false,
        Some(_) => return None,
    };
    let filter = given("filter");
    let (in_group, untouched) = match filter.as_deref() {
        None | Some("occupied") => (None, false),
        Some("groups") => (Some(true), false),
        Some("ungrouped") => (Some(false), false),
        Some("untouched") => (None, true),
        Some(_) => return None,
    };
    let limit = match given("limit") {
        None => USUAL_PAGE,
        Some(limit) => limit.parse().ok().filter(|limit| *limit > 0)?,
    };
    let after = given("after");
    let group = match given("group") {
        None => None,
        Some(id) => Some(GroupId::parse(&id)?),
    };
    let order = match sort {
        Sort::Of(order) => order,
        Sort::Bytes | Sort::People => PadOrder::Name,
    };
    let (mark, skip) = match (&after, sort) {
        (None, _) => (None, 0),
        (Some(text), Sort::Bytes) => (None, text.parse().ok()?),
        (Some(text), _) => (Some(mark(order, text)?), 0),
    };
    Some(Asked {
        store: PadsAsked {
            order,
            descending,
            search: given("search").unwrap_or_default(),
            in_group,
            untouched,
            after: mark,
            limit: limit.min(LONGEST_PAGE),
        },
        sort,
        occupied: filter.as_deref() == Some("occupied") || sort == Sort::People,
        group,
        since: time("since")?,
        before: time("before")?,
        bytes: given("bytes").map_or(Some(0), |bytes| bytes.parse().ok())?,
        from: given("from"),
        skip,
        is_first: after.is_none(),
    })
}

fn mark(order: PadOrder, text: &str) -> Option<Mark> {
    if order == PadOrder::Name {
        return Some(Mark::Name(text.to_owned()));
    }
    let (value, name) = text.split_once(':')?;
    Some(Mark::Number(value.parse().ok()?, name.to_owned()))
}

fn written(mark: Mark) -> String {
    match mark {
        Mark::Name(name) => name,
        Mark::Number(value, name) => format!("{value}:{name}"),
    }
}

pub(super) async fn find(
    state: &AdminState,
    asked: &Asked,
    people: &HashMap<PadId, usize>,
) -> Result<Found, store::Error> {
    let store = state.service.store();
    if let Some(group) = &asked.group {
        let pads = store.pads_of_group(group).await?;
        return asked.sorted(store, &pads, people).await;
    }
    if asked.occupied {
        // Titles are known once the pads are read, so those that match by name go first.
        let search = asked.store.search.to_lowercase();
        let by_name = |pad: &&PadId| pad.as_str().to_lowercase().contains(&search);
        let (named, others): (Vec<_>, Vec<_>) = people.keys().partition(by_name);
        let pads: Vec<PadId> = named.into_iter().chain(others).cloned().collect();
        return asked.sorted(store, &pads, people).await;
    }
    match asked.sort {
        Sort::Bytes => asked.largest(state).await,
        _ => asked.browse(store).await,
    }
}

impl Asked {
    /// A set of pads as one page.
    async fn sorted(
        &self,
        store: &Store,
        pads: &[PadId],
        people: &HashMap<PadId, usize>,
    ) -> Result<Found, store::Error> {
        let pads = pads.get(..IN_MEMORY).unwrap_or(pads);
        let mut lines = store.pad_lines(pads).await?;
        lines.retain(|line| self.wants(line));
        let present = |line: &PadLine| people.get(&line.id).copied().unwrap_or_default();
        if self.occupied {
            lines.retain(|line| present(line) > 0);
        }
        lines.sort_by(|a, b| {
            let order = match self.sort {
                Sort::Of(PadOrder::Name) => Ordering::Equal,
                Sort::Of(PadOrder::Edited) => a.edited.cmp(&b.edited),
                Sort::Of(PadOrder::Created) => a.created.cmp(&b.created),
                Sort::Of(PadOrder::Revisions) => a.head.cmp(&b.head),
                Sort::Bytes => a.bytes.cmp(&b.bytes),
                Sort::People => {
                    let by_change = || a.edited.cmp(&b.edited);
                    present(a).cmp(&present(b)).then_with(by_change)
                }
            };
            order.then_with(|| a.id.cmp(&b.id))
        });
        if self.store.descending {
            lines.reverse();
        }
        Ok(Found {
            lines,
            ..Found::default()
        })
    }

    /// The largest pads, as they were when they were last weighed; each is weighed again.
    async fn largest(&self, state: &AdminState) -> Result<Found, store::Error> {
        let Some((at, weights)) = state.monitor.weigher.get(state.service.now()) else {
            return Ok(Found {
                weighing: true,
                ..Found::default()
            });
        };
        let mut pads: Vec<PadId> = weights.largest.iter().map(|(pad, _)| pad.clone()).collect();
        if !self.store.descending {
            pads.reverse();
        }
        let end = self.skip.saturating_add(self.store.limit);
        let page: Vec<PadId> = pads
            .iter()
            .skip(self.skip)
            .take(self.store.limit)
            .cloned()
            .collect();
        let mut lines = state.service.store().pad_lines(&page).await?;
        lines.retain(|line| self.wants(line));
        Ok(Found {
            lines,
            next: (end < pads.len()).then(|| end.to_string()),
            measured: Some(at),
            weighing: false,
        })
    }

    /// A page in an order that the store has an index for.
    async fn browse(&self, store: &Store) -> Result<Found, store::Error> {
        let mut lines = self.at_the_name(store).await?;
        let mut asked = self.start_in_order();
        let mut looked = 0;
        loop {
            asked.limit = self.store.limit.saturating_sub(lines.len()).max(1);
            let page = store.browse_pads(&asked).await?;
            looked += page.found.len();
            let is_past = page.found.last().is_some_and(|line| self.is_past(line));
            lines.extend(page.found.into_iter().filter(|line| self.wants(line)));
            let next = page.next.filter(|_| !is_past);
            let is_full = lines.len() >= self.store.limit;
            // A search has looked at a stretch already.
            if is_full || looked >= LOOKED_AT || self.is_search() || next.is_none() {
                return Ok(Found {
                    lines,
                    next: next.map(written),
                    ..Found::default()
                });
            }
            asked.after = next;
        }
    }

    fn is_search(&self) -> bool {
        let asked = &self.store;
        !asked.search.is_empty() || asked.in_group.is_some() || asked.untouched
    }

    /// The pad whose name is the one to begin at: marks are before what they lead to.
    async fn at_the_name(&self, store: &Store) -> Result<Vec<PadLine>, store::Error> {
        let PadsAsked {
            order, descending, ..
        } = self.store;
        let from = self.from.as_deref().filter(|_| self.is_first);
        let Some(pad) = from.and_then(PadId::parse) else {
            return Ok(Vec::new());
        };
        if order != PadOrder::Name || descending {
            return Ok(Vec::new());
        }
        let mut lines = store.pad_lines(&[pad]).await?;
        lines.retain(|line| self.wants(line));
        Ok(lines)
    }

    /// Behind everything that the order says is not asked for.
    fn start_in_order(&self) -> PadsAsked {
        let mut asked = self.store.clone();
        if !self.is_first {
            return asked;
        }
        let time = |time: Option<Timestamp>| Some(Mark::Number(time?.millis(), String::new()));
        asked.after = match (asked.order, asked.descending) {
            (PadOrder::Name, false) => self.from.clone().map(Mark::Name),
            // After every name that begins so.
            (PadOrder::Name, true) => {
                let last = |from: &String| Mark::Name(format!("{from}\u{10FFFF}"));
                self.from.as_ref().map(last)
            }
            (PadOrder::Edited, false) => time(self.since),
            (PadOrder::Edited, true) => time(self.before),
            _ => None,
        };
        asked
    }

    /// Whether nothing that is asked for can follow in this order.
    fn is_past(&self, line: &PadLine) -> bool {
        if self.sort != Sort::Of(PadOrder::Edited) {
            return false;
        }
        let edited = line.edited.millis();
        if self.store.descending {
            let since = self.since.map(Timestamp::millis);
            since.is_some_and(|since| edited < since.saturating_sub(LISTING_LAG_MILLIS))
        } else {
            let before = self.before.map(Timestamp::millis);
            before.is_some_and(|before| edited > before.saturating_add(LISTING_LAG_MILLIS))
        }
    }

    fn wants(&self, line: &PadLine) -> bool {
        let asked = &self.store;
        line.matches(&asked.search)
            && asked.in_group.is_none_or(|is| line.id.is_group_pad() == is)
            && !(asked.untouched && line.head > Rev::FIRST)
            && self.since.is_none_or(|since| line.edited >= since)
            && self.before.is_none_or(|before| line.edited < before)
            && line.bytes >= self.bytes
    }
}
