//! `name=value&name=value`, in a query or a body.
//!
//! Bytes may be escaped as `%41` and spaces as `+`; what is not escaped stands for itself, also
//! beyond ASCII. A `%` that begins no escape is a percent sign.

use service::api::Argument;

use super::{Fields, Unreadable};

pub(super) fn read(text: &[u8], fields: &mut Fields) -> Result<(), Unreadable> {
    for field in text
        .split(|&byte| byte == b'&')
        .filter(|field| !field.is_empty())
    {
        let at = field.iter().position(|&byte| byte == b'=');
        let (name, value) = match at {
            Some(at) => {
                let (name, value) = field.split_at(at);
                (name, value.get(1..).unwrap_or_default())
            }
            None => (field, &[][..]),
        };
        let name = text_of(name).ok_or(Unreadable::NotUtf8(None))?;
        match text_of(value) {
            Some(value) => fields.push(name, Argument::Text(value))?,
            None => return Err(Unreadable::NotUtf8(Some(name))),
        }
    }
    Ok(())
}

fn text_of(escaped: &[u8]) -> Option<String> {
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped;
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, behind @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high * 16 + low);
                    rest = behind;
                }
                _ => bytes.push(b'%'),
            },
            _ => bytes.push(*first),
        }
    }
    String::from_utf8(bytes).ok()
}

fn digit(letter: u8) -> Option<u8> {
    let value = char::from(letter).to_digit(16)?;
    u8::try_from(value).ok()
}
