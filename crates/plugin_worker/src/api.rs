//! What a plugin's script finds: `padsvc`, `console`, and JavaScript without what reaches out.

use std::cell::RefCell;
use std::rc::Rc;

use plugin::functions::FUNCTIONS;
use plugin::wire::{LogLevel, Outcome, Start};
use plugin::{Function, Hook, Reason};
use rquickjs::function::{Opt, Rest};
use rquickjs::object::Property;
use rquickjs::{Ctx, Exception, Function as JsFunction, Object, Persistent, Result, Value};
use serde_json::value::RawValue;

use crate::state::{Callback, State, Waiting, cut};
use crate::{describe, limits};

pub(crate) type SharedState = Rc<RefCell<State>>;

/// The arguments of a call, or why they are not sent.
type Arguments = std::result::Result<Box<RawValue>, &'static str>;

const PRELUDE: &str = include_str!("prelude.js");

/// Sets up the globals, and gives the function that calls handlers.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, state: &SharedState, start: &Start) -> Result<Callback> {
    let globals = ctx.globals();
    let prelude: JsFunction = ctx.eval(PRELUDE)?;
    let shared = Rc::clone(state);
    // Exact: it is below 2^53 for as long as anybody counts milliseconds.
    let now = JsFunction::new(ctx.clone(), move || shared.borrow().now as f64)?;
    let prelude: Object = prelude.call((now,))?;
    let seal: JsFunction = prelude.get("seal")?;

    let padsvc = Object::new(ctx.clone())?;
    padsvc.set("name", start.name.as_str())?;
    padsvc.set("settings", ctx.json_parse(start.settings.get())?)?;
    padsvc.set("on", on(ctx, state)?)?;
    padsvc.set("text", text(ctx, state)?)?;
    for row in FUNCTIONS {
        let Some((group, name)) = row.name.split_once('.') else {
            continue;
        };
        if !padsvc.contains_key(group)? {
            padsvc.set(group, Object::new(ctx.clone())?)?;
        }
        let group: Object = padsvc.get(group)?;
        group.set(name, function(ctx, state, row.function)?.with_name(name)?)?;
    }
    define(&globals, "padsvc", seal.call((padsvc,))?)?;

    let console = Object::new(ctx.clone())?;
    for (name, level) in [
        ("debug", LogLevel::Debug),
        ("log", LogLevel::Info),
        ("info", LogLevel::Info),
        ("warn", LogLevel::Warn),
        ("error", LogLevel::Error),
    ] {
        console.set(name, log(ctx, state, level)?.with_name(name)?)?;
    }
    define(&globals, "console", seal.call((console,))?)?;
    let invoke: JsFunction = prelude.get("invoke")?;
    Ok(Persistent::save(ctx, invoke))
}

/// A global that no script replaces by mistake.
fn define<'js>(globals: &Object<'js>, name: &str, value: Value<'js>) -> Result<()> {
    globals.prop(name, Property::from(value).enumerable())
}

/// `padsvc.on(hook, handler)`.
fn on<'js>(ctx: &Ctx<'js>, state: &SharedState) -> Result<JsFunction<'js>> {
    let state = Rc::clone(state);
    JsFunction::new(
        ctx.clone(),
        move |ctx: Ctx<'js>, hook: Opt<Value<'js>>, handler: Opt<Value<'js>>| -> Result<()> {
            let name = hook.0.and_then(|it| describe::text(&ctx, &it));
            let name = name.unwrap_or_default();
            let Ok(hook) = name.parse::<Hook>() else {
                let message = format!("there is no hook called {name}");
                return Err(Exception::throw_type(&ctx, &message));
            };
            let Some(handler) = handler.0.and_then(Value::into_function) else {
                let message = format!("the handler of {name} is not a function");
                return Err(Exception::throw_type(&ctx, &message));
            };
            let mut state = state.borrow_mut();
            if state.is_started {
                let message = "handlers are set while the script runs for the first time";
                return Err(Exception::throw_message(&ctx, message));
            }
            if state.handlers.contains_key(&hook) {
                let message = format!("{name} has a handler already");
                return Err(Exception::throw_message(&ctx, &message));
            }
            state.handlers.insert(hook, Persistent::save(&ctx, handler));
            Ok(())
        },
    )
}

