//! Comparisons and checks for overflow. In: an operation whose result is a truth value, and what
//! follows it. Out: flags, which a guard behind it branches on; the truth value itself only if
//! another operation or an exit needs it. Invariant: between what sets the flags and the branch
//! nothing changes them.

use crate::asm::{Cond, Rm, cond};
use crate::file::{Operand, gpr_loc};
use crate::guards::{First, leaves_when_true};
use crate::lower::{Lower, Outcome};
use crate::names::*;
use crate::unit::KnownIfFails;
use crate::values::{Place, Pos};
use smallvec::SmallVec;
use verdigris_backend::sabotage::Sabotage;
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, Opcode, OptimisedOp, OptimisedOps, ValRef};

/// A truth value in the flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flags {
    /// It is true under this condition.
    pub(crate) cond: Cond,
    /// Doubles have been tested for equality: they are not equal under the parity condition,
    /// whatever else holds.
    pub(crate) unordered: bool,
}

impl From<Cond> for Flags {
    fn from(cond: Cond) -> Flags {
        Flags {
            cond,
            unordered: false,
        }
    }
}

impl Flags {
    fn not(self) -> Flags {
        Flags {
            cond: self.cond.not(),
            ..self
        }
    }
}

/// A comparison, the values that follow from it, and the guard that tests the last of them.
struct Chain {
    /// The operations between, by number: each is the truth value in front of it or its opposite.
    steps: SmallVec<[(usize, bool); 2]>,
    guard: usize,
    /// Whether the guard leaves when the comparison holds.
    leaves_when: bool,
}

/// The condition of a comparison of integers.
pub(crate) fn int_condition(data: DataOp) -> Option<Cond> {
    use DataOp::*;
    Some(match data {
        IntEq | PtrEq => cond::E,
        IntNe | PtrNe => cond::NE,
        IntLt => cond::L,
        IntLe => cond::LE,
        IntGt => cond::G,
        IntGe => cond::GE,
        UintLt => cond::B,
        UintLe => cond::BE,
        UintGt => cond::A,
        UintGe => cond::AE,
        _ => return None,
    })
}

impl<'a> Lower<'a> {
    /// An operation that gives a truth value. Gives the last operation that has been done.
    pub(crate) fn truth(
        &mut self,
        data: DataOp,
        ops: OptimisedOps<'a>,
        n: usize,
    ) -> Outcome<usize> {
        let chain = self
            .chain(ops, n)
            .filter(|c| self.can_fuse(data, ops, n, c));
        let op = ops.at(n);
        let Some(chain) = chain else {
            let (flags, _) = self.flags(data, ops, n, None);
            let result = op.result().expect("a comparison has a result");
            self.materialise(flags, result);
            return Ok(n);
        };
        let guard = ops.at(chain.guard);
        let stub = self.work.file.asm.new_label();
        let (flags, undone) = self.flags(data, ops, n, Some(chain.guard));
        self.work.file.asm.keeps_flags = true;
        let mut known: SmallVec<[KnownIfFails; 3]> = SmallVec::new();
        let (first, undone) = match undone {
            Some((first, value, place)) => (first, Some((value, place))),
            None => (First::Nothing, None),
        };
        known.extend(undone);
        let last = chain.guard as Pos + 1;
        let results = std::iter::once((n, true)).chain(chain.steps.iter().copied());
        for (step, same) in results {
            let result = ops.at(step).result().expect("a truth value is a result");
            let death = self.work.file.values.map[result].death;
            if death > last {
                let flags = if same { flags } else { flags.not() };
                self.materialise(flags, result);
            } else {
                // The failure says what it is.
                let word = u64::from(chain.leaves_when == same);
                known.push((result, Place::Const(word)));
            }
        }
        for op in ops.slice(n + 1..chain.guard + 1).iter() {
            if self.work.file.values.is_nothing(op) {
                continue;
            }
            self.work.file.values.advance(op.args());
            if op.opcode() == Opcode::Hole {
                // The stub may need what the comparison has asked for, and nothing else.
                let locked = self.file().locked();
                self.hole(op);
                self.file().lock_only(locked);
            }
        }
        self.file().pos = last;
        self.leave_if(flags, chain.leaves_when, guard, &known, stub, first);
        self.work.file.asm.keeps_flags = false;
        Ok(chain.guard)
    }

    /// Whether a guard can branch on the flags of a comparison. It cannot if it has to fail
    /// although it holds, since the failure says nothing then; and equality of doubles takes two
    /// instructions, which change the flags, to make a word of.
    fn can_fuse(&self, data: DataOp, ops: OptimisedOps<'_>, n: usize, chain: &Chain) -> bool {
        let is_needed = |at: usize| {
            let value = ops.at(at).result().map(|v| self.work.file.values.map[v]);
            value.is_some_and(|value| value.death > chain.guard as Pos + 1)
        };
        let takes_two = matches!(data, DataOp::FloatEq | DataOp::FloatNe);
        let is_word = || is_needed(n) || chain.steps.iter().any(|step| is_needed(step.0));
        !(self.links.forced || takes_two && is_word())
    }

