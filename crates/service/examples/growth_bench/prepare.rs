//! The data that operations are measured on.

use std::sync::Arc;

use changeset::{Attribute, Pool, Text, splice};
use pad::{AuthorId, Head, PadId, Rev, Step, Timestamp};
use service::Service;
use store::Appended;

use super::{PAD, Random};

const AUTHORS: u128 = 7;
/// Revisions that are written together.
const BATCH: u64 = 512;
/// All changes are in the first lines, so that texts with short and with long histories have as
/// many stretches by different authors.
const CHANGED: usize = 300;

pub(crate) async fn prepare(service: &Service, units: u64, revisions: u64, pads: u64) {
    let units = usize::try_from(units).unwrap();
    let mut text = "Words, and after them a few more of them, in lines.\n".repeat(units / 52 + 1);
    text.truncate(units.saturating_sub(1));
    let pad = PadId::for_new(PAD).unwrap();
    create(service, &pad, &text).await;
    for number in 1..pads {
        let other = PadId::for_new(&format!("other{number}")).unwrap();
        create(service, &other, "A few words.\n").await;
    }
    write_history(service, &pad, revisions).await;
}

async fn create(service: &Service, pad: &PadId, text: &str) {
    let created = service.create_pad(pad, Some(Text::from(text)), None);
    created.await.unwrap();
}

async fn write_history(service: &Service, pad: &PadId, revisions: u64) {
    let store = service.store();
    let key = store.pad(pad).await.unwrap().unwrap().key;
    let mut head = store.load_head(key).await.unwrap().unwrap();
    let mut random = Random(1);
    while head.next_rev() < Rev(revisions) {
        let before = head.clone();
        let mut made = Vec::new();
        for _ in 0..BATCH.min(revisions - head.next_rev().0) {
            let step = edit(&head, &mut random);
            made.extend(step.revisions);
            head = step.head;
        }
        let step = Step {
            revisions: made,
            head: head.clone(),
        };
        let appended = store.append(key, &before, &step).await.unwrap();
        assert_eq!(appended, Appended::Done);
    }
}

/// One character comes or goes, so that the length stays about the same.
fn edit(head: &Head, random: &mut Random) -> Step {
    let author = AuthorId::random(u128::from(head.next_rev().0) % AUTHORS + 1);
    let mut pool = Arc::clone(&head.pool);
    let attribute = Attribute::new("author", author.as_str());
    let attribs = Pool::attribs_of_insert_shared(&mut pool, &[attribute]);
    let at = random.below(CHANGED);
    let change = match head.next_rev().0 % 2 {
        0 => splice(&head.document, at, 1, &[], &attribs),
        _ => splice(&head.document, at, 0, &Text::from("x"), &attribs),
    };
    let now = Timestamp(1_700_000_000_000 + head.next_rev().0 as i64);
    let step = head.advance(change, pool, Some(author), now);
    step.unwrap().unwrap()
}