/// `padsvc.text(key, language)`.
fn text<'js>(ctx: &Ctx<'js>, state: &SharedState) -> Result<JsFunction<'js>> {
    let state = Rc::clone(state);
    JsFunction::new(
        ctx.clone(),
        move |ctx: Ctx<'js>, key: Opt<Value<'js>>, language: Opt<Value<'js>>| -> String {
            let key = key.0.and_then(|it| describe::text(&ctx, &it));
            let language = language.0.and_then(|it| describe::text(&ctx, &it));
            state.borrow().text(
                key.as_deref().unwrap_or_default(),
                language.as_deref().unwrap_or("en"),
            )
        },
    )
}

fn log<'js>(ctx: &Ctx<'js>, state: &SharedState, level: LogLevel) -> Result<JsFunction<'js>> {
    let state = Rc::clone(state);
    JsFunction::new(
        ctx.clone(),
        move |ctx: Ctx<'js>, values: Rest<Value<'js>>| {
            if !state.borrow().may_log() {
                return;
            }
            // Looking at values runs code of the plugin, so nothing is borrowed meanwhile.
            let shown = |value| cut(&describe::log_text(&ctx, value), limits::LOG_LINE);
            let texts: Vec<String> = values.0.iter().take(20).map(shown).collect();
            state.borrow_mut().log(level, &texts.join(" "));
        },
    )
}

/// A function of the service: a promise that the answer settles.
fn function<'js>(
    ctx: &Ctx<'js>,
    state: &SharedState,
    function: Function,
) -> Result<JsFunction<'js>> {
    let state = Rc::clone(state);
    JsFunction::new(
        ctx.clone(),
        move |ctx: Ctx<'js>, values: Rest<Value<'js>>| -> Result<Value<'js>> {
            let (promise, resolve, reject) = ctx.promise()?;
            let arguments = arguments(&ctx, values.0)?;
            let admitted = arguments.and_then(|json| {
                state.borrow_mut().admit_call(json.get().len())?;
                Ok(json)
            });
            match admitted {
                Ok(arguments) => {
                    let waiting = Waiting {
                        resolve: Persistent::save(&ctx, resolve),
                        reject: Persistent::save(&ctx, reject),
                    };
                    let mut state = state.borrow_mut();
                    state.send_call(function, arguments, waiting);
                }
                Err(reason) => {
                    let reason = format!("{function}: {reason}");
                    let error = Exception::from_message(ctx.clone(), &reason)?;
                    reject.call::<_, ()>((error,))?;
                }
            }
            Ok(promise.into_value())
        },
    )
}

/// The JSON of a call's arguments; no longer than anything that is sent.
fn arguments<'js>(ctx: &Ctx<'js>, values: Vec<Value<'js>>) -> Result<Arguments> {
    // Built as text: an array would be at the mercy of what a plugin does to `Array.prototype`.
    let mut list = String::from("[");
    for value in values {
        if list.len() > 1 {
            list.push(',');
        }
        list.push_str(describe::json(ctx, value)?.as_deref().unwrap_or("null"));
        if list.len() > limits::ARGUMENTS {
            return Ok(Err("the arguments are too long"));
        }
    }
    list.push(']');
    Ok(RawValue::from_string(list).map_err(|_| "the arguments are no JSON"))
}

/// JSON to send.
pub(crate) fn raw(json: String) -> Outcome {
    RawValue::from_string(json).map_err(Reason::of)
}

pub(crate) fn null() -> Outcome {
    raw("null".to_owned())
}
