//! Describes an operation whose result cannot be known, and the remedy, naming the field or
//! function.

use verdigris_graph::{GraphDescr, GraphOp, GraphOpcode};
use verdigris_ops::{DataOp, Descrs, Effect, FieldId, FnId, FnKind};

/// The description of an operation, and the remedy; `name` is the user's name of the result.
pub fn of(descrs: &Descrs, op: &GraphOp, name: &str) -> (String, String) {
    match (op.code, op.descr) {
        (_, GraphDescr::Field(id)) => field(descrs, id),
        (_, GraphDescr::Fn(id)) => called(descrs, id),
        (GraphOpcode::Data(data), _) if data.effect() == Effect::Alloc => made(data),
        (GraphOpcode::Data(_), GraphDescr::Class(_)) => (
            "the items of this array are `Cell`s: they can change".to_string(),
            "`promote` the value, or make it an array without `Cell` if nothing ever sets its items"
                .to_string(),
        ),
        _ => (
            format!("{name} is known only when the program runs"),
            "`promote` the value".to_string(),
        ),
    }
}

fn field(descrs: &Descrs, id: FieldId) -> (String, String) {
    let name = &descrs.fields[id].name;
    let help = format!(
        "`promote` the value, or make the field `{name}` a plain one if nothing ever sets it"
    );
    (format!("`{name}` is a `Cell`: it can change"), help)
}

fn called(descrs: &Descrs, id: FnId) -> (String, String) {
    let info = &descrs.fns[id];
    let name = &info.name;
    let why = match info.kind {
        FnKind::Portal | FnKind::Runner => "is the portal, whose result",
        _ => "is opaque: its result",
    };
    let help = format!(
        "`promote` the result, or mark `{name}` `#[elidable]` if it depends on its arguments alone"
    );
    (
        format!("`{name}` {why} is known only when the program runs"),
        help,
    )
}

fn made(op: DataOp) -> (String, String) {
    let (what, or) = match op {
        DataOp::New => ("object", ""),
        _ => ("array", ", or use what it was made from"),
    };
    (
        format!("this {what} is made when the program runs"),
        format!("`promote` what is read from the {what}{or}"),
    )
}
