//! Which values of a block are needed until when, and which results need no variable: a comparison
//! that only the guard behind it looks at becomes a branch, and a result that only the next
//! operation takes, first, stays on the stack.

use crate::lower::compare::is_comparison;
use rustc_hash::FxHashMap;
use verdigris_layered::{BlockEnd, GuardLink, MethodStep};
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, Opcode, OptimisedOp, ValRef};

/// The uses of the values of a block.
#[derive(Default)]
pub(super) struct Uses {
    /// By step, the values that are not needed behind it.
    pub(super) last: Vec<Vec<ValRef>>,
    /// How often each value is used.
    counts: FxHashMap<ValRef, u32>,
    /// By step, what becomes of its result.
    pub(super) results: Vec<ResultPlace>,
}

/// What becomes of the result of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ResultPlace {
    /// It is put in a variable, if it is needed.
    Variable,
    /// It is left on the stack for the next step.
    Stack,
    /// The next step computes it.
    Branch,
}

impl Uses {
    /// The uses in the steps of a block. Tests in front of guards stay values if `apart`.
    pub(super) fn new(steps: &[MethodStep<'_>], end: &BlockEnd, apart: bool) -> Uses {
        let mut uses = Uses::default();
        for step in steps {
            visit(step, |value| *uses.counts.entry(value).or_default() += 1);
        }
        for value in end_args(end).iter().filter_map(|arg| arg.as_ref()) {
            *uses.counts.entry(value).or_default() += 1;
        }
        for (n, step) in steps.iter().enumerate() {
            let place = uses.result_place(step, steps.get(n + 1), apart);
            uses.results.push(place);
        }
        uses.find_last(steps, end);
        uses
    }

    /// Whether a value is used at all.
    pub(super) fn is_used(&self, value: ValRef) -> bool {
        self.counts.contains_key(&value)
    }

    fn result_place(
        &self,
        step: &MethodStep<'_>,
        next: Option<&MethodStep<'_>>,
        apart: bool,
    ) -> ResultPlace {
        let (MethodStep::Compute(op), Some(next)) = (step, next) else {
            return ResultPlace::Variable;
        };
        let (Some(result), Opcode::Data(data)) = (op.result(), op.opcode()) else {
            return ResultPlace::Variable;
        };
        if self.counts.get(&result) != Some(&1) {
            return ResultPlace::Variable;
        }
        match next {
            MethodStep::Guard(guard, _)
                if apart || guard.args().first() != Some(Arg::Ref(result)) =>
            {
                ResultPlace::Variable
            }
            MethodStep::Guard(guard, _) => match guard.opcode() {
                Opcode::GuardTrue | Opcode::GuardFalse if is_comparison(data) => {
                    ResultPlace::Branch
                }
                Opcode::GuardTrue | Opcode::GuardFalse if leaves_on_stack(data) => {
                    ResultPlace::Stack
                }
                _ => ResultPlace::Variable,
            },
            MethodStep::Compute(next) => match next.opcode() {
                Opcode::Data(taker)
                    if next.args().first() == Some(Arg::Ref(result))
                        && leaves_on_stack(data)
                        && takes_from_stack(taker) =>
                {
                    ResultPlace::Stack
                }
                _ => ResultPlace::Variable,
            },
            MethodStep::Call { .. } => ResultPlace::Variable,
        }
    }

    fn find_last(&mut self, steps: &[MethodStep<'_>], end: &BlockEnd) {
        let mut last: FxHashMap<ValRef, usize> = FxHashMap::default();
        for (n, step) in steps.iter().enumerate() {
            // What a branch compares is needed where the branch is.
            let at = n + usize::from(self.results[n] == ResultPlace::Branch);
            visit(step, |value| {
                last.insert(value, at);
            });
        }
        for value in end_args(end).iter().filter_map(|arg| arg.as_ref()) {
            last.insert(value, steps.len());
        }
        self.last.resize(steps.len() + 1, Vec::new());
        for (value, n) in last {
            self.last[n].push(value);
        }
        // The order of a map must not decide which variable is used again.
        self.last
            .iter_mut()
            .for_each(|values| values.sort_unstable());
    }
}

/// The values that a block's end passes on.
pub(super) fn end_args(end: &BlockEnd) -> &[Arg] {
    match end {
        BlockEnd::Goto(_, args) | BlockEnd::Finish(args) | BlockEnd::Thread(args) => args,
        BlockEnd::Leave => &[],
    }
}

/// The value that is 0 if the guard fails.
pub(super) fn zero_behind(guard: OptimisedOp<'_>, link: &GuardLink<'_>) -> Option<ValRef> {
    match guard.opcode() {
        Opcode::GuardTrue if !is_forced(link) => guard.arg(0).as_ref(),
        _ => None,
    }
}

fn visit(step: &MethodStep<'_>, mut use_of: impl FnMut(ValRef)) {
    match step {
        MethodStep::Compute(op) | MethodStep::Call { op, .. } => {
            op.args().values().for_each(use_of);
        }
        MethodStep::Guard(op, link) => {
            op.args().values().for_each(&mut use_of);
            let zero = zero_behind(*op, link);
            let others = op.fail_args().iter().filter(|&&value| Some(value) != zero);
            others.for_each(|&value| use_of(value));
        }
    }
}

/// Whether the operation's code ends with its result on the stack.
fn leaves_on_stack(data: DataOp) -> bool {
    use DataOp::*;
    let in_memory = matches!(
        data,
        GetFieldI | GetFieldR | GetFieldF | GetFieldW | ArrayLen
    );
    let in_items = matches!(data, GetItemI | GetItemR | GetItemF | GetItemW);
    in_memory || in_items || (data.is_pure() && !matches!(data, UintAtMost | FloatToInt))
}

/// Whether the operation's code begins by pushing its first argument, and pushes it once.
fn takes_from_stack(data: DataOp) -> bool {
    use DataOp::*;
    matches!(
        data,
        IntAdd
            | IntSub
            | IntMul
            | IntDiv
            | IntRem
            | UintDiv
            | UintRem
            | IntAnd
            | IntOr
            | IntXor
            | IntShl
            | IntShr
            | UintShr
            | IntNeg
            | IntNot
            | IntSext8
            | IntSext16
            | IntSext32
            | FloatAdd
            | FloatSub
            | FloatMul
            | FloatDiv
            | FloatNeg
            | IntToFloat
            | WordFromInt
            | WordFromRef
            | IntFromWord
            | RefFromWord
            | GetFieldI
            | GetFieldR
            | GetFieldF
            | GetFieldW
            | ArrayLen
            | GetItemI
            | GetItemR
            | GetItemF
            | GetItemW
    ) || is_comparison(data)
}

/// Whether a guard has to be able to fail although it holds.
pub(super) fn is_forced(link: &GuardLink<'_>) -> bool {
    match link {
        GuardLink::Switch(switch) => switch.is_forced(),
        GuardLink::Side(_) => false,
    }
}
