//! Groups and sessions.

use pad::{GroupId, PadId, Session, Timestamp};

use super::sample::*;
use crate::Store;

pub(super) async fn all(store: &Store) {
    groups(store).await;
    sessions(store).await;
    deleting(store).await;
}

async fn groups(store: &Store) {
    assert_eq!(store.list_groups().await.unwrap(), []);
    let now = Timestamp(1);
    let mut ids: Vec<GroupId> = (1..=3).map(group_id).collect();
    for id in &ids {
        assert!(!store.group_exists(id).await.unwrap());
        store.create_group(id, now).await.unwrap();
        assert!(store.group_exists(id).await.unwrap());
    }
    let new = group_id(4);
    assert_eq!(
        store.group_of_mapper("class 7b", &new, now).await.unwrap(),
        new
    );
    let again = store
        .group_of_mapper("class 7b", &group_id(5), now)
        .await
        .unwrap();
    assert_eq!(again, new);
    assert!(!store.group_exists(&group_id(5)).await.unwrap());
    ids.push(new);
    ids.sort();
    assert_eq!(store.list_groups().await.unwrap(), ids);
}

fn session(number: u128, group: u128, author: u128, valid_until: i64) -> Session {
    Session {
        id: session_id(number),
        group: group_id(group),
        author: author_id(author),
        valid_until,
    }
}

async fn sessions(store: &Store) {
    assert_eq!(store.count_sessions().await.unwrap(), 0);
    let mut all = [
        session(1, 1, 1, 100),
        session(2, 1, 2, 200),
        session(3, 2, 1, 300),
    ];
    for session in &all {
        assert_eq!(store.session(&session.id).await.unwrap(), None);
        store.create_session(session).await.unwrap();
        assert_eq!(
            store.session(&session.id).await.unwrap().as_ref(),
            Some(session)
        );
    }
    assert_eq!(store.count_sessions().await.unwrap(), 3);
    let ids = [3, 9, 1].map(session_id);
    let found = store.sessions(&ids).await.unwrap();
    assert_eq!(found, [all[2].clone(), all[0].clone()]);
    all.sort_by(|a, b| a.id.cmp(&b.id));
    let of = |keep: &dyn Fn(&&Session) -> bool| -> Vec<Session> {
        all.iter().filter(keep).cloned().collect()
    };
    let of_group = store.sessions_of_group(&group_id(1)).await.unwrap();
    assert_eq!(of_group, of(&|session| session.group == group_id(1)));
    let of_author = store.sessions_of_author(&author_id(1)).await.unwrap();
    assert_eq!(of_author, of(&|session| session.author == author_id(1)));
    assert_eq!(store.sessions_of_group(&group_id(3)).await.unwrap(), []);

    assert!(store.delete_session(&session_id(2)).await.unwrap());
    assert!(!store.delete_session(&session_id(2)).await.unwrap());
    assert_eq!(store.session(&session_id(2)).await.unwrap(), None);
    // A session ends with the second it names.
    let removed = store
        .remove_expired_sessions(Timestamp(99_999))
        .await
        .unwrap();
    assert_eq!(removed, 0);
    let removed = store
        .remove_expired_sessions(Timestamp(100_000))
        .await
        .unwrap();
    assert_eq!(removed, 1);
    assert_eq!(store.session(&session_id(1)).await.unwrap(), None);
    assert_eq!(store.count_sessions().await.unwrap(), 1);
}

async fn deleting(store: &Store) {
    let now = Timestamp(1);
    let [group, other] = [group_id(6), group_id(7)];
    store
        .group_of_mapper("class 8c", &group, now)
        .await
        .unwrap();
    store.create_group(&other, now).await.unwrap();
    let in_group = |group: &GroupId, name: &str| PadId::in_group(group, name).unwrap();
    let names = [
        in_group(&group, "b"),
        in_group(&group, "a"),
        in_group(&other, "a"),
    ];
    for id in &names {
        create_text(store, id.as_str(), "").await;
    }
    let expected = [names[1].clone(), names[0].clone()];
    assert_eq!(store.pads_of_group(&group).await.unwrap(), expected);
    store
        .create_session(&session(10, 6, 1, 1_000))
        .await
        .unwrap();
    store
        .create_session(&session(11, 7, 1, 1_000))
        .await
        .unwrap();

    assert!(store.delete_group(&group).await.unwrap());
    assert!(!store.delete_group(&group).await.unwrap());
    assert!(!store.group_exists(&group).await.unwrap());
    assert_eq!(store.pads_of_group(&group).await.unwrap(), []);
    assert_eq!(store.session(&session_id(10)).await.unwrap(), None);
    assert_eq!(store.pad(&names[0]).await.unwrap(), None);
    let new = group_id(8);
    assert_eq!(
        store.group_of_mapper("class 8c", &new, now).await.unwrap(),
        new
    );
    assert!(store.group_exists(&other).await.unwrap());
    assert_eq!(store.pads_of_group(&other).await.unwrap(), names[2..]);
    assert!(store.session(&session_id(11)).await.unwrap().is_some());
}
