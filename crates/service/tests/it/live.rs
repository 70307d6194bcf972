//! Live pads: one writer each, many callers, bounded memory.

use std::sync::Arc;

use changeset::Text;
use pad::{PadId, Rev};
use service::{Config, Error};

use crate::world;

fn pad(name: &str) -> PadId {
    PadId::for_new(name).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_made_at_once_are_all_stored() {
    let service = Arc::new(world::service(Config::default()).await);
    service
        .create_pad(&pad("notes"), Some(Text::new()), None)
        .await
        .unwrap();
    let mut callers = tokio::task::JoinSet::new();
    for number in 0..100 {
        let service = Arc::clone(&service);
        callers.spawn(async move {
            let line = format!("line {number}\n");
            service
                .append_text(&pad("notes"), Text::from(line.as_str()), None)
                .await
                .unwrap();
        });
    }
    callers.join_all().await;
    let text = service
        .get_text(&pad("notes"), None)
        .await
        .unwrap()
        .to_string();
    for number in 0..100 {
        assert_eq!(
            text.matches(&format!("line {number}\n")).count(),
            1,
            "line {number}"
        );
    }
    assert_eq!(
        service.get_revisions_count(&pad("notes")).await.unwrap(),
        Rev(100)
    );
    assert_eq!(service.store().check_pad(&pad("notes")).await.unwrap(), []);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_pad_operations_and_edits_do_not_cross() {
    let config = Config {
        compaction: true,
        ..Config::default()
    };
    let service = Arc::new(world::service(config).await);
    service
        .create_pad(&pad("notes"), Some(Text::new()), None)
        .await
        .unwrap();
    let mut callers = tokio::task::JoinSet::new();
    for number in 0..40 {
        let service = Arc::clone(&service);
        callers.spawn(async move {
            match number % 4 {
                0 => service.compact_pad(&pad("notes"), Some(3)).await,
                1 => service.copy_pad(&pad("notes"), &pad("copy"), true).await,
                _ => {
                    service
                        .append_text(&pad("notes"), Text::from("x"), None)
                        .await
                }
            }
        });
    }
    for outcome in callers.join_all().await {
        outcome.unwrap();
    }
    let text = service
        .get_text(&pad("notes"), None)
        .await
        .unwrap()
        .to_string();
    assert_eq!(text, format!("{}\n", "x".repeat(20)));
    for name in ["notes", "copy"] {
        assert_eq!(
            service.store().check_pad(&pad(name)).await.unwrap(),
            [],
            "{name}"
        );
    }
    service.stop().await;
}

#[tokio::test]
async fn a_deleted_pad_takes_no_more_edits() {
    let service = world::service(Config::default()).await;
    service.create_pad(&pad("notes"), None, None).await.unwrap();
    service
        .append_text(&pad("notes"), Text::from("x"), None)
        .await
        .unwrap();
    service
        .delete_pad(&pad("notes"), None, service::api::Caller::Trusted)
        .await
        .unwrap();
    let refused = service
        .append_text(&pad("notes"), Text::from("x"), None)
        .await;
    assert_eq!(refused, Err(Error::PadMissing));
    service.stop().await;
}

#[tokio::test]
async fn pads_opened_one_after_another_do_not_accumulate() {
    let config = Config {
        idle_pads: 50,
        ..Config::default()
    };
    let service = world::service(config).await;
    for number in 0..1_000 {
        let id = pad(&format!("pad-{number}"));
        service.create_pad(&id, None, None).await.unwrap();
        service
            .append_text(&id, Text::from("x"), None)
            .await
            .unwrap();
        assert!(
            service.live_pads() <= 51,
            "{} pads are live",
            service.live_pads()
        );
    }
    for missing in 0..1_000 {
        let id = pad(&format!("missing-{missing}"));
        assert_eq!(service.get_text(&id, None).await, Err(Error::PadMissing));
    }
    assert!(
        service.live_pads() <= 51,
        "names without a pad leave nothing behind"
    );
    service.stop().await;
}

#[tokio::test]
async fn pads_of_a_crowd_that_has_left_make_no_room_for_others() {
    let config = Config {
        idle_pads: 50,
        ..Config::default()
    };
    let service = world::service(config).await;
    let mut crowd = Vec::new();
    for number in 0..300 {
        let request = service::JoinRequest {
            pad: format!("crowd-{number}"),
            token: Some(format!("t.{number:020}")),
            ..service::JoinRequest::default()
        };
        let joined = service.join(&request).await;
        crowd.push(joined.unwrap_or_else(|error| panic!("{error:?}")));
    }
    assert_eq!(service.live_pads(), 300, "nobody loses the pad they are in");
    drop(crowd);
    for _ in 0..2 {
        service.evict_idle_pads().await;
    }
    for number in 0..200 {
        let id = pad(&format!("pad-{number}"));
        service.create_pad(&id, None, None).await.unwrap();
        service.get_text(&id, None).await.unwrap();
    }
    let live = service.live_pads();
    assert!(live <= 51, "{live} pads are live");
    service.stop().await;
}

#[tokio::test]
async fn a_stopped_service_answers_with_an_error() {
    let service = world::service(Config::default()).await;
    service.create_pad(&pad("notes"), None, None).await.unwrap();
    service.stop().await;
    assert_eq!(
        service.get_text(&pad("notes"), None).await,
        Err(Error::Internal)
    );
}

#[tokio::test]
async fn sessions_are_kept_for_a_day_after_their_end() {
    let service = world::service(Config::default()).await;
    let group = service.create_group().await.unwrap();
    let author = service.create_author(None).await.unwrap();
    let day = 24 * 60 * 60;
    let ended = |seconds_ago: i64| pad::Session {
        id: pad::SessionId::random(seconds_ago as u128),
        group: group.clone(),
        author: author.clone(),
        valid_until: world::START / 1000 - seconds_ago,
    };
    for seconds_ago in [day + 10, day - 10, -10] {
        service
            .store()
            .create_session(&ended(seconds_ago))
            .await
            .unwrap();
    }
    assert_eq!(service.remove_expired_sessions().await, Ok(1));
    assert_eq!(
        service.list_sessions_of_group(&group).await.unwrap().len(),
        2
    );
    service.stop().await;
}

#[tokio::test]
async fn a_pad_that_nobody_uses_leaves_memory() {
    let service = world::service(Config::default()).await;
    for name in ["idle", "in use", "used again"] {
        service.create_pad(&pad(name), None, None).await.unwrap();
    }
    let request = service::JoinRequest {
        pad: "in_use".to_owned(),
        ..service::JoinRequest::default()
    };
    let joined = service.join(&request).await.ok();
    service.evict_idle_pads().await;
    let text = service.get_text(&pad("used_again"), None).await.unwrap();
    service.evict_idle_pads().await;
    assert_eq!(service.live_pads(), 2, "the idle one has left");
    service.evict_idle_pads().await;
    assert_eq!(service.live_pads(), 1, "one has a member");
    drop(joined);
    service.evict_idle_pads().await;
    service.evict_idle_pads().await;
    assert_eq!(service.live_pads(), 0);
    assert_eq!(
        service.get_text(&pad("used_again"), None).await.unwrap(),
        text
    );
    service.stop().await;
}

#[tokio::test]
async fn a_pad_that_leaves_memory_is_where_it_belongs_in_lists() {
    let service = world::service(Config::default()).await;
    for name in ["one", "two"] {
        service.create_pad(&pad(name), None, None).await.unwrap();
    }
    let text = Text::from("more\n");
    let appended = service.append_text(&pad("one"), text, None).await;
    appended.unwrap();
    for _ in 0..2 {
        service.evict_idle_pads().await;
    }
    let asked = store::PadsAsked {
        order: store::PadOrder::Revisions,
        descending: true,
        search: String::new(),
        in_group: None,
        untouched: false,
        after: None,
        limit: 9,
    };
    let page = service.store().browse_pads(&asked).await.unwrap();
    let names: Vec<&str> = page.found.iter().map(|line| line.id.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    service.stop().await;
}
