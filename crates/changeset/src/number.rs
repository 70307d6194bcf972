//! Numbers of the notation: base 36, lower case, at most 31 bits.

use crate::error::Error;

const LARGEST: u64 = i32::MAX as u64;

fn digit(unit: u16) -> Option<u64> {
    char::from_u32(u32::from(unit))
        .filter(|c| !c.is_ascii_uppercase())
        .and_then(|c| c.to_digit(36))
        .map(u64::from)
}

/// Reads the number that `units` starts with: its value and how many digits it took. `None` if
/// there is no digit. Larger values than 31 bits are refused, as nothing that long can exist.
pub(crate) fn leading_number(units: &[u16]) -> Result<Option<(usize, usize)>, Error> {
    let mut value = 0;
    let mut digits = 0;
    while let Some(next) = units.get(digits).copied().and_then(digit) {
        value = value * 36 + next;
        if value > LARGEST {
            return Err(Error::NumberTooLarge);
        }
        digits += 1;
    }
    Ok((digits > 0).then_some((value as usize, digits)))
}

/// Parses a whole string as a number.
pub fn parse_number(text: &str) -> Result<usize, Error> {
    let units: Vec<u16> = text.encode_utf16().collect();
    match leading_number(&units)? {
        Some((value, digits)) if digits == units.len() => Ok(value),
        _ => Err(Error::InvalidOp),
    }
}

pub fn print_number(value: usize) -> String {
    let mut out = Vec::new();
    push_number(&mut out, value);
    String::from_utf16_lossy(&out)
}

pub(crate) fn push_number(out: &mut impl Extend<u16>, mut value: usize) {
    // 13 digits hold the largest usize.
    let mut digits = [0; 13];
    let mut used = 0;
    for slot in digits.iter_mut().rev() {
        let digit = (value % 36) as u8;
        *slot = u16::from(if digit < 10 {
            b'0' + digit
        } else {
            b'a' + digit - 10
        });
        used += 1;
        value /= 36;
        if value == 0 {
            break;
        }
    }
    out.extend(digits.iter().skip(digits.len() - used).copied());
}
