//! What is measured. Each operation leaves the data about as it found it.

use changeset::{Attribute, Document, Pool, Text, splice};
use pad::{HistoryRequest, PadId, Rev, Submission};
use service::api::Caller;
use service::{Delivery, Feed, JoinRequest, Joined, Service};
use store::{PadOrder, PadsAsked};

use super::{PAD, Random};

/// Pads on a page of a list.
const PAGE: usize = 50;

pub(crate) async fn run(service: &Service, operation: &str, count: u64, people: u64) {
    let mut bench = Bench::enter(service, people).await;
    match operation {
        "commit" => bench.commit(count).await,
        "join" => bench.join(count).await,
        "chat" => bench.chat(count).await,
        "text" => bench.text(count).await,
        "html" => bench.html(count).await,
        "past" => bench.past(count).await,
        "history" => bench.history(count).await,
        "periods" => bench.periods(count).await,
        "create" => bench.create(count).await,
        "list" => bench.list(count).await,
        _ => panic!("no such operation: {operation}"),
    }
}

struct Bench<'a> {
    service: &'a Service,
    pad: PadId,
    people: Vec<Joined>,
    random: Random,
}

impl Bench<'_> {
    async fn enter(service: &Service, people: u64) -> Bench<'_> {
        let mut joined = Vec::new();
        for person in 0..people {
            joined.push(join(service, person).await);
        }
        Bench {
            service,
            pad: PadId::parse(PAD).unwrap(),
            people: joined,
            random: Random(2),
        }
    }

    /// Changes of one character all over the text by one, each stored and told to all before the
    /// next.
    async fn commit(&mut self, count: u64) {
        let mut document = self.people[0].head.document.clone();
        let mut rev = self.people[0].head.rev.unwrap();
        for number in 0..count {
            let at = self.random.below(document.len() - 1);
            let submission = submission(&self.people[0], &document, rev, number, at);
            document = document
                .apply(&submission.change, &submission.pool)
                .unwrap();
            rev = self.people[0].member.submit(submission).await.unwrap().rev;
            for person in &mut self.people {
                hear(&mut person.feed, rev).await;
            }
        }
        let text = self.service.get_text(&self.pad, Some(rev)).await;
        assert_eq!(text.unwrap(), document.text());
    }

    /// Somebody comes and goes; everybody hears of it later, with a change.
    async fn join(&mut self, count: u64) {
        for _ in 0..count {
            drop(join(self.service, self.people.len() as u64).await);
        }
    }

    async fn chat(&mut self, count: u64) {
        for _ in 0..count {
            let said = self.people[0].member.chat(Text::from("Good morning."));
            said.await.unwrap();
            for person in &mut self.people {
                person.feed.next().await;
            }
        }
    }

    async fn text(&mut self, count: u64) {
        for _ in 0..count {
            self.service.get_text(&self.pad, None).await.unwrap();
        }
    }

    async fn html(&mut self, count: u64) {
        for _ in 0..count {
            self.service.get_html(&self.pad, None).await.unwrap();
        }
    }

    async fn past(&mut self, count: u64) {
        for _ in 0..count {
            let rev = self.any_revision();
            self.people[0].member.past(rev).await.unwrap();
        }
    }

    async fn history(&mut self, count: u64) {
        for _ in 0..count {
            let start = self.any_revision();
            let request = HistoryRequest {
                start,
                granularity: 1,
            };
            self.people[0].member.history(request).await.unwrap();
        }
    }

    async fn periods(&mut self, count: u64) {
        for _ in 0..count {
            let before = self.any_revision();
            self.people[0].member.periods(before).await.unwrap();
        }
    }

    async fn create(&mut self, count: u64) {
        for number in 0..count {
            let pad = PadId::for_new(&format!("new{number}")).unwrap();
            let text = Some(Text::from("Some words.\n"));
            self.service.create_pad(&pad, text, None).await.unwrap();
            let deleted = self.service.delete_pad(&pad, None, Caller::Trusted);
            deleted.await.unwrap();
        }
    }

    async fn list(&mut self, count: u64) {
        let asked = PadsAsked {
            order: PadOrder::Edited,
            descending: true,
            search: String::new(),
            in_group: None,
            untouched: false,
            after: None,
            limit: PAGE,
        };
        for _ in 0..count {
            self.service.store().browse_pads(&asked).await.unwrap();
        }
    }

    fn any_revision(&mut self) -> Rev {
        let head = self.people[0].head.rev.unwrap().0;
        Rev(self.random.below(usize::try_from(head).unwrap()) as u64)
    }
}

async fn join(service: &Service, person: u64) -> Joined {
    let request = JoinRequest {
        pad: PAD.to_owned(),
        token: Some(format!("t.{person:020}")),
        ..JoinRequest::default()
    };
    let joined = service.join(&request).await;
    joined.unwrap_or_else(|error| panic!("{error:?}"))
}

fn submission(
    author: &Joined,
    document: &Document,
    rev: Rev,
    number: u64,
    at: usize,
) -> Submission {
    let mut pool = Pool::new();
    let id = author.member.author().clone();
    let attribs = pool.attribs_of_insert(&[Attribute::new("author", id.as_str())]);
    let change = match number % 2 {
        0 => splice(document, at, 0, &Text::from("x"), &attribs),
        _ => splice(document, at, 1, &[], &attribs),
    };
    Submission {
        author: id,
        base: Some(rev),
        change,
        pool,
    }
}

async fn hear(feed: &mut Feed, rev: Rev) {
    while feed.place() < rev {
        if let Delivery::Ended(ending) = feed.next().await {
            panic!("{ending:?}");
        }
    }
}
