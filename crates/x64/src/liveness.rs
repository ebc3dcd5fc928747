//! Liveness: until where the values of a section live, and where they are used next.
//!
//! One pass forwards and one backwards fill flat tables that are used again. The next uses form a
//! stack, in the order in which operations are then compiled. A cast is no operation: its result is
//! another name of its operand (`canon`), in whatever kind of register that is.

use crate::locations::Loc;
use cranelift_entity::SecondaryMap;
use verdigris_backend::Section;
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Arg, OpArgs, Opcode, OptimisedOp, ValRef};

/// A position in the sequence of a section's operations, counted from 1. 0: nowhere.
pub(crate) type Pos = u32;

/// Never again.
pub(crate) const NEVER: Pos = u32::MAX;

/// A value of the section, and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    /// The value that it is another name of, or itself.
    pub(crate) canon: ValRef,
    /// Its next use by an operation or the section's end.
    pub(crate) next: Pos,
    /// Its last use, exits included; 0 if there is none.
    pub(crate) death: Pos,
    /// A general register that holds it.
    pub(crate) gpr: Loc,
    /// A vector register that holds it.
    pub(crate) xmm: Loc,
    /// A slot that holds it.
    pub(crate) slot: Loc,
    /// Where the label that it is passed to wants it.
    pub(crate) hint: Loc,
    /// Its word, if that is known.
    pub(crate) known: Option<u64>,
    /// Whether its next use is as a double.
    pub(crate) wants_xmm: bool,
    /// Its word of [`ValueTable::record`], from which exits read it, if it is a hole.
    pub(crate) hole: Option<u16>,
}

impl Default for Value {
    fn default() -> Self {
        Value {
            canon: ValRef::from_u32(0),
            next: NEVER,
            death: 0,
            gpr: Loc::NONE,
            xmm: Loc::NONE,
            slot: Loc::NONE,
            hint: Loc::NONE,
            known: None,
            wants_xmm: false,
            hole: None,
        }
    }
}

/// All values of the section that is being compiled.
#[derive(Default)]
pub(crate) struct ValueTable {
    pub(crate) map: SecondaryMap<ValRef, Value>,
    /// The record that exits read holes from, if the section has holes: that of its first one.
    pub(crate) record: Option<ValRef>,
    /// Next uses; the top belongs to the first operand of the next operation.
    uses: Vec<Pos>,
    /// The positions of calls, which change registers, the first on top.
    calls: Vec<Pos>,
}

/// Whether the result of an operation has the bits of its operand.
pub(crate) fn is_cast(op: OptimisedOp<'_>) -> bool {
    use DataOp::*;
    matches!(
        op.opcode(),
        Opcode::Data(
            WordFromInt
                | WordFromRef
                | WordFromFloat
                | IntFromWord
                | RefFromWord
                | FloatFromWord
                | FloatBits
                | FloatFromBits
        )
    )
}

/// Whether an operation makes no code and uses nothing.
fn is_nothing(op: OptimisedOp<'_>) -> bool {
    op.opcode() == Opcode::MergePoint || is_cast(op)
}

/// Whether an operand of this operation has to be in a vector register.
fn is_arithmetic(op: OptimisedOp<'_>) -> Option<bool> {
    match op.opcode() {
        Opcode::Data(data) if data.is_pure() => Some(data.params().contains(&Ty::Float)),
        Opcode::GuardTrue | Opcode::GuardFalse => Some(false),
        _ => None,
    }
}

