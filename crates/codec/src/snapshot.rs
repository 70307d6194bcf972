//! A document as compressed bytes: the different lists of attributes, which of them each stretch
//! has, how long the stretches are, and the text.

use std::collections::HashMap;

use changeset::{Attribs, Document, Op, OpKind, Text, count_newlines};

use super::bytes::{Reader, put_size};
use super::changes::{put_attribs, take_attribs};
use super::{Malformed, squeeze, wtf8};

pub fn encode_snapshot(document: &Document) -> Vec<u8> {
    let mut lists: Vec<&Attribs> = Vec::new();
    let mut known: HashMap<&Attribs, usize> = HashMap::new();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut text = Text::with_capacity(document.len());
    for piece in document.pieces(0..document.len()) {
        text.push_units(piece.units);
        let list = *known.entry(piece.attribs).or_insert_with(|| {
            lists.push(piece.attribs);
            lists.len() - 1
        });
        match runs.last_mut() {
            Some((last, chars)) if *last == list => *chars += piece.units.len(),
            _ => runs.push((list, piece.units.len())),
        }
    }
    let mut raw = Vec::with_capacity(text.len() + 4 * runs.len());
    put_size(&mut raw, lists.len());
    lists.iter().for_each(|list| put_attribs(&mut raw, list));
    put_size(&mut raw, runs.len());
    runs.iter().for_each(|&(list, _)| put_size(&mut raw, list));
    runs.iter()
        .for_each(|&(_, chars)| put_size(&mut raw, chars));
    wtf8::encode(&text, &mut raw);
    squeeze::compress(&raw)
}

pub fn decode_snapshot(bytes: &[u8]) -> Result<Document, Malformed> {
    let raw = squeeze::expand(bytes)?;
    let mut reader = Reader::new(&raw);
    let mut lists = Vec::new();
    for _ in 0..reader.count()? {
        lists.push(take_attribs(&mut reader)?);
    }
    let mut runs = Vec::new();
    for _ in 0..reader.count()? {
        let list = lists.get(reader.size()?);
        let list = list.ok_or(Malformed("a list of attributes is missing"))?;
        runs.push(Op::new(OpKind::Insert, 0, 0, list.clone()));
    }
    for run in &mut runs {
        run.chars = reader.size()?;
    }
    let text = wtf8::decode(reader.rest())?;
    let mut rest = text.as_slice();
    for run in &mut runs {
        let (units, after) = rest
            .split_at_checked(run.chars)
            .ok_or(Malformed("characters are missing"))?;
        run.lines = count_newlines(units);
        rest = after;
    }
    Document::from_atext(&text, &runs).map_err(|_| Malformed("characters are left over"))
}
