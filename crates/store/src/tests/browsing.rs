//! Lists of pads and authors: what is in them, and that a page costs the same however many there
//! are.

use std::collections::BTreeSet;

use pad::Title;
use rusqlite::StatementStatus;

use super::cluster::Cluster;
use super::scratch::Scratch;
use crate::browse::{AUTHORS_SEEN, STATEMENTS};
use crate::conformance::sample::*;
use crate::engine::Turn;
use crate::sql::Tx;
use crate::{AuthorsAsked, Location, PadLine, PadOrder, PadsAsked, Store};

const ORDERS: [PadOrder; 4] = [
    PadOrder::Name,
    PadOrder::Edited,
    PadOrder::Created,
    PadOrder::Revisions,
];

fn asked(order: PadOrder, descending: bool) -> PadsAsked {
    PadsAsked {
        order,
        descending,
        search: String::new(),
        in_group: None,
        untouched: false,
        after: None,
        limit: 3,
    }
}

/// All pages, and how many there were.
async fn all(store: &Store, mut asked: PadsAsked) -> (Vec<PadLine>, usize) {
    let (mut lines, mut pages) = (Vec::new(), 0);
    loop {
        let page = store.browse_pads(&asked).await.unwrap();
        assert!(page.found.len() <= asked.limit);
        lines.extend(page.found);
        pages += 1;
        match page.next {
            Some(next) => asked.after = Some(next),
            None => return (lines, pages),
        }
    }
}

async fn titles(location: Location) {
    let store = Store::open(location).await.unwrap();
    let title = Title::parse("What the plan is").unwrap();
    for number in 0..5 {
        let (key, _) = create_text(&store, &format!("pad {number}"), "x").await;
        if number == 2 {
            assert!(store.set_title(key, title.as_ref()).await.unwrap());
        }
    }
    for order in ORDERS {
        let titled = PadsAsked {
            search: "THE plan".to_owned(),
            ..asked(order, false)
        };
        let (found, _) = all(&store, titled).await;
        let found: Vec<_> = found
            .iter()
            .map(|line| (line.id.as_str(), &line.title))
            .collect();
        assert_eq!(found, [("pad 2", &title)], "{order:?}");
    }
}

async fn lists(location: Location) {
    let store = Store::open(location).await.unwrap();
    for number in 0..50 {
        let (key, head) = create_text(&store, &format!("pad {}", number * 7 % 50), "x").await;
        let steps = edits(head.clone(), number % 4, 1);
        append_all(&store, key, head, &steps).await;
        store.refresh_listing(key).await.unwrap();
    }
    create_text(&store, &format!("{}$Plan", group_id(1)), "x").await;
    let key = |order, line: &PadLine| match order {
        PadOrder::Name => (0, line.id.clone()),
        PadOrder::Edited => (line.edited.millis(), line.id.clone()),
        PadOrder::Created => (line.created.millis(), line.id.clone()),
        PadOrder::Revisions => (line.head.0 as i64, line.id.clone()),
    };
    for order in ORDERS {
        let (upwards, pages) = all(&store, asked(order, false)).await;
        assert_eq!((upwards.len(), pages), (51, 17));
        assert!(
            upwards.is_sorted_by_key(|line| key(order, line)),
            "{order:?}"
        );
        let (mut downwards, _) = all(&store, asked(order, true)).await;
        downwards.reverse();
        assert_eq!(upwards, downwards, "{order:?}");
        assert!(upwards.iter().all(|line| line.bytes > 0));

        let search = "PAD 1".to_owned();
        let (found, _) = all(
            &store,
            PadsAsked {
                search,
                ..asked(order, true)
            },
        )
        .await;
        let names: BTreeSet<&str> = found.iter().map(|line| line.id.as_str()).collect();
        assert_eq!((found.len(), names.len()), (11, 11));
        assert!(names.iter().all(|name| name.starts_with("pad 1")));

        let in_group = Some(true);
        let (found, _) = all(
            &store,
            PadsAsked {
                in_group,
                ..asked(order, false)
            },
        )
        .await;
        let names: Vec<&str> = found.iter().map(|line| line.id.as_str()).collect();
        assert_eq!(names, [format!("{}$Plan", group_id(1))]);

        let untouched = true;
        let (found, _) = all(
            &store,
            PadsAsked {
                untouched,
                ..asked(order, false)
            },
        )
        .await;
        assert_eq!(found.len(), 14);
    }
    let known = pad_id("pad 3");
    let lines = store.pad_lines(&[pad_id("nobody"), known.clone()]).await;
    let lines = lines.unwrap();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].id, known);
    assert!(store.size().await.unwrap() > 1000);
    store.close().await;
}

async fn authors(location: Location) {
    let store = Store::open(location).await.unwrap();
    for number in 1..=50 {
        store.create_author(&author(number)).await.unwrap();
    }
    assert_eq!(store.count_authors().await.unwrap(), 50);
    for (search, expected) in [("", 50), ("AUTHOR 1", 11), ("nobody", 0)] {
        let mut found = BTreeSet::new();
        let mut asked = AuthorsAsked {
            search: search.to_owned(),
            after: None,
            limit: 4,
        };
        loop {
            let page = store.browse_authors(&asked).await.unwrap();
            for author in page.found {
                assert!(found.insert(author.id), "told twice");
            }
            match page.next {
                Some(next) => asked.after = Some(next),
                None => break,
            }
        }
        assert_eq!(found.len(), expected, "{search}");
    }
    store.close().await;
}

#[tokio::test]
async fn lists_go_through_everything_in_order() {
    let scratch = Scratch::new();
    lists(scratch.embedded()).await;
    authors(Location::Memory).await;
    if let Some(cluster) = Cluster::shared() {
        lists(cluster.database()).await;
        authors(cluster.database()).await;
    }
}

