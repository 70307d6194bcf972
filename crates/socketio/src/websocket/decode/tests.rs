//! The decoder against frames written by hand, in pieces of any size, and against noise.

use super::*;

/// A frame as a client writes it.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mask = [0x12, 0x34, 0x56, 0x78];
    let mut frame = vec![first];
    match payload.len() {
        length @ ..126 => frame.push(0x80 | length as u8),
        length @ ..=0xffff => {
            frame.push(0x80 | 126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(0x80 | 127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend(mask);
    frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(a, b)| a ^ b));
    frame
}

/// What comes out, as text, when the bytes come in pieces of this size.
fn decode(bytes: &[u8], piece: usize, max_payload: usize) -> Vec<String> {
    let mut decoder = Decoder::new(max_payload);
    let mut found = Vec::new();
    for piece in bytes.chunks(piece) {
        decoder.feed(piece);
        loop {
            found.push(match decoder.next() {
                Ok(None) => break,
                Ok(Some(Frame::Text(text))) => String::from_utf8(text.to_vec()).unwrap(),
                Ok(Some(Frame::Ping(payload))) => format!("ping {payload:?}"),
                Ok(Some(Frame::Pong)) => "pong".to_owned(),
                Ok(Some(Frame::Close)) => "close".to_owned(),
                Err(end) => {
                    found.push(format!("{end:?}"));
                    return found;
                }
            });
        }
        assert!(decoder.buffer.len() <= max_payload + piece.len() + 14);
    }
    found
}

#[track_caller]
fn check(frames: &[(u8, &str)], expected: &[&str]) {
    let bytes: Vec<u8> = frames
        .iter()
        .flat_map(|(first, payload)| frame(*first, payload.as_bytes()))
        .collect();
    for piece in [1, 2, 3, 7, 64, bytes.len()] {
        assert_eq!(decode(&bytes, piece, 100), expected, "pieces of {piece}");
    }
}

#[test]
fn messages_whole_and_in_parts() {
    check(&[(0x81, "40"), (0x81, ""), (0x81, "é")], &["40", "", "é"]);
    // A character and a ping may stand between the parts of a message.
    check(
        &[(0x01, "4"), (0x00, "2["), (0x89, "x"), (0x80, "]")],
        &["ping b\"x\"", "42[]"],
    );
    check(&[(0x8a, ""), (0x88, "")], &["pong", "close"]);
}

#[test]
fn a_character_may_be_cut_between_parts() {
    let mut bytes = frame(0x01, &[0xc3]);
    bytes.extend(frame(0x80, &[0xa9]));
    assert_eq!(decode(&bytes, 1, 100), ["é"]);
}

#[test]
fn frames_against_the_rules_end_the_connection() {
    for (first, payload) in [
        (0x80, ""),               // goes on with nothing
        (0x82, "x"),              // binary
        (0x83, "x"),              // reserved
        (0xc1, "x"),              // compressed
        (0x09, "x"),              // a ping in parts
        (0x8b, "x"),              // reserved control
        (0x89, &"x".repeat(126)), // a ping that is too long
    ] {
        check(&[(first, payload)], &["Invalid"]);
    }
    check(&[(0x01, "4"), (0x81, "2")], &["Invalid"]);
    assert_eq!(decode(&frame(0x81, &[0xff]), 1, 100), ["Invalid"]);
    // Not masked.
    assert_eq!(decode(&[0x81, 0x01, b'2'], 1, 100), ["Invalid"]);
}

#[test]
fn the_limit_is_for_the_message() {
    let full = "x".repeat(100);
    check(&[(0x81, &full)], &[&full]);
    check(&[(0x81, &"x".repeat(101))], &["TooLarge"]);
    check(&[(0x01, &full), (0x80, "")], &[&full]);
    check(&[(0x01, &full), (0x80, "x")], &["TooLarge"]);
    // Known from the header alone.
    let announced = [
        0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0,
    ];
    assert_eq!(decode(&announced, 14, 100), ["TooLarge"]);
}

#[test]
fn lengths_of_all_three_kinds() {
    for length in [0, 125, 126, 65_535, 65_536, 70_000] {
        let text = "x".repeat(length);
        let bytes = frame(0x81, text.as_bytes());
        assert_eq!(decode(&bytes, 8192, 100_000), [text]);
    }
}

#[test]
fn a_large_buffer_is_not_kept() {
    let mut decoder = Decoder::new(100_000);
    decoder.feed(&frame(0x81, &[b'x'; 90_000]));
    assert!(matches!(decoder.next(), Ok(Some(Frame::Text(_)))));
    assert!(decoder.buffer.capacity() <= KEPT);
}

#[test]
fn noise_never_panics_and_never_grows() {
    let mut state = 1_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as u8
    };
    for _ in 0..5000 {
        let bytes: Vec<u8> = (0..200)
            .map(|at| match at {
                // Something that gets past the first checks.
                0 => [0x81, 0x01, 0x89, 0x88][usize::from(random() % 4)],
                1 => 0x80 | random(),
                _ => random(),
            })
            .collect();
        decode(&bytes, 1 + usize::from(random()), 100);
    }
}
