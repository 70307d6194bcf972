//! The end of a certificate's life, read from its DER form.
//!
//! Only the way to `notAfter` is followed. Anything that does not look like a certificate has no
//! end that is known, and costs no more than its length.

const INTEGER: u8 = 0x02;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;

/// When a certificate expires, in milliseconds since 1970.
pub fn expiry(der: &[u8]) -> Option<i64> {
    let (certificate, _) = expect(der, SEQUENCE)?;
    let (mut fields, _) = expect(certificate, SEQUENCE)?;
    if let Some((_, rest)) = expect(fields, VERSION) {
        fields = rest;
    }
    // Serial number, algorithm of the signature, issuer.
    for tag in [INTEGER, SEQUENCE, SEQUENCE] {
        (_, fields) = expect(fields, tag)?;
    }
    let (validity, _) = expect(fields, SEQUENCE)?;
    let (_, _, rest) = element(validity)?;
    let (tag, time, _) = element(rest)?;
    match tag {
        UTC_TIME => {
            let (year, rest) = number(time, 2)?;
            // RFC 5280: two digits are of 1950 to 2049.
            moment(
                if year < 50 {
                    2_000 + year
                } else {
                    1_900 + year
                },
                rest,
            )
        }
        GENERALIZED_TIME => {
            let (year, rest) = number(time, 4)?;
            moment(year, rest)
        }
        _ => None,
    }
}

/// Tag, content and what follows it.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[tag, first], rest) = der.split_first_chunk::<2>()?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
        // Nothing here is as long as four bytes can say.
        if bytes.is_empty() || bytes.len() > 4 {
            return None;
        }
        let length = bytes
            .iter()
            .fold(0, |length, byte| length << 8 | usize::from(*byte));
        (length, rest)
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

fn expect(der: &[u8], wanted: u8) -> Option<(&[u8], &[u8])> {
    let (tag, content, rest) = element(der)?;
    (tag == wanted).then_some((content, rest))
}

fn number(text: &[u8], digits: usize) -> Option<(i64, &[u8])> {
    let (digits, rest) = text.split_at_checked(digits)?;
    let number = std::str::from_utf8(digits).ok()?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    Some((is_number.then(|| number.parse().ok())??, rest))
}

/// `MMDDHHMMSSZ` of a year.
fn moment(year: i64, text: &[u8]) -> Option<i64> {
    let (month, text) = number(text, 2)?;
    let (day, text) = number(text, 2)?;
    let (hour, text) = number(text, 2)?;
    let (minute, text) = number(text, 2)?;
    let (second, text) = number(text, 2)?;
    let is_real = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    if text != b"Z" || !is_real {
        return None;
    }
    let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
    Some(seconds * 1_000)
}

/// Days since 1970. Years begin in March here, so that a leap day is their last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // 719,468 days lie between the first of March of the year 0 and 1970.
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tagged(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = content.len();
        let head = match u8::try_from(length) {
            Ok(short @ 0..0x80) => vec![tag, short],
            _ => vec![tag, 0x82, (length >> 8) as u8, length as u8],
        };
        [head, content.to_vec()].concat()
    }

    fn certificate(has_version: bool, tag: u8, after: &str) -> Vec<u8> {
        let version = tagged(VERSION, &tagged(INTEGER, &[2]));
        let validity = [
            tagged(UTC_TIME, b"260101000000Z"),
            tagged(tag, after.as_bytes()),
        ];
        let fields = [
            if has_version { version } else { Vec::new() },
            tagged(INTEGER, &[7; 20]),
            tagged(SEQUENCE, &[]),
            tagged(SEQUENCE, &[0; 300]),
            tagged(SEQUENCE, &validity.concat()),
            tagged(SEQUENCE, &[0; 40]),
        ];
        tagged(SEQUENCE, &tagged(SEQUENCE, &fields.concat()))
    }

    #[test]
    fn the_end_is_read_in_both_forms() {
        for (tag, text, found) in [
            (UTC_TIME, "261118203000Z", Some("2026-11-18T20:30:00Z")),
            (UTC_TIME, "500101000000Z", Some("1950-01-01T00:00:00Z")),
            (UTC_TIME, "491231235959Z", Some("2049-12-31T23:59:59Z")),
            (
                GENERALIZED_TIME,
                "20520229120000Z",
                Some("2052-02-29T12:00:00Z"),
            ),
            (
                GENERALIZED_TIME,
                "99991231235959Z",
                Some("9999-12-31T23:59:59Z"),
            ),
            (UTC_TIME, "261318203000Z", None),
            (UTC_TIME, "2611182030Z", None),
            (UTC_TIME, "26111820300+Z", None),
            (0x13, "261118203000Z", None),
        ] {
            for has_version in [true, false] {
                let read = expiry(&certificate(has_version, tag, text));
                let read = read.map(series::iso_time);
                assert_eq!(read.as_deref(), found, "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn other_bytes_are_no_certificate_and_no_panic(
            mut der in Just(certificate(true, UTC_TIME, "261118203000Z")),
            changes in prop::collection::vec((0usize..400, any::<u8>()), 0..4),
            length in 0usize..500,
        ) {
            for (at, byte) in changes {
                if let Some(place) = der.get_mut(at) {
                    *place = byte;
                }
            }
            der.truncate(length);
            let _ = expiry(&der);
        }
    }
}
