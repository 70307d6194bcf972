//! Values of JavaScript as text for people: log lines and the texts of errors.
//!
//! Looking at a value can run code of the plugin (getters, `toString`), which can throw or loop:
//! it is done within a slice, and what fails has a text too.

use rquickjs::{Coerced, Ctx, Object, Value};

use crate::limits;
use crate::state::cut;
use crate::well_formed::well_formed;

const UNSHOWABLE: &str = "(a value that cannot be shown)";

/// The JSON of a value: `None` for what has none, such as a function.
pub(crate) fn json<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> rquickjs::Result<Option<String>> {
    let json = ctx.json_stringify(value)?;
    let json = json.map(|text| text.to_string()).transpose()?;
    Ok(json.map(well_formed))
}

/// A value in a log line: texts as they are, the rest as JSON.
pub(crate) fn log_text<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> String {
    if value.is_error() {
        return exception(ctx, value);
    }
    let text = text(ctx, value).or_else(|| {
        let json = json(ctx, value.clone()).ok().flatten();
        json.or_else(|| value.get::<Coerced<String>>().ok().map(|text| text.0))
    });
    clear_exception(ctx);
    text.unwrap_or_else(|| UNSHOWABLE.to_owned())
}

/// What was thrown: an error with its place, or any value.
pub(crate) fn exception<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> String {
    if value.is_null() {
        // The engine throws it too, when there is no memory left for an error.
        return "null was thrown, or out of memory".to_owned();
    }
    let object = value.as_object().filter(|_| value.is_error());
    let shown = match object {
        Some(error) => error_text(ctx, error),
        None => log_text(ctx, value),
    };
    clear_exception(ctx);
    cut(shown.trim_end(), limits::ERROR)
}

fn error_text<'js>(ctx: &Ctx<'js>, error: &Object<'js>) -> String {
    let part = |name: &str| {
        let value = error.get::<_, Value>(name).ok();
        let found = value.and_then(|value| text(ctx, &value));
        clear_exception(ctx);
        found.unwrap_or_default()
    };
    let (name, message, stack) = (part("name"), part("message"), part("stack"));
    let name = if name.is_empty() { "Error" } else { &name };
    let mut shown = cut(&format!("{name}: {message}"), limits::ERROR / 2);
    for line in stack.lines().take(5) {
        shown.push('\n');
        shown.push_str(line);
    }
    shown
}

/// A string of JavaScript, by way of JSON: it may hold half a surrogate pair.
pub(crate) fn text<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Option<String> {
    if !value.is_string() {
        return None;
    }
    let json = json(ctx, value.clone()).ok().flatten()?;
    serde_json::from_str(&json).ok()
}

/// What looking has thrown must not be found by the next who asks.
fn clear_exception(ctx: &Ctx<'_>) {
    drop(ctx.catch());
}
