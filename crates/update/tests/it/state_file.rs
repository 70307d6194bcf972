//! The state file: what is read, and what is refused.

use update::state::StateError;
use update::{Execution, State};

fn with_execution(execution: &str) -> Result<State, StateError> {
    State::read(&format!(r#"{{"schemaVersion":1,"execution":{execution}}}"#))
}

#[test]
fn an_older_file_is_filled_up_and_unknown_keys_survive() {
    let state = State::read(r#"{"schemaVersion":1,"future":{"a":1},"email":{}}"#).unwrap();
    assert_eq!(state.execution, Execution::Idle);
    assert_eq!((state.boot_count, &state.last_result), (0, &None));
    assert!(state.write().contains("\"future\""));
    assert_eq!(State::read(&state.write()).unwrap(), state);
}

#[test]
fn what_does_not_hold_together_is_refused() {
    for text in [
        "",
        "null",
        "[]",
        "{}",
        "{\"schemaVersion\":1",
        r#"{"schemaVersion":2}"#,
        r#"{"schemaVersion":1,"bootCount":-1}"#,
        r#"{"schemaVersion":1,"lastCheckAt":"yesterday"}"#,
        r#"{"schemaVersion":1,"latest":{"tag":"v1"}}"#,
        r#"{"schemaVersion":1,"lastResult":{"targetTag":"v1","fromSha":"","outcome":"odd",
            "reason":null,"at":"2026-01-01T00:00:00Z"}}"#,
    ] {
        assert!(State::read(text).is_err(), "{text}");
    }
    for execution in [
        r#"{}"#,
        r#"{"status":"dancing"}"#,
        r#"{"status":"scheduled","targetTag":"v1"}"#,
        r#"{"status":"verified","targetTag":"","verifiedAt":"2026-01-01T00:00:00Z"}"#,
        r#"{"status":"verified","targetTag":"v1","verifiedAt":"soon"}"#,
        r#"{"status":"executing","targetTag":"v1","startedAt":"2026-01-01T00:00:00Z"}"#,
    ] {
        assert!(with_execution(execution).is_err(), "{execution}");
    }
    let fine = r#"{"status":"verified","targetTag":"v1","verifiedAt":"2026-01-01T00:00:00Z"}"#;
    assert_eq!(with_execution(fine).unwrap().execution.status(), "verified");
}
