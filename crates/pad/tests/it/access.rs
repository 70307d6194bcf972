//! Who gets in: a table of situations.

use pad::access::{Denial, Grant, PadState, Policy, Rights, Visitor, decide};
use pad::{AuthorId, GroupId, PadId, Session, SessionId, Timestamp};

const GROUP: &str = "g.0123456789abcdef";
const NOW: Timestamp = Timestamp(1_000_000);

fn session(group: &str, valid_until: i64) -> Session {
    Session {
        id: SessionId::random(1),
        group: GroupId::parse(group).unwrap(),
        author: AuthorId::parse("a.withSession00000").unwrap(),
        valid_until,
    }
}

struct Case {
    pad: &'static str,
    exists: bool,
    public: bool,
    read_only: bool,
    sessions: Vec<Session>,
    rights: Option<Rights>,
    policy: Policy,
}

impl Default for Case {
    fn default() -> Case {
        Case {
            pad: "notes",
            exists: true,
            public: false,
            read_only: false,
            sessions: Vec::new(),
            rights: None,
            policy: Policy::default(),
        }
    }
}

fn check(case: Case, expected: Result<(&str, bool), Denial>) {
    let found = decided(&case).map(|grant| (grant.author, grant.read_only));
    let expected = expected.map(|(author, read_only)| (AuthorId::parse(author), read_only));
    assert_eq!(found, expected);
}

fn decided(case: &Case) -> Result<Grant, Denial> {
    let token_author = AuthorId::parse("a.withToken0000000").unwrap();
    let visitor = Visitor {
        sessions: &case.sessions,
        token_author: Some(&token_author),
        rights: case.rights,
    };
    let state = PadState {
        exists: case.exists,
        public: case.public,
        through_read_only_id: case.read_only,
    };
    decide(
        &PadId::parse(case.pad).unwrap(),
        state,
        &visitor,
        case.policy,
        NOW,
    )
}

const TOKEN: &str = "a.withToken0000000";
const SESSION: &str = "a.withSession00000";
const GROUP_PAD: &str = "g.0123456789abcdef$plan";

#[test]
fn pads_without_a_group_are_open() {
    check(Case::default(), Ok((TOKEN, false)));
    check(
        Case {
            exists: false,
            ..Case::default()
        },
        Ok((TOKEN, false)),
    );
    check(
        Case {
            read_only: true,
            ..Case::default()
        },
        Ok((TOKEN, true)),
    );
    let edit_only = Policy {
        edit_only: true,
        ..Policy::default()
    };
    check(
        Case {
            exists: false,
            policy: edit_only,
            ..Case::default()
        },
        Err(Denial::MayNotCreate),
    );
    check(
        Case {
            exists: false,
            read_only: true,
            ..Case::default()
        },
        Err(Denial::MayNotCreate),
    );
}

#[test]
fn pads_of_a_group_need_a_valid_session() {
    let group = || Case {
        pad: GROUP_PAD,
        ..Case::default()
    };
    check(group(), Err(Denial::NeedsSession));
    check(
        Case {
            sessions: vec![session(GROUP, 1_001)],
            ..group()
        },
        Ok((SESSION, false)),
    );
    // A session that ends now has ended.
    check(
        Case {
            sessions: vec![session(GROUP, 1_000)],
            ..group()
        },
        Err(Denial::NeedsSession),
    );
    let other = session("g.fedcba9876543210", 2_000);
    check(
        Case {
            sessions: vec![other.clone()],
            ..group()
        },
        Err(Denial::NeedsSession),
    );
    check(
        Case {
            sessions: vec![other, session(GROUP, 2_000)],
            ..group()
        },
        Ok((SESSION, false)),
    );
    check(
        Case {
            public: true,
            ..group()
        },
        Ok((TOKEN, false)),
    );
    check(
        Case {
            public: true,
            exists: false,
            ..group()
        },
        Err(Denial::NeedsSession),
    );
    check(
        Case {
            exists: false,
            sessions: vec![session(GROUP, 2_000)],
            ..group()
        },
        Ok((SESSION, false)),
    );
}

#[test]
fn of_several_sessions_the_one_that_lets_in_is_the_one_that_counts() {
    let at = |valid_until, author: &str| Session {
        author: AuthorId::parse(author).unwrap(),
        ..session(GROUP, valid_until)
    };
    let (ada, bob) = (SESSION, "a.ofSomebodyElse00");
    let elsewhere = session("g.fedcba9876543210", 9_000);
    for (sessions, counts) in [
        (vec![at(999, ada), at(2_000, ada)], Some(1)),
        (vec![at(999, bob), at(2_000, ada)], Some(1)),
        (
            vec![elsewhere.clone(), at(2_000, ada), at(1_000, ada)],
            Some(1),
        ),
        // The first says who it is, and the longest of that author how long.
        (vec![at(2_000, ada), at(3_000, bob)], Some(0)),
        (
            vec![at(2_000, ada), at(3_000, ada), at(2_500, ada)],
            Some(1),
        ),
        (vec![at(999, ada), elsewhere, at(1_000, ada)], None),
    ] {
        let expected = counts.map(|index: usize| sessions[index].clone());
        let case = Case {
            pad: GROUP_PAD,
            public: true,
            sessions,
            ..Case::default()
        };
        let grant = decided(&case).unwrap();
        let author = expected.as_ref().map(|session| session.author.as_str());
        assert_eq!(grant.author.unwrap().as_str(), author.unwrap_or(TOKEN));
        assert_eq!(grant.session, expected);
    }
}

#[test]
fn rights_of_users_and_the_rule_to_have_a_session() {
    check(
        Case {
            rights: Some(Rights::ReadOnly),
            ..Case::default()
        },
        Ok((TOKEN, true)),
    );
    check(
        Case {
            rights: Some(Rights::Modify),
            ..Case::default()
        },
        Ok((TOKEN, false)),
    );
    let new = || Case {
        exists: false,
        ..Case::default()
    };
    check(
        Case {
            rights: Some(Rights::Modify),
            ..new()
        },
        Err(Denial::MayNotCreate),
    );
    check(
        Case {
            rights: Some(Rights::Create),
            ..new()
        },
        Ok((TOKEN, false)),
    );
    let policy = Policy {
        require_session: true,
        ..Policy::default()
    };
    check(
        Case {
            policy,
            ..Case::default()
        },
        Err(Denial::NeedsSession),
    );
    check(
        Case {
            policy,
            public: true,
            pad: GROUP_PAD,
            ..Case::default()
        },
        Err(Denial::NeedsSession),
    );
}
