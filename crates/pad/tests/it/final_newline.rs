//! Every change that the server makes spares the pad's final newline, whatever the document.

use std::sync::Arc;

use changeset::{Attribute, Builder, Changeset, Document, Pool, Text};
use pad::edit::{self, PreparedEdit, Run};
use pad::{
    AuthorId, Head, HistoryRequest, Rev, Revision, Timestamp, spares_final_newline,
    sparing_final_newline, whole_document,
};
use proptest::prelude::*;

const KEYS: [&str; 4] = ["author", "bold", "heading", "list"];

fn author() -> AuthorId {
    AuthorId::parse("a.writer0000000000").unwrap()
}

fn arb_text() -> impl Strategy<Value = String> {
    "[ab\\n*é😀]{0,6}"
}

fn arb_runs() -> impl Strategy<Value = Vec<Run>> {
    let value = prop::option::weighted(0.3, "[xy]");
    let run = (arb_text(), prop::collection::vec(value, KEYS.len()));
    let run = run.prop_map(|(text, values)| Run {
        text: Text::from(&*text),
        attributes: KEYS
            .iter()
            .zip(values)
            .filter_map(|(key, value)| Some(Attribute::new(*key, value?)))
            .collect(),
    });
    prop::collection::vec(run, 0..6)
}

/// A document of these runs, the last of which says how its final newline looks.
fn document(runs: &[Run], pool: &mut Arc<Pool>) -> Document {
    let mut builder = Builder::new(0);
    for run in runs {
        let attribs = Pool::attribs_of_insert_shared(pool, &run.attributes);
        builder.insert(&run.text, &attribs);
    }
    let last = runs.last().map_or(&[][..], |run| &run.attributes);
    let attribs = Pool::attribs_of_insert_shared(pool, last);
    builder.insert(&[10], &attribs);
    Document::plain(&[]).apply(&builder.finish(), pool).unwrap()
}

/// The text after a change that keeps the rule.
fn result(document: &Document, prepared: &PreparedEdit) -> String {
    let PreparedEdit { change, pool, .. } = prepared;
    assert!(spares_final_newline(change), "{change}");
    assert_eq!(Changeset::parse(&change.to_string()).as_ref(), Ok(change));
    document.apply(change, pool).unwrap().text().to_string()
}

/// A history of calls that each write some runs in their own way: as a new text, or added to it.
fn history(calls: &[(usize, Vec<Run>)]) -> (Vec<Revision>, Vec<Document>, Arc<Pool>) {
    let (mut pool, by) = (Arc::default(), author());
    let mut documents = vec![Document::plain(&[10])];
    let mut revisions = Vec::new();
    for (kind, runs) in calls {
        let before = documents.last().unwrap();
        let text = Text::from(
            &*runs
                .iter()
                .map(|it| it.text.to_string())
                .collect::<String>(),
        );
        let prepared = match kind {
            0 => edit::set_text(before, &pool, &text, &by),
            1 => edit::append_text(before, &pool, &text, &by),
            2 => edit::set_runs(before, &pool, runs, &by),
            _ => {
                // As Etherpad has written it; it comes with migrations.
                let new = document(runs, &mut pool);
                let mut builder = Builder::new(before.len());
                builder.delete(&before.slice(0..before.len()));
                for piece in new.pieces(0..new.len()) {
                    builder.insert(piece.units, piece.attribs);
                }
                let change = builder.finish();
                documents.push(before.apply(&change, &pool).unwrap());
                revisions.push(revision(change));
                continue;
            }
        };
        pool = prepared.pool;
        documents.push(before.apply(&prepared.change, &pool).unwrap());
        revisions.push(revision(prepared.change));
    }
    (revisions, documents, pool)
}

fn revision(change: Changeset) -> Revision {
    Revision {
        change,
        author: None,
        time: Timestamp(1),
    }
}

