//! How lists of attributes combine.

use crate::error::Error;
use crate::op::Attribs;
use crate::pool::{Attribute, Pool, cmp_units};

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
    let mut by_key: Vec<(&str, u32)> = Vec::new();
    for number in first.iter() {
        set(&mut by_key, &pool.resolve(number)?.key, number);
    }
    for number in second.iter() {
        let Attribute { key, value } = pool.resolve(number)?;
        if value.is_empty() && !is_mutation {
            by_key.retain(|(other, _)| other != key);
        } else {
            set(&mut by_key, key, number);
        }
    }
    by_key.sort_by(|a, b| cmp_units(a.0, b.0));
    Ok(by_key.into_iter().map(|(_, number)| number).collect())
}

fn set<'a>(by_key: &mut Vec<(&'a str, u32)>, key: &'a str, number: u32) {
    match by_key.iter_mut().find(|(other, _)| *other == key) {
        Some(entry) => entry.1 = number,
        None => by_key.push((key, number)),
    }
}

/// What remains of the restyling `second` when `first` has happened to the same text.
///
/// Of two values for one key the smaller one wins, whichever came first, so that both orders agree;
/// an equal value is already there.
pub fn follow_attribs(first: &Attribs, second: &Attribs, pool: &Pool) -> Result<Attribs, Error> {
    if second.is_empty() || first.is_empty() {
        return Ok(second.clone());
    }
    let mut rest = Vec::new();
    for number in second.iter() {
        rest.push((number, pool.resolve(number)?));
    }
    for number in first.iter() {
        let winner = pool.resolve(number)?;
        rest.retain(|(_, loser)| {
            loser.key != winner.key || cmp_units(&winner.value, &loser.value).is_gt()
        });
    }
    Ok(rest.into_iter().map(|(number, _)| number).collect())
}
