//! Which operations can be folded.

use verdigris_graph::{Control, GraphDescr, GraphOp, GraphOpcode};
use verdigris_ops::{DataOp, Descrs, Effect, FnKind};

/// Whether an operation can be done by the compiler.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Folds {
    /// Its result is known in any case.
    Known,
    /// If its arguments are known.
    OnGreens,
    /// It has to be done when the program runs.
    Never,
}

/// Whether an operation other than a call of a traced function can be folded.
pub fn folds(descrs: &Descrs, op: &GraphOp) -> Folds {
    let on_greens = |yes| if yes { Folds::OnGreens } else { Folds::Never };
    match (op.code, op.descr) {
        (GraphOpcode::Data(DataOp::ArrayLen | DataOp::HasClass), _) => Folds::OnGreens,
        (GraphOpcode::Data(data), descr) => match (data.effect(), descr) {
            (Effect::Pure, _) => Folds::OnGreens,
            (Effect::Read, GraphDescr::Field(field)) => on_greens(descrs.fields[field].immutable),
            (Effect::Read, GraphDescr::Class(class)) => on_greens(descrs.item(class).2),
            _ => Folds::Never,
        },
        // What the tracer knows of a value, it knows while it records.
        (GraphOpcode::Control(Control::Promote | Control::IsConstant | Control::IsVirtual), _) => {
            Folds::Known
        }
        (GraphOpcode::Control(Control::Concrete), _) => Folds::OnGreens,
        (_, GraphDescr::Fn(callee)) if descrs.fns[callee].kind == FnKind::Recorded => Folds::Known,
        (_, GraphDescr::Fn(callee)) => on_greens(descrs.fns[callee].kind == FnKind::Elidable),
        _ => Folds::Never,
    }
}