impl ValueTable {
    /// Goes through a section. Forgets where values are.
    pub(crate) fn prepare(&mut self, section: &Section<'_>) {
        self.uses.clear();
        self.calls.clear();
        self.record = None;
        let fresh = |v: ValRef| Value {
            canon: v,
            ..Value::default()
        };
        for &v in section.params {
            self.map[v] = fresh(v);
        }
        for op in section.ops.iter() {
            match (is_cast(op), op.result()) {
                (true, Some(result)) => {
                    let known = match op.arg(0) {
                        Arg::Ref(v) => self.map[v].canon,
                        Arg::Const(_) => result,
                    };
                    self.map[result] = Value {
                        known: op.arg(0).as_const().map(|c| c.word()),
                        ..fresh(known)
                    };
                }
                _ => op.definitions().for_each(|v| self.map[v] = fresh(v)),
            }
            if let (Opcode::Hole, Some(result), Arg::Ref(record)) = (
                op.opcode(),
                op.result(),
                op.args().first().unwrap_or(Arg::NULL),
            ) {
                let canon = self.map[record].canon;
                // An exit reads words of one record. Those of others are ordinary values.
                if *self.record.get_or_insert(canon) == canon {
                    self.map[result].hole = hole_of(op);
                }
            }
        }
        let end = section.ops.len() as Pos + 1;
        let args = section.end.args().iter().rev();
        args.for_each(|&arg| self.used(arg, end));
        for (n, op) in section.ops.iter().enumerate().rev() {
            if self.is_nothing(op) {
                continue;
            }
            let pos = n as Pos + 1;
            for v in op.definitions() {
                let value = &mut self.map[v];
                value.death = value.death.max(pos);
            }
            let fail_args = op.fail_args();
            if let (Some(record), false) = (self.record, fail_args.is_empty()) {
                self.used_by_exit(op, record, pos);
            } else {
                for &v in fail_args {
                    let canon = self.map[v].canon;
                    let value = &mut self.map[canon];
                    value.death = value.death.max(pos);
                }
            }
            let kind = is_arithmetic(op);
            for arg in op.args().iter().rev() {
                self.used(arg, pos);
                if let (Some(kind), Arg::Ref(v)) = (kind, arg) {
                    let canon = self.map[v].canon;
                    self.map[canon].wants_xmm = kind;
                }
            }
            if is_call(op) {
                self.calls.push(pos);
            }
        }
    }

    /// Notes that an exit hands values over, where exits read holes from this record.
    fn used_by_exit(&mut self, op: OptimisedOp<'_>, record: ValRef, pos: Pos) {
        for &v in op.fail_args() {
            let canon = self.map[v].canon;
            let record = Some(record).filter(|_| self.map[canon].hole.is_some());
            // The values for a side are parameters there, and those that a call keeps are copied in
            // front of it.
            let needs_value = op.side().is_some() || op.opcode() == Opcode::GuardNotForced;
            let value = Some(canon).filter(|_| needs_value || record.is_none());
            for v in value.into_iter().chain(record) {
                let value = &mut self.map[v];
                value.death = value.death.max(pos);
            }
        }
    }

    /// Whether an operation makes no code and uses nothing. A hole that only exits ask for is one.
    pub(crate) fn is_nothing(&self, op: OptimisedOp<'_>) -> bool {
        let is_unused = |v: ValRef| self.map[v].next == NEVER && self.map[v].death == 0;
        is_nothing(op) || op.opcode() == Opcode::Hole && op.result().is_some_and(is_unused)
    }

    fn used(&mut self, arg: Arg, pos: Pos) {
        let Arg::Ref(v) = arg else { return };
        let canon = self.map[v].canon;
        let value = &mut self.map[canon];
        self.uses.push(value.next);
        value.next = pos;
        value.death = value.death.max(pos);
    }

    /// Advances to an operation: the next uses of its operands are those behind it.
    pub(crate) fn advance(&mut self, args: OpArgs<'_>) {
        for v in args.values() {
            let canon = self.map[v].canon;
            self.map[canon].next = self.uses.pop().expect("each use has been noted");
        }
    }

    /// The next call behind this place.
    pub(crate) fn next_call(&mut self, pos: Pos) -> Pos {
        while self.calls.last().is_some_and(|&call| call <= pos) {
            self.calls.pop();
        }
        self.calls.last().copied().unwrap_or(NEVER)
    }
}

/// The number of a hole's word in its record.
pub(crate) fn hole_of(op: OptimisedOp<'_>) -> Option<u16> {
    let word = op.args().constant(1)?.word();
    u16::try_from(word).ok()
}

/// Whether registers do not survive an operation.
fn is_call(op: OptimisedOp<'_>) -> bool {
    use DataOp::*;
    matches!(
        op.opcode(),
        Opcode::Call | Opcode::Data(FillItemsI | FillItemsR | FillItemsF | FillItemsW)
    )
}
