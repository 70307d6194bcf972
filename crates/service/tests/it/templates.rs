//! Pads that start with the text of another one, and those whose text nobody gets that way.

use changeset::Text;
use pad::{GroupId, PadId, SessionId};
use service::{Config, JoinRequest, Service, TemplateUse};

use crate::world::{self, START};

/// As Etherpad leaves a list that comes from HTML.
const LETTER: &str = "\t* Dear all\n\n";
const DEFAULT: &str = "An empty page.";

/// What there is to start from.
struct Shelf {
    group: GroupId,
    session: SessionId,
    /// A read-only id of the letter.
    reader: String,
}

async fn fill(service: &Service) -> Shelf {
    let author = service.create_author(Some("Ada")).await.unwrap();
    let letter = PadId::parse("letter").unwrap();
    service.create_pad(&letter, None, None).await.unwrap();
    let html = "<ul><li><strong>Dear</strong> all</li></ul>";
    service
        .set_html(&letter, html, Some(&author))
        .await
        .unwrap();
    let text = service.get_text(&letter, None).await.unwrap();
    assert_eq!(text.to_string(), LETTER);
    let group = service.create_group().await.unwrap();
    for name in ["secret", "open"] {
        let text = Some(Text::from(name));
        let made = service.create_group_pad(&group, name, text, Some(&author));
        let (pad, _) = made.await.unwrap();
        let is_public = name == "open";
        service.set_public_status(&pad, is_public).await.unwrap();
    }
    let until = START / 1000 + 48 * 3600;
    Shelf {
        session: service
            .create_session(&group, &author, until)
            .await
            .unwrap(),
        reader: service.get_read_only_id(&letter).await.unwrap().to_string(),
        group,
    }
}

#[derive(Debug, PartialEq)]
enum Start {
    /// From the template of this text.
    Copied(&'static str),
    Missing,
    Ignored,
}
use Start::{Copied, Ignored, Missing};

type Case<'a> = (&'a str, &'a str, bool, Start);

/// A visit that creates a pad from a template, and what comes of it.
async fn check(service: &Service, session: &SessionId, case: &Case<'_>) {
    let (template, name, has_session, expected) = case;
    let request = JoinRequest {
        pad: (*name).to_owned(),
        token: Some(format!("t.{:020}", 7)),
        sessions: has_session.then(|| session.clone()).into_iter().collect(),
        template: Some((*template).to_owned()),
        ..JoinRequest::default()
    };
    let joined = service
        .join(&request)
        .await
        .unwrap_or_else(|e| panic!("{e:?}"));
    let pad = PadId::parse(name).unwrap();
    let text = service.get_text(&pad, None).await.unwrap().to_string();
    let outcome = match (joined.template, text.as_str()) {
        (Some(TemplateUse::Copied(_)), text) => {
            let Copied(known) = expected else {
                panic!("{template} was copied to {name}: {text}");
            };
            assert_eq!(text, *known, "{template} to {name}");
            // Nobody is an author here because of what they wrote in another pad.
            let authors = service.list_authors_of_pad(&pad).await.unwrap();
            assert!(authors.iter().all(|author| *author == joined.author.id));
            assert_eq!(joined.record.creator.as_ref(), Some(&joined.author.id));
            Copied(known)
        }
        (Some(TemplateUse::Missing), text) => {
            assert_eq!(text.trim_end(), DEFAULT, "{template} to {name}");
            Missing
        }
        (Some(TemplateUse::Ignored), _) => Ignored,
        (None, _) => panic!("{template} was named"),
    };
    assert_eq!(outcome, *expected, "{template} to {name}");
}

#[tokio::test]
async fn a_new_pad_starts_with_a_template_that_its_creator_may_read() {
    let service = world::service(Config {
        default_text: DEFAULT.to_owned(),
        ..Config::default()
    })
    .await;
    let Shelf {
        group,
        session,
        reader,
    } = fill(&service).await;
    let [secret, open, new] = ["secret", "open", "new"].map(|name| format!("{group}${name}"));
    let other = service.create_group().await.unwrap();
    let elsewhere = format!("{other}$new");
    let cases: &[Case<'_>] = &[
        ("letter", "a", false, Copied(LETTER)),
        (&reader, "b", false, Copied(LETTER)),
        (&open, "c", false, Copied("open\n")),
        (&secret, &new, true, Copied("secret\n")),
        ("nowhere", "d", false, Missing),
        ("r.0123456789abcdef0123456789abcdef", "e", false, Missing),
        ("a/b?", "f", false, Missing),
        // Nobody gets by this what only a group may read.
        (&secret, "g", false, Missing),
        // Not even a member takes it out, by a link that somebody else has made.
        (&secret, "h", true, Missing),
        ("letter", "a", false, Ignored),
    ];
    for case in cases {
        check(&service, &session, case).await;
    }
    let html = service.get_html(&PadId::parse("a").unwrap(), None).await;
    let html = html.unwrap();
    assert!(html.contains("<strong>Dear</strong> all"), "{html}");
    // What was not there has not been made, and no other group is entered.
    let nowhere = PadId::parse("nowhere").unwrap();
    assert!(service.get_text(&nowhere, None).await.is_err());
    let into_other = JoinRequest {
        pad: elsewhere,
        sessions: vec![session],
        template: Some(secret),
        ..JoinRequest::default()
    };
    assert!(service.join(&into_other).await.is_err());
    service.stop().await;
}

#[tokio::test]
async fn without_a_template_nothing_is_said_about_one() {
    let service = world::service(Config::default()).await;
    let request = JoinRequest {
        pad: "plain".to_owned(),
        ..JoinRequest::default()
    };
    let joined = service
        .join(&request)
        .await
        .unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(joined.template, None);
    drop(joined);
    service.stop().await;
}
