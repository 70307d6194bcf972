//! How lists of attributes combine.
//!
//! By sorting, never by comparing each with each: a list is as long as a sender likes.

use crate::error::Error;
use crate::op::Attribs;
use crate::pool::{Pool, cmp_units};

/// The attributes `first` changed by `second`.
///
/// With `is_mutation` the result is itself a change of kept text, where an empty value stays to
/// remove the key from whatever it meets. Otherwise it belongs to text, and the key is gone.
pub fn compose_attribs(
    first: &Attribs,
    second: &Attribs,
    is_mutation: bool,
    pool: &Pool,
) -> Result<Attribs, Error> {
    if first.is_empty() && is_mutation {
        return Ok(second.clone());
    }
    if second.is_empty() {
        return Ok(first.clone());
    }
    let mut list = Vec::new();
    for number in first.iter() {
        list.push((number, pool.resolve(number)?, false));
    }
    for number in second.iter() {
        let attribute = pool.resolve(number)?;
        let removes = attribute.value.is_empty() && !is_mutation;
        list.push((number, attribute, removes));
    }
    // The sort is stable: of several values for a key the last one comes last, and counts.
    list.sort_by(|a, b| cmp_units(&a.1.key, &b.1.key));
    list.dedup_by(|later, kept| {
        let same_key = later.1.key == kept.1.key;
        if same_key {
            *kept = *later;
        }
        same_key
    });
    let stays = list.into_iter().filter(|(_, _, removes)| !removes);
    Ok(stays.map(|(number, _, _)| number).collect())
}

/// What remains of the restyling `second` when `first` has happened to the same text.
///
/// Of two values for one key the smaller one wins, whichever came first, so that both orders agree;
/// an equal value is already there.
pub fn follow_attribs(first: &Attribs, second: &Attribs, pool: &Pool) -> Result<Attribs, Error> {
    if second.is_empty() || first.is_empty() {
        return Ok(second.clone());
    }
    let mut winners = Vec::new();
    for number in first.iter() {
        winners.push(pool.resolve(number)?);
    }
    winners.sort_by(|a, b| cmp_units(&a.key, &b.key).then_with(|| cmp_units(&a.value, &b.value)));
    let mut rest = Attribs::none();
    for number in second.iter() {
        let own = pool.resolve(number)?;
        let index = winners.partition_point(|other| cmp_units(&other.key, &own.key).is_lt());
        let stays = winners.get(index).is_none_or(|other| {
            other.key != own.key || cmp_units(&other.value, &own.value).is_gt()
        });
        if stays {
            rest.push(number);
        }
    }
    Ok(rest)
}
