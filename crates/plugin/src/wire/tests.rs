//! Frames in pieces, broken frames, and messages as they are on the pipe.

use proptest::prelude::*;

use super::*;

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap()
}

fn decode(bytes: &[u8], piece: usize) -> (Vec<String>, Option<FrameError>) {
    let mut decoder = Decoder::<serde_json::Value>::default();
    let mut messages = Vec::new();
    for piece in bytes.chunks(piece) {
        decoder.push(piece);
        loop {
            match decoder.next_message() {
                Ok(Some(message)) => messages.push(message.to_string()),
                Ok(None) => break,
                Err(error) => return (messages, Some(error)),
            }
        }
    }
    (messages, None)
}

#[test]
fn messages_are_json_with_a_length() {
    let messages = [
        (
            encode(&ToWorker::Hook {
                id: 7,
                hook: Hook::ChatMessage,
                now: 5,
                args: raw(r#"{"text":"a"}"#),
            }),
            r#"{"hook":{"id":7,"hook":"chatMessage","now":5,"args":{"text":"a"}}}"#,
        ),
        (
            encode(&ToWorker::Answer {
                id: 1,
                result: Err("no".into()),
            }),
            r#"{"answer":{"id":1,"result":{"Err":"no"}}}"#,
        ),
        (encode(&ToWorker::Stop), r#""stop""#),
        (
            encode(&FromWorker::Call {
                id: 2,
                function: Function::PadsGetText,
                args: raw(r#"["p"]"#),
            }),
            r#"{"call":{"id":2,"function":"pads.getText","args":["p"]}}"#,
        ),
    ];
    for (bytes, json) in messages {
        let bytes = bytes.unwrap();
        let (length, rest) = bytes.split_at(4);
        assert_eq!(length, (json.len() as u32).to_le_bytes());
        assert_eq!(std::str::from_utf8(rest).unwrap(), json);
    }
}

#[test]
fn what_a_plugin_says_passes_as_it_is() {
    // Too deep for a reader of values, and half a surrogate pair: neither breaks the frame.
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    for json in [deep.as_str(), r#""\ud83d""#, "1e999"] {
        let sent = FromWorker::Settled {
            id: 1,
            result: Ok(raw(json)),
            micros: 1,
            memory: 1,
        };
        let mut decoder = Decoder::<FromWorker>::default();
        decoder.push(&encode(&sent).unwrap());
        let Ok(Some(FromWorker::Settled { result: Ok(it), .. })) = decoder.next_message() else {
            panic!("{}", &json[..6]);
        };
        assert_eq!(it.get(), json);
        assert!(decoder.is_between_messages());
    }
}

#[test]
fn broken_frames_are_errors() {
    for (bytes, part) in [
        (&[0xff; 4][..], "a message of 4294967295 bytes"),
        (&[1, 0, 64, 0][..], "a message of 4194305 bytes"),
        (&[0, 0, 0, 0][..], "not understood: EOF"),
        (&[2, 0, 0, 0, b'{', b'x'][..], "not understood"),
        (&[2, 0, 0, 0, 0xff, 0xfe][..], "not understood"),
        (&[3, 0, 0, 0, b'{', b'}', b'}'][..], "trailing characters"),
    ] {
        let (messages, error) = decode(bytes, 1);
        assert!(messages.is_empty());
        let error = error.unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
    for json in [
        r#"{"stop":1}"#,
        r#"{"call":{"id":2,"function":"fs.read","args":[]}}"#,
        r#"{"call":{"id":-2,"function":"pads.getText","args":[]}}"#,
        r#"{"log":{"level":"info","text":"a","more":1}}"#,
        r#"{"reboot":{}}"#,
        "[]",
    ] {
        let mut decoder = Decoder::<FromWorker>::default();
        decoder.push(&(json.len() as u32).to_le_bytes());
        decoder.push(json.as_bytes());
        assert!(decoder.next_message().is_err(), "{json}");
    }
}

#[test]
fn long_messages_are_not_encoded() {
    let fits = "x".repeat(FRAME - 2);
    assert_eq!(encode(&fits).unwrap().len(), FRAME + 4);
    let error = encode(&format!("{fits}x")).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("a message of {} bytes, more than {FRAME}", FRAME + 1)
    );
}

proptest! {
    #[test]
    fn pieces_do_not_matter(texts in prop::collection::vec(".{0,20}", 0..8), piece in 1usize..40) {
        let bytes: Vec<u8> = texts.iter().flat_map(|text| encode(text).unwrap()).collect();
        let (messages, error) = decode(&bytes, piece);
        prop_assert!(error.is_none());
        let texts: Vec<String> = texts.iter().map(|text| serde_json::to_string(text).unwrap())
            .collect();
        prop_assert_eq!(messages, texts);
    }

    #[test]
    fn no_bytes_break_the_decoder(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        decode(&bytes, 7);
    }
}
