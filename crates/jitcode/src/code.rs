//! Instructions, operands, and the jitcode of a function.

use cranelift_entity::entity_impl;
use serde::{Deserialize, Serialize};
use verdigris_ops::{DataOp, FnId, PanicKind, Ty};

/// A function's jitcode within its [`crate::Unit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CodeId(u32);
entity_impl!(CodeId, "code");

/// A register of a frame: one 64-bit word whose type is [`JitCode::regs`]`[r]` for the whole
/// function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reg(pub u16);

/// An index in [`JitCode::insns`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pc(pub u32);

/// An operand: a register or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Opnd {
    /// A register.
    Reg(Reg),
    /// An index in [`JitCode::consts`].
    Const(u16),
}

/// A constant. Objects are never constants of jitcode; null is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CodeConst {
    /// An integer word.
    Int(i64),
    /// The bit pattern of a double.
    Float(u64),
    /// The null reference.
    Null,
}

impl CodeConst {
    /// The type of the constant.
    pub fn ty(self) -> Ty {
        match self {
            CodeConst::Int(_) => Ty::Int,
            CodeConst::Float(_) => Ty::Float,
            CodeConst::Null => Ty::Ref,
        }
    }

    /// The raw word.
    pub fn word(self) -> u64 {
        match self {
            CodeConst::Int(v) => v as u64,
            CodeConst::Float(bits) => bits,
            CodeConst::Null => 0,
        }
    }
}

/// A question of traced code to the tracer or specialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Question {
    /// Whether a value is known while recording.
    IsConstant,
    /// Whether an object has been made in this trace and has not escaped from it.
    IsVirtual,
}

impl Question {
    /// All of them.
    pub const ALL: [Question; 2] = [Question::IsConstant, Question::IsVirtual];

    /// The name in text forms.
    pub fn name(self) -> &'static str {
        match self {
            Question::IsConstant => "is_constant",
            Question::IsVirtual => "is_virtual",
        }
    }

    /// The inverse of [`Question::name`].
    pub fn from_name(name: &str) -> Option<Question> {
        Question::ALL.into_iter().find(|q| q.name() == name)
    }
}

/// The callee of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CallTarget {
    /// A function with jitcode: the tracer inlines it, the blackhole interpreter runs its jitcode.
    Code(CodeId),
    /// A residual call: opaque, elidable, or the portal.
    Fn(FnId),
}

/// One instruction. Instructions marked *guard* are where the tracer may record a guard; a failing
/// guard resumes at the same instruction, which is executed again with the values of that moment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Insn {
    /// `dst = op(args)`, for every row of the table of data operations. `descr` is the raw index of
    /// the [`verdigris_ops::FieldId`] or [`verdigris_ops::ClassId`] that the operation's
    /// `descr_kind` asks for, else 0.
    Data {
        /// The operation.
        op: DataOp,
        /// Arguments, `op.params().len()` of them.
        args: [Opnd; 3],
        /// Raw descriptor index.
        descr: u32,
        /// Where the result goes, if the operation has one.
        dst: Option<Reg>,
    },
    /// `dst = src`.
    Move {
        /// Destination.
        dst: Reg,
        /// Source of the same type.
        src: Opnd,
    },
    /// Continue at the target.
    Goto {
        /// The target.
        target: Pc,
    },
    /// *Guard.* Falls through if `cond` is not 0, else continues at the target.
    BranchFalse {
        /// An integer.
        cond: Opnd,
        /// Where to go if `cond` is 0.
        target: Pc,
    },
    /// *Guard.* Continues at the case of an integer.
    Switch {
        /// The integer.
        value: Opnd,
        /// Index in [`JitCode::switches`].
        table: u16,
    },
    /// *Guard.* Continues at the case for the class of a non-null object; the keys of the table are
    /// raw [`verdigris_ops::ClassId`]s.
    ClassSwitch {
        /// The object.
        value: Opnd,
        /// Index in [`JitCode::switches`].
        table: u16,
    },
    /// *Guard.* `dst = src`, and in a trace the value becomes a constant behind a `guard_value`.
    Promote {
        /// Destination.
        dst: Reg,
        /// Source of the same type.
        src: Opnd,
    },
    /// `dst` is 1 if the tracer's answer about `src` is yes, else 0; outside of traces it is 0. No
    /// guard: both ways compute the same.
    Ask {
        /// Destination, an integer.
        dst: Reg,
        /// The question.
        question: Question,
        /// The value it is about.
        src: Opnd,
    },
    /// *Guard* (residual calls: on a panic). Calls, then continues behind with the results in
    /// `dsts`.
    Call {
        /// The callee.
        target: CallTarget,
        /// The arguments.
        args: Vec<Opnd>,
        /// Where the results go, all different: as many as the callee returns. A residual call has
        /// one at most.
        dsts: Vec<Reg>,
    },
    /// Leaves the function.
    Return {
        /// The results: the scalar components of what the function returns.
        values: Vec<Opnd>,
    },
    /// Panics.
    Panic {
        /// Why.
        kind: PanicKind,
        /// Values that the message needs.
        args: Vec<Opnd>,
    },
    /// The merge point of the portal: the interpreter can take over here, given these registers.
    /// Every register live behind it is in one of the lists.
    MergePoint {
        /// The position in the guest program.
        greens: Vec<Reg>,
        /// The rest of the interpreter's state.
        reds: Vec<Reg>,
    },
    /// `can_enter_jit!`: a loop of the guest program closes here. The next merge point is the
    /// loop's header.
    LoopHeader,
}

