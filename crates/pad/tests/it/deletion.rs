//! Who may delete a pad: a table of situations.

use pad::access::Role;
use pad::{AuthorId, Deleter, DeletionToken};

#[test]
fn a_pad_is_deleted_by_those_who_may() {
    let token = DeletionToken::random([1, 2]);
    let (right, wrong) = (Some(token.as_str()), Some("wrong"));
    let member = |role, token| Deleter::Member { role, token };
    let anonymous = |token| Deleter::Anonymous { token };
    // Usually, and where everybody may delete every pad.
    for (deleter, usually, by_all) in [
        (Deleter::Trusted, true, true),
        (anonymous(None), false, true),
        (anonymous(wrong), false, true),
        (anonymous(right), true, true),
        (member(Role::Reader, None), false, false),
        (member(Role::Reader, right), false, false),
        (member(Role::Writer, None), false, true),
        (member(Role::Writer, wrong), false, true),
        (member(Role::Writer, right), true, true),
        (member(Role::Creator, None), true, true),
        (member(Role::Creator, wrong), false, true),
        (member(Role::Creator, right), true, true),
    ] {
        let hash = token.hash();
        assert_eq!(
            deleter.may_delete(Some(&hash), false),
            usually,
            "{deleter:?}"
        );
        assert_eq!(deleter.may_delete(Some(&hash), true), by_all, "{deleter:?}");
    }
    assert!(!anonymous(right).may_delete(None, false));
}

#[test]
fn the_author_of_the_first_revision_is_the_creator() {
    let [ada, bob] = [1, 2].map(AuthorId::random);
    for (author, creator, read_only, role) in [
        (&ada, Some(&ada), false, Role::Creator),
        (&ada, Some(&ada), true, Role::Reader),
        (&bob, Some(&ada), false, Role::Writer),
        (&bob, None, false, Role::Writer),
        (&bob, None, true, Role::Reader),
    ] {
        assert_eq!(Role::of(author, creator, read_only), role);
    }
}