proptest! {
    /// Steps of a history are several revisions in one.
    #[test]
    fn every_step_of_a_history_spares_it(
        calls in prop::collection::vec((0usize..4, arb_runs()), 1..9),
        granularity in 1u64..5,
    ) {
        let (revisions, documents, pool) = history(&calls);
        let request = HistoryRequest { start: Rev(0), granularity };
        let empty = Head::empty();
        let answer = request.answer(&empty.document, empty.time, &revisions, &pool).unwrap();
        let mut pool = Pool::clone(&pool);
        let states: Vec<&Document> = documents.iter().step_by(granularity as usize).collect();
        let steps = answer.forwards.iter().zip(&answer.backwards);
        for (state, (forwards, backwards)) in states.windows(2).zip(steps) {
            let (before, after) = (state[0], state[1]);
            prop_assert!(spares_final_newline(forwards), "{}", forwards);
            let forwards = answer.pool.move_changeset(forwards, &mut pool);
            let backwards = answer.pool.move_changeset(backwards, &mut pool);
            prop_assert_eq!(&before.apply(&forwards, &pool).unwrap(), after);
            prop_assert_eq!(&after.apply(&backwards, &pool).unwrap(), before);
        }
    }

    #[test]
    fn every_edit_spares_it(before in arb_runs(), after in arb_runs(), text in arb_text()) {
        let mut pool = Arc::default();
        let old = document(&before, &mut pool);
        let new = document(&after, &mut pool);
        let by = author();
        let units = Text::from(&*text);

        let set = result(&old, &edit::set_text(&old, &pool, &units, &by));
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        prop_assert_eq!(set, format!("{text}{newline}"));

        let appended = result(&old, &edit::append_text(&old, &pool, &units, &by));
        let mut wanted = old.text().to_string();
        wanted.pop();
        prop_assert_eq!(appended, format!("{wanted}{text}\n"));

        let content: String = after.iter().map(|run| run.text.to_string()).collect();
        let runs = result(&old, &edit::set_runs(&old, &pool, &after, &by));
        prop_assert_eq!(runs, format!("{content}\n"));

        let restored = result(&old, &edit::restore(&old, &pool, &new, &by));
        prop_assert_eq!(restored, format!("{content}\n\n"));

        let empty = Document::plain(&[10]);
        prop_assert_eq!(result(&empty, &edit::first_text(&units, &by)), format!("{text}\n"));
    }

    /// What comes from a list or a heading does not stay on the line behind an import.
    #[test]
    fn an_import_leaves_a_plain_last_line(before in arb_runs(), after in arb_runs()) {
        let mut pool = Arc::default();
        let old = document(&before, &mut pool);
        let prepared = edit::set_runs(&old, &pool, &after, &author());
        let new = old.apply(&prepared.change, &prepared.pool).unwrap();
        let last = new.attribs_at(new.len() - 1).unwrap();
        for key in ["bold", "heading", "list"] {
            prop_assert_eq!(prepared.pool.value_of(last, key), None);
        }
    }

    #[test]
    fn a_whole_document_is_written_without_touching_it(runs in arb_runs()) {
        let mut pool = Arc::default();
        let wanted = document(&runs, &mut pool);
        let change = whole_document(&wanted, &pool);
        prop_assert!(spares_final_newline(&change), "{}", change);
        let made = Document::plain(&[10]).apply(&change, &pool).unwrap();
        prop_assert_eq!(made, wanted);
    }

    /// Old revisions that replaced it say the same once they are rewritten.
    #[test]
    fn changes_that_replace_it_can_be_rewritten(
        before in arb_runs(),
        after in arb_runs(),
        kept in 0usize..8,
        ends_with_kept in any::<bool>(),
    ) {
        let mut pool = Arc::default();
        let old = document(&before, &mut pool);
        let new = document(&after, &mut pool);
        for key in KEYS {
            Pool::intern_shared(&mut pool, &Attribute::new(key, ""));
        }
        let mut builder = Builder::new(old.len());
        let mut kept = kept.min(old.len() - 1);
        if ends_with_kept {
            // Deletes all behind an earlier newline, and inserts nothing.
            kept = (0..kept).rfind(|at| old.unit_at(*at) == Some(10)).map_or(0, |at| at + 1);
        }
        builder.keep(&old.slice(0..kept), &changeset::Attribs::none());
        builder.delete(&old.slice(kept..old.len()));
        if !ends_with_kept || kept == 0 {
            for piece in new.pieces(0..new.len()) {
                builder.insert(piece.units, piece.attribs);
            }
        }
        let change = builder.finish();
        let wanted = old.apply(&change, &pool).unwrap();
        let rewritten = sparing_final_newline(&change, &old, &pool).unwrap();
        prop_assert!(spares_final_newline(&rewritten), "{} became {}", change, rewritten);
        let printed = Changeset::parse(&rewritten.to_string());
        prop_assert_eq!(printed, Ok(rewritten.clone()));
        prop_assert_eq!(old.apply(&rewritten, &pool).unwrap(), wanted);
        if spares_final_newline(&change) {
            prop_assert_eq!(rewritten, change);
        }
    }
}

/// The change that made Etherpad's page throw.
#[test]
fn several_pieces_in_place_of_the_final_newline_are_against_the_rule() {
    for (change, spares) in [
        ("Z:8>1|2-8*0|1+2*0*1+4*0|1+3$a\nbold x\n", false),
        ("Z:4>0|1-4*0|2+4$a\nb\n", true),
        ("Z:4<3|1-4*0|1+1$\n", true),
        ("Z:8>0|1-7*0|1+2*0*1+5$a\nbold ", true),
        ("Z:3<1|1=2|1-1$", false),
        ("Z:3>1|1=2*0+1$x", true),
        ("Z:3>0$", true),
    ] {
        let change = Changeset::unpack(change).unwrap();
        assert_eq!(spares_final_newline(&change), spares, "{change}");
    }
}