/// The targets of a switch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SwitchTable {
    /// Sorted by key, no key twice.
    pub cases: Vec<(i64, Pc)>,
    /// Where every other value goes.
    pub default: Pc,
}

impl SwitchTable {
    /// Where a value goes.
    #[inline]
    pub fn lookup(&self, value: i64) -> Pc {
        // The keys of most tables are numbers in a row: opcodes, kinds.
        if let Some(&(first, _)) = self.cases.first()
            && let Ok(n) = usize::try_from(value.wrapping_sub(first))
            && let Some(&(key, target)) = self.cases.get(n)
            && key == value
        {
            return target;
        }
        match self.cases.binary_search_by_key(&value, |c| c.0) {
            Ok(i) => self.cases[i].1,
            Err(_) => self.default,
        }
    }

    /// Whether one of the cases names a value.
    pub fn names(&self, value: i64) -> bool {
        self.cases.binary_search_by_key(&value, |c| c.0).is_ok()
    }
}

/// The jitcode of one function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JitCode {
    /// The function's path in the crate.
    pub name: String,
    /// The registers that hold the parameters at entry.
    pub params: Vec<Reg>,
    /// The types of the results.
    pub ret: Vec<Ty>,
    /// The type of each register; its length is the size of a frame in words.
    pub regs: Vec<Ty>,
    /// Constants, no constant twice.
    pub consts: Vec<CodeConst>,
    /// The instructions.
    pub insns: Vec<Insn>,
    /// Switch tables.
    pub switches: Vec<SwitchTable>,
    /// For instruction `pc`: the registers whose values are needed when execution continues *at*
    /// `pc` (its own reads included), sorted. Recorded for every instruction;
    /// `live.len() == insns.len()`.
    pub live: Vec<Vec<Reg>>,
    /// For each instruction, the line of the source it comes from (1-based; 0 if none).
    pub lines: Vec<u32>,
    /// The source file.
    pub file: String,
}

impl JitCode {
    /// The type of an operand.
    pub fn ty(&self, opnd: Opnd) -> Ty {
        match opnd {
            Opnd::Reg(r) => self.regs[r.0 as usize],
            Opnd::Const(c) => self.consts[c as usize].ty(),
        }
    }

    /// The live registers at `pc`.
    pub fn live_at(&self, pc: Pc) -> &[Reg] {
        &self.live[pc.0 as usize]
    }
}
