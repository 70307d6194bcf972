//! Pools and documents between JSON and the crate's types.

use changeset::{Attribute, Document, Op, OpKind, Pool, Text, parse_ops};
use serde_json::{Value, json};

pub(crate) fn text(value: &Value) -> Text {
    Text::from(string(value))
}

pub(crate) fn string(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("not a string: {value}"))
}

pub(crate) fn number(value: &Value) -> usize {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("not a number: {value}")) as usize
}

pub(crate) fn attribute(value: &Value) -> Attribute {
    Attribute::new(string(&value[0]), string(&value[1]))
}

pub(crate) fn pool(value: &Value) -> Pool {
    let entries = value["numToAttrib"]
        .as_object()
        .expect("a pool has numToAttrib");
    let entries = entries
        .iter()
        .map(|(number, pair)| (number.parse().unwrap(), attribute(pair)));
    Pool::from_entries(entries, value["nextNum"].as_u64().unwrap_or(0) as u32)
}

pub(crate) fn pool_to_json(pool: &Pool) -> Value {
    let entries: serde_json::Map<String, Value> = pool
        .entries()
        .map(|(number, attribute)| (number.to_string(), json!([attribute.key, attribute.value])))
        .collect();
    json!({ "numToAttrib": entries, "nextNum": pool.next_number() })
}

pub(crate) fn document(value: &Value) -> Document {
    let attribution = parse_ops(string(&value["attribs"])).unwrap();
    Document::from_atext(&text(&value["text"]), &attribution).unwrap()
}

pub(crate) fn atext(document: &Document) -> Value {
    json!({ "text": document.text().to_string(), "attribs": document.attribs() })
}

pub(crate) fn op(value: &Value) -> Option<Op> {
    let kind = match string(&value["opcode"]) {
        "=" => OpKind::Keep,
        "+" => OpKind::Insert,
        "-" => OpKind::Delete,
        _ => return None,
    };
    let attribs = format!("{}+1", string(&value["attribs"]));
    let attribs = parse_ops(&attribs).unwrap().remove(0).attribs;
    Some(Op::new(
        kind,
        number(&value["chars"]),
        number(&value["lines"]),
        attribs,
    ))
}

pub(crate) fn op_to_json(op: &Op) -> Value {
    let opcode = match op.kind {
        OpKind::Keep => "=",
        OpKind::Insert => "+",
        OpKind::Delete => "-",
    };
    let attribs: String = op
        .attribs
        .iter()
        .map(|n| format!("*{}", changeset::print_number(n as usize)))
        .collect();
    json!({ "opcode": opcode, "chars": op.chars, "lines": op.lines, "attribs": attribs })
}