    /// The guard that tests what a comparison gives, with nothing between that changes the flags.
    fn chain(&self, ops: OptimisedOps<'_>, n: usize) -> Option<Chain> {
        let mut value = ops.at(n).result()?;
        let mut same = true;
        let mut steps = SmallVec::new();
        for (at, op) in (n + 1..).zip(ops.skip_to(n + 1).iter()) {
            if matches!(op.opcode(), Opcode::MergePoint | Opcode::Hole) {
                continue;
            }
            if op.args().first() != Some(Arg::Ref(value)) {
                return None;
            }
            match op.opcode() {
                Opcode::Data(DataOp::IntIsZero) => same = !same,
                Opcode::Data(DataOp::IntIsTrue) => {}
                _ => {
                    let leaves_when_true = leaves_when_true(op)?;
                    return Some(Chain {
                        steps,
                        guard: at,
                        leaves_when: leaves_when_true == same,
                    });
                }
            }
            value = op.result()?;
            steps.push((at, same));
        }
        None
    }

    /// Sets the flags. With a guard behind it, an operand may have been overwritten: how its stub
    /// gets it back, which value it is, and where it is then.
    fn flags(
        &mut self,
        data: DataOp,
        ops: OptimisedOps<'a>,
        n: usize,
        guard: Option<usize>,
    ) -> (Flags, Option<(First, ValRef, Place)>) {
        use DataOp::*;
        let args = ops.at(n).args();
        let flags = match data {
            IntIsZero | IntIsTrue => {
                let condition = if data == IntIsZero { cond::E } else { cond::NE };
                self.compare_ints(condition, args.at(0), Arg::int(0))
            }
            IntAddOverflows | IntSubOverflows | IntMulOverflows | UintMulOverflows => {
                return self.overflow(data, ops, n, guard);
            }
            FloatEq => self.compare_floats(cond::E, args.at(0), args.at(1)),
            FloatNe => self.compare_floats(cond::NE, args.at(0), args.at(1)),
            FloatGt => self.compare_floats(cond::A, args.at(0), args.at(1)),
            FloatGe => self.compare_floats(cond::AE, args.at(0), args.at(1)),
            FloatLt => self.compare_floats(cond::A, args.at(1), args.at(0)),
            FloatLe => self.compare_floats(cond::AE, args.at(1), args.at(0)),
            HasClass => {
                let word = self.links.descrs.classes[crate::memory::class_of(ops.at(n))].word;
                let object = self.file().gpr(args.at(0));
                self.alu_imm_d(7, crate::asm::Mem::At(object, 0), word);
                Flags::from(cond::E)
            }
            _ => {
                let condition = int_condition(data).expect("a truth value comes of a comparison");
                self.compare_ints(condition, args.at(0), args.at(1))
            }
        };
        (flags, None)
    }

    /// `cmp x, y`.
    pub(crate) fn compare_ints(&mut self, condition: Cond, x: Arg, y: Arg) -> Flags {
        let file = self.file();
        if file.known(x).is_some() && file.known(y).is_none() {
            return self.compare_ints(condition.swapped(), y, x);
        }
        let x = match file.operand(x) {
            Operand::Rm(rm) => rm,
            Operand::Imm(_) => file.gpr(x).into(),
        };
        let y = file.source(y);
        match (x, y) {
            (Rm::Reg(x), Operand::Imm(0))
                if file.asm.has_tested(x) || Sabotage::StaleFlags.is_on() => {}
            (Rm::Reg(x), Operand::Imm(0)) => file.asm.rm_reg(&TEST, Rm::Reg(x), x),
            (x, Operand::Imm(word)) => self.alu_imm_q(7, x, word as i32),
            (Rm::Reg(x), Operand::Rm(y)) => file.asm.reg_rm(&CMP, x, y),
            (x, Operand::Rm(Rm::Reg(y))) => file.asm.rm_reg(&CMP_STORE, x, y),
            (x, Operand::Rm(y)) => {
                let reg = file.take_gpr(None);
                file.asm.reg_rm(&MOV, reg.0, x);
                file.asm.reg_rm(&CMP, reg.0, y);
            }
        }
        Flags::from(condition)
    }

    /// `ucomisd x, y`: above is true only if neither is a NaN.
    fn compare_floats(&mut self, condition: Cond, x: Arg, y: Arg) -> Flags {
        let file = self.file();
        let x = file.xmm(x);
        let y = file.float_operand(y);
        file.asm.reg_rm(&UCOMISD, x.0, y);
        Flags {
            cond: condition,
            unordered: matches!(condition, cond::E | cond::NE),
        }
    }