#[tokio::test]
async fn pads_are_found_by_their_titles() {
    titles(Location::Memory).await;
    if let Some(cluster) = Cluster::shared() {
        titles(cluster.database()).await;
    }
}

/// The pads that were changed last, and those with the most revisions.
async fn orders(store: &Store) -> [Vec<String>; 2] {
    let mut orders = [const { Vec::new() }; 2];
    for (names, order) in orders
        .iter_mut()
        .zip([PadOrder::Edited, PadOrder::Revisions])
    {
        let (lines, _) = all(store, asked(order, true)).await;
        names.extend(lines.iter().map(|line| line.id.as_str().to_owned()));
    }
    orders
}

/// A change leaves the indexes alone, unless the order is a minute old or much is written anyway.
async fn listings(location: Location) {
    let store = Store::open(location).await.unwrap();
    let (one, head) = create_text(&store, "one", "x").await;
    let (two, other) = create_text(&store, "two", "x").await;
    let head = append_all(&store, one, head.clone(), &edits(head, 3, 1)).await;
    assert_eq!(orders(&store).await, [["two", "one"], ["two", "one"]]);
    let lines = store.pad_lines(&[pad_id("one")]).await.unwrap();
    assert_eq!(Some(lines[0].head), head.rev, "what is shown is never old");
    store.refresh_listing(one).await.unwrap();
    assert_eq!(orders(&store).await, [["one", "two"], ["one", "two"]]);

    append_all(&store, two, other.clone(), &edits(other, 40, 1)).await;
    assert_eq!(orders(&store).await, [["two", "one"], ["two", "one"]]);

    let time = pad::Timestamp(head.time.millis() + 60_000);
    let later = pad::Head {
        time,
        ..head.clone()
    };
    let step = typed(&later, "!", &author_id(1));
    append_all(&store, one, head, &[step]).await;
    assert_eq!(orders(&store).await, [["one", "two"], ["two", "one"]]);
    store.close().await;
}

#[tokio::test]
async fn order_follows_within_a_minute() {
    listings(Location::Memory).await;
    if let Some(cluster) = Cluster::shared() {
        listings(cluster.database()).await;
    }
}

const FEW: u32 = 500;
const MANY: u32 = 20_000;

/// All of an age and of the same length: only their names tell them apart.
async fn fill(store: &Store, count: u32) {
    let rows = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         INSERT INTO pads (name, head, head_time, created, listed_head, listed_time)
             SELECT 'pad-' || i, 7, 7, 7, 7, 7 FROM n;
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         INSERT INTO authors (id, colour, created, last_seen) SELECT 'a.' || i, '1', 7, 7 FROM n;
         ANALYZE"
    );
    let write = move |tx: &mut dyn Tx| tx.define(&rows);
    store.engine.write(Turn::Alone, write).await.unwrap();
}

/// Every statement of a list, from somewhere in the middle of it.
fn questions() -> Vec<String> {
    let middle = |sql: &str| match sql.contains("$3") {
        true if sql.contains("authors") => fixed(sql, &["7", "'a.300'", "10"]),
        true => fixed(sql, &["7", "'pad-300'", "10"]),
        false => fixed(sql, &["'pad-300'", "10"]),
    };
    let statements = STATEMENTS.iter().flatten().copied();
    statements.chain([AUTHORS_SEEN]).map(middle).collect()
}

fn fixed(sql: &str, values: &[&str]) -> String {
    let replace =
        |sql: String, (at, value): (usize, &&str)| sql.replace(&format!("${}", at + 1), value);
    values.iter().enumerate().fold(sql.to_owned(), replace)
}

/// What the embedded engine does for each question, in its own steps.
async fn steps(count: u32) -> Vec<i32> {
    let scratch = Scratch::new();
    let store = Store::open(scratch.embedded()).await.unwrap();
    fill(&store, count).await;
    store.close().await;
    let database = rusqlite::Connection::open(scratch.folder.join("pads.db")).unwrap();
    let run = |sql: &String| {
        let mut statement = database.prepare(sql).unwrap();
        let rows = statement.query_map([], |_| Ok(())).unwrap().count();
        assert_eq!(rows, 10, "{sql}");
        assert_eq!(
            statement.get_status(StatementStatus::FullscanStep),
            0,
            "{sql}"
        );
        assert_eq!(statement.get_status(StatementStatus::Sort), 0, "{sql}");
        statement.get_status(StatementStatus::VmStep)
    };
    questions().iter().map(run).collect()
}

#[tokio::test]
async fn a_page_costs_the_same_however_many_there_are() {
    assert_eq!(steps(FEW).await, steps(MANY).await);
}

/// PostgreSQL tells how many rows it has looked at and thrown away.
#[tokio::test]
async fn a_page_costs_the_same_on_postgres() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let store = Store::open(cluster.database()).await.unwrap();
    fill(&store, MANY).await;
    for question in questions() {
        let sql = format!("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) {question}");
        let sql: &'static str = sql.leak();
        let read = move |tx: &mut dyn Tx| {
            let rows = tx.rows(sql, &[])?;
            let lines: Result<Vec<String>, _> =
                rows.into_iter().map(|mut row| row.text(0)).collect();
            Ok(lines?.join("\n"))
        };
        let plan = store.engine.read(read).await.unwrap();
        assert!(plan.contains("Index Scan"), "{question}\n{plan}");
        for costly in ["Seq Scan", "Sort", "Rows Removed"] {
            assert!(!plan.contains(costly), "{question}\n{plan}");
        }
    }
    store.close().await;
}
