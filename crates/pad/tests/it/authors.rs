//! Whose name the text of a change may carry.

use changeset::{Attribute, Changeset, Pool, Text};
use pad::{AuthorId, Head, Rejection, Submission, Timestamp, accept, edit};

const ANN: &str = "a.ann0000000000000";
const BOB: &str = "a.bob0000000000000";
const STRANGER: &str = "a.stranger00000000";
const SYSTEM: &str = "a.padsvc-system";

/// Two lines by Ann, to which Bob sends a change in somebody's name.
fn submit(change: &str, name: &str) -> Result<String, Rejection> {
    let ann = AuthorId::parse(ANN).unwrap();
    let prepared = edit::first_text(&Text::from("one\ntwo"), &ann);
    let step = Head::empty().advance(prepared.change, prepared.pool, None, Timestamp(1));
    let head = step.unwrap().unwrap().head;
    let mut pool = Pool::new();
    pool.attribs_of_insert(&[Attribute::new("author", name)]);
    let submission = Submission {
        author: AuthorId::parse(BOB).unwrap(),
        base: head.rev,
        change: Changeset::parse(change).unwrap(),
        pool,
    };
    let step = accept(&head, &[], &submission, 1_000, Timestamp(2))?;
    Ok(step.head.document.text().to_string())
}

#[test]
fn nobody_writes_in_the_name_of_others() {
    let foreign = Err(Rejection::ForeignAuthor);
    let nobody = Err(Rejection::InsertWithoutAuthor);
    let moved = Ok("two\none\n".to_owned());
    let as_was = || Ok("one\ntwo\n".to_owned());
    let moving = "Z:8>0|1-4=3*0|1+1*0+3$\none";
    for (what, change, name, expected) in [
        ("new text", "Z:8>3*0+3$new", ANN, foreign.clone()),
        ("new text of nobody", "Z:8>3+3$new", ANN, nobody.clone()),
        ("a moved line", moving, ANN, foreign.clone()),
        ("a moved line as oneself", moving, BOB, moved),
        ("of nobody", "Z:8>0|1-4=3|1+1+3$\none", ANN, nobody),
        ("a deletion", "Z:8<3*0-3$", ANN, foreign.clone()),
        ("a name put back", "Z:8>0*0=3$", ANN, as_was()),
        (
            "a stranger's put on",
            "Z:8>0*0=3$",
            STRANGER,
            foreign.clone(),
        ),
        ("the system's put on", "Z:8>0*0=3$", SYSTEM, foreign),
    ] {
        assert_eq!(submit(change, name), expected, "{what}");
    }
}