    /// The truth value of the flags as a word.
    fn materialise(&mut self, flags: Flags, result: ValRef) {
        let file = self.file();
        let reg = file.define_gpr(result);
        file.asm.only_rm(&set(flags.cond), 0, reg);
        if flags.unordered {
            // `e` holds for what cannot be compared too.
            let (parity, which) = match flags.cond {
                cond::E => (cond::NP, &AND),
                _ => (cond::P, &OR),
            };
            assert!(
                !file.asm.keeps_flags,
                "equality of doubles is not kept in the flags"
            );
            file.asm.reg_rm(&MOVZX_B, reg.0, reg);
            let other = file.take_gpr(None);
            file.asm.only_rm(&set(parity), 0, other);
            file.asm.reg_rm(&MOVZX_B, other.0, other);
            file.asm.reg_rm(which, reg.0, other);
            return;
        }
        file.asm.reg_rm(&MOVZX_B, reg.0, reg);
    }

    /// A sum, difference or product with the flag for its overflow. The result belongs to the
    /// operation behind it that computes it.
    fn overflow(
        &mut self,
        data: DataOp,
        ops: OptimisedOps<'a>,
        n: usize,
        guard: Option<usize>,
    ) -> (Flags, Option<(First, ValRef, Place)>) {
        use DataOp::*;
        let plain = match data {
            IntAddOverflows => IntAdd,
            IntSubOverflows => IntSub,
            _ => IntMul,
        };
        let args = ops.at(n).args();
        let same = |op: OptimisedOp<'_>| op.opcode() == Opcode::Data(plain) && op.args() == args;
        let behind = ops.skip_to(n + 1).iter().take(8).position(same);
        let paired = behind.map(|k| n + 1 + k);
        let result = paired.and_then(|at| ops.at(at).result());
        if data == UintMulOverflows {
            self.wide_product(args.at(0), args.at(1), result);
            return (Flags::from(cond::O), None);
        }
        let flags = Flags::from(cond::O);
        let next = paired.filter(|&at| {
            let between = guard.map(|guard| ops.slice(guard + 1..at));
            between.is_some_and(|ops| ops.iter().all(|op| self.work.file.values.is_nothing(op)))
                && !self.links.forced
        });
        let (mut x, mut y) = (args.at(0), args.at(1));
        let goes = |this: &Self, v: Arg, at: usize| {
            this.work.file.known(v).is_none() && this.work.file.dies_by(v, at as Pos + 1)
        };
        if plain != IntSub
            && (self.work.file.known(x).is_some()
                || next.is_some_and(|at| goes(self, y, at) && !goes(self, x, at)))
        {
            std::mem::swap(&mut x, &mut y);
        }
        let undo = next.filter(|&at| plain != IntMul && x != y && goes(self, x, at));
        if let (Some(_), Some(result), Arg::Ref(v)) = (undo, result, x) {
            let file = self.file();
            let operand = file.source(y);
            let reg = file.gpr(x);
            let canon = file.canon(v);
            file.vacate(gpr_loc(reg));
            let elsewhere = file.is_defined(canon);
            file.put(result, gpr_loc(reg));
            self.add_or_subtract(plain, reg, operand);
            let place = Place::At(gpr_loc(reg));
            let first = First::Undo(plain == IntSub, reg, operand);
            return (flags, (!elsewhere).then_some((first, canon, place)));
        }
        let file = self.file();
        let operand = file.source(y);
        if let (IntMul, Operand::Imm(imm)) = (plain, operand) {
            let from = file.operand(x);
            let reg = file.take_gpr(result);
            match from {
                Operand::Rm(rm) => file.asm.imul_imm(reg, rm, imm as i32),
                Operand::Imm(word) => {
                    file.asm.mov_imm(reg, word);
                    file.asm.imul_imm(reg, reg.into(), imm as i32);
                }
            }
            if let Some(result) = result {
                file.put(result, gpr_loc(reg));
            }
            return (flags, None);
        }
        let from = file.operand(x);
        let reg = file.take_gpr(result);
        match from {
            Operand::Rm(rm) => file.asm.reg_rm(&MOV, reg.0, rm),
            Operand::Imm(word) => file.asm.mov_imm(reg, word),
        }
        match (plain, operand) {
            (IntMul, Operand::Rm(rm)) => file.asm.reg_rm(&IMUL, reg.0, rm),
            _ => self.add_or_subtract(plain, reg, operand),
        }
        if let Some(result) = result {
            self.file().put(result, gpr_loc(reg));
        }
        (flags, None)
    }

    fn add_or_subtract(&mut self, plain: DataOp, reg: crate::asm::Gpr, operand: Operand) {
        let subtracts = plain == DataOp::IntSub;
        match operand {
            Operand::Imm(word) => {
                self.alu_imm_q(if subtracts { 5 } else { 0 }, reg, word as i32);
            }
            Operand::Rm(rm) => {
                let ins = if subtracts { &SUB } else { &ADD };
                self.work.file.asm.reg_rm(ins, reg.0, rm);
            }
        }
    }
}
