//! Two services on one database, as two processes that share it.

use std::sync::Arc;

use changeset::Text;
use pad::PadId;
use service::{Config, Error, Service};
use store::Store;

use crate::cluster::Cluster;
use crate::world::TestWorld;

#[tokio::test]
async fn two_services_share_a_postgres_database() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let location = cluster.database();
    let mut services = Vec::new();
    for _ in 0..2 {
        let store = Store::open_shared(location.clone()).await.unwrap();
        let world = Arc::new(TestWorld::new());
        services.push(Service::new(store, world, Config::default()));
    }
    let [a, b] = <[Service; 2]>::try_from(services).ok().unwrap();
    let id = |name: &str| PadId::parse(name).unwrap();
    let notes = id("notes");
    let created = a.create_pad(&notes, Some(Text::from("zero")), None).await;
    created.unwrap();
    for number in 1..=20 {
        let service = if number % 2 == 0 { &a } else { &b };
        let text = Text::from(format!(" {number}").as_str());
        service.append_text(&notes, text, None).await.unwrap();
    }
    let expected: String = (1..=20).map(|number| format!(" {number}")).collect();
    let expected = format!("zero{expected}\n");
    for service in [&a, &b] {
        let text = service.get_text(&notes, None).await.unwrap();
        assert_eq!(text.to_string(), expected);
    }
    // A list that one has read is not kept while the other writes.
    assert_eq!(a.list_all_pads().await.unwrap(), [id("notes")]);
    b.create_pad(&id("more"), None, None).await.unwrap();
    assert_eq!(
        a.list_all_pads().await.unwrap(),
        [id("more"), notes.clone()]
    );
    a.move_pad(&notes, &id("moved"), false).await.unwrap();
    let gone = b.get_text(&notes, None).await;
    assert_eq!(gone.unwrap_err(), Error::PadMissing);
    let moved = b.get_text(&id("moved"), None).await.unwrap();
    assert_eq!(moved.to_string(), expected);
    a.stop().await;
    b.stop().await;
}
