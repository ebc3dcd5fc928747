//! Comparisons and checks for overflow, which leave a truth value in the flags: a guard behind them
//! branches on it, and a word is made of it only if another operation or an exit needs one.

use crate::asm::Asm;
use crate::asm::instructions::*;
use crate::asm::operands::{Alu, Cond, Gpr, Mem, Rm, RmImm, cond, regs};
use crate::exits::{KnownIfFails, StubAction};
use crate::liveness::Pos;
use crate::locations::{ValueLoc, gpr_loc};
use crate::lower::flags::{Flags, int_condition, leaves_when_true};
use crate::lower::ints::high;
use crate::lower::state::Lower;
use crate::regalloc::RegAlloc;
use smallvec::SmallVec;
use verdigris_backend::sabotage::Sabotage;
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, Opcode, OptimisedOp, OptimisedOps, ValRef};

/// A comparison, the values that follow from it, and the guard that tests the last of them.
struct Chain {
    /// The operations between, by number: each is the truth value in front of it or its opposite.
    steps: SmallVec<[(usize, bool); 2]>,
    guard: usize,
    /// Whether the guard leaves when the comparison holds.
    leaves_when: bool,
}

impl<'a> Lower<'a> {
    /// Compiles an operation whose result is a truth value, together with the guard that tests it
    /// if possible. Returns the last operation that has been compiled.
    pub(super) fn truth(&mut self, data: DataOp, ops: OptimisedOps<'a>, n: usize) -> usize {
        let chain = self
            .chain(ops, n)
            .filter(|c| self.can_fuse(data, ops, n, c));
        let op = ops.at(n);
        let Some(chain) = chain else {
            let (flags, _) = self.flags(data, ops, n, None);
            let result = op.result().expect("a comparison has a result");
            flags.materialise(result, self.regs());
            return n;
        };
        let guard = ops.at(chain.guard);
        let stub = self.asm().new_label();
        let (flags, undone) = self.flags(data, ops, n, Some(chain.guard));
        self.asm().keeps_flags = true;
        let mut known: SmallVec<[KnownIfFails; 3]> = SmallVec::new();
        let (first, undone) = match undone {
            Some((first, value, place)) => (first, Some((value, place))),
            None => (StubAction::Nothing, None),
        };
        known.extend(undone);
        let last = chain.guard as Pos + 1;
        let results = std::iter::once((n, true)).chain(chain.steps.iter().copied());
        for (step, same) in results {
            let result = ops.at(step).result().expect("a truth value is a result");
            let death = self.work.regs.values.map[result].death;
            if death > last {
                let flags = if same { flags } else { flags.not() };
                flags.materialise(result, self.regs());
            } else {
                // The failure determines it.
                let word = u64::from(chain.leaves_when == same);
                known.push((result, ValueLoc::Const(word)));
            }
        }
        for op in ops.slice(n + 1..chain.guard + 1).iter() {
            if self.work.regs.values.is_nothing(op) {
                continue;
            }
            self.work.regs.values.advance(op.args());
            if op.opcode() == Opcode::Hole {
                // The stub may need the registers of the comparison, and no others.
                let locked = self.regs().locked();
                self.hole(op);
                self.regs().lock_only(locked);
            }
        }
        self.regs().pos = last;
        self.leave_if(flags, chain.leaves_when, guard, &known, stub, first);
        self.asm().keeps_flags = false;
        chain.guard
    }

    /// Whether a guard can branch on the flags of a comparison. It cannot if it has to fail
    /// although it holds, since the failure determines nothing then; nor if a word has to be made
    /// of the equality of doubles, which takes instructions that change the flags.
    fn can_fuse(&self, data: DataOp, ops: OptimisedOps<'_>, n: usize, chain: &Chain) -> bool {
        let is_needed = |at: usize| {
            let value = ops.at(at).result().map(|v| self.work.regs.values.map[v]);
            value.is_some_and(|value| value.death > chain.guard as Pos + 1)
        };
        let takes_two = matches!(data, DataOp::FloatEq | DataOp::FloatNe);
        let is_word = || is_needed(n) || chain.steps.iter().any(|step| is_needed(step.0));
        !(self.links.forced || takes_two && is_word())
    }

    /// The guard that tests the result of a comparison, if nothing between changes the flags.
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

    /// Sets the flags. If a guard follows, an operand may be overwritten: then also returns how the
    /// guard's stub restores it, which value it is, and where it is then.
    fn flags(
        &mut self,
        data: DataOp,
        ops: OptimisedOps<'a>,
        n: usize,
        guard: Option<usize>,
    ) -> (Flags, Option<(StubAction, ValRef, ValueLoc)>) {
        use DataOp::*;
        let args = ops.at(n).args();
        let flags = match data {
            IntIsZero | IntIsTrue => {
                let condition = if data == IntIsZero { cond::E } else { cond::NE };
                compare_ints(self.regs(), condition, args.at(0), Arg::int(0))
            }
            IntAddOverflows | IntSubOverflows | IntMulOverflows | UintMulOverflows => {
                return self.overflow(data, ops, n, guard);
            }
            FloatEq => compare_floats(self.regs(), cond::E, args.at(0), args.at(1)),
            FloatNe => compare_floats(self.regs(), cond::NE, args.at(0), args.at(1)),
            FloatGt => compare_floats(self.regs(), cond::A, args.at(0), args.at(1)),
            FloatGe => compare_floats(self.regs(), cond::AE, args.at(0), args.at(1)),
            FloatLt => compare_floats(self.regs(), cond::A, args.at(1), args.at(0)),
            FloatLe => compare_floats(self.regs(), cond::AE, args.at(1), args.at(0)),
            HasClass => {
                let word = self.links.descrs.classes[ops.at(n).class()].word;
                let object = self.regs().gpr(args.at(0));
                self.asm().alu_imm_d(Alu::Cmp, Mem::At(object, 0), word);
                Flags::from(cond::E)
            }
            _ => {
                let condition = int_condition(data).expect("a truth value comes of a comparison");
                compare_ints(self.regs(), condition, args.at(0), args.at(1))
            }
        };
        (flags, None)
    }

    /// Computes a sum, difference or product and the flag for its overflow. The result is that of
    /// the operation behind it which computes it.
    fn overflow(
        &mut self,
        data: DataOp,
        ops: OptimisedOps<'a>,
        n: usize,
        guard: Option<usize>,
    ) -> (Flags, Option<(StubAction, ValRef, ValueLoc)>) {
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
            high(self.regs(), false, args.at(0), args.at(1));
            if let Some(result) = result {
                self.regs().put(result, gpr_loc(regs::RAX));
            }
            return (Flags::from(cond::O), None);
        }
        let flags = Flags::from(cond::O);
        let next = paired.filter(|&at| {
            let between = guard.map(|guard| ops.slice(guard + 1..at));
            between.is_some_and(|ops| ops.iter().all(|op| self.work.regs.values.is_nothing(op)))
                && !self.links.forced
        });
        let (mut x, mut y) = (args.at(0), args.at(1));
        let goes = |this: &Self, v: Arg, at: usize| {
            this.work.regs.known(v).is_none() && this.work.regs.dies_by(v, at as Pos + 1)
        };
        if plain != IntSub
            && (self.work.regs.known(x).is_some()
                || next.is_some_and(|at| goes(self, y, at) && !goes(self, x, at)))
        {
            std::mem::swap(&mut x, &mut y);
        }
        let undo = next.filter(|&at| plain != IntMul && x != y && goes(self, x, at));
        if let (Some(_), Some(result), Arg::Ref(v)) = (undo, result, x) {
            let regs = self.regs();
            let operand = regs.source(y);
            let reg = regs.gpr(x);
            let canon = regs.canon(v);
            regs.vacate(gpr_loc(reg));
            let elsewhere = regs.is_defined(canon);
            regs.put(result, gpr_loc(reg));
            add_or_subtract(self.asm(), plain, reg, operand);
            let place = ValueLoc::At(gpr_loc(reg));
            let first = StubAction::Undo(plain == IntSub, reg, operand);
            return (flags, (!elsewhere).then_some((first, canon, place)));
        }
        let regs = self.regs();
        let operand = regs.source(y);
        if let (IntMul, RmImm::Imm(imm)) = (plain, operand) {
            let from = regs.operand(x);
            let reg = regs.take_gpr(result);
            match from {
                RmImm::Rm(rm) => regs.asm.imul_imm(reg, rm, imm as i32),
                RmImm::Imm(word) => {
                    regs.asm.mov_imm(reg, word);
                    regs.asm.imul_imm(reg, reg.into(), imm as i32);
                }
            }
            if let Some(result) = result {
                regs.put(result, gpr_loc(reg));
            }
            return (flags, None);
        }
        let from = regs.operand(x);
        let reg = regs.take_gpr(result);
        match from {
            RmImm::Rm(rm) => regs.asm.reg_rm(&MOV, reg.0, rm),
            RmImm::Imm(word) => regs.asm.mov_imm(reg, word),
        }
        match (plain, operand) {
            (IntMul, RmImm::Rm(rm)) => regs.asm.reg_rm(&IMUL, reg.0, rm),
            _ => add_or_subtract(self.asm(), plain, reg, operand),
        }
        if let Some(result) = result {
            self.regs().put(result, gpr_loc(reg));
        }
        (flags, None)
    }
}

/// `cmp x, y`.
pub(crate) fn compare_ints(regs: &mut RegAlloc, condition: Cond, x: Arg, y: Arg) -> Flags {
    if regs.known(x).is_some() && regs.known(y).is_none() {
        return compare_ints(regs, condition.swapped(), y, x);
    }
    let x = regs.rm(x);
    let y = regs.source(y);
    match (x, y) {
        (Rm::Reg(x), RmImm::Imm(0)) if regs.asm.has_tested(x) || Sabotage::StaleFlags.is_on() => {}
        (Rm::Reg(x), RmImm::Imm(0)) => regs.asm.rm_reg(&TEST, Rm::Reg(x), x),
        (x, RmImm::Imm(word)) => regs.asm.alu_imm(Alu::Cmp, x, word as i32),
        (Rm::Reg(x), RmImm::Rm(y)) => regs.asm.reg_rm(&CMP, x, y),
        (x, RmImm::Rm(Rm::Reg(y))) => regs.asm.rm_reg(&CMP_STORE, x, y),
        (x, RmImm::Rm(y)) => {
            let reg = regs.take_gpr(None);
            regs.asm.reg_rm(&MOV, reg.0, x);
            regs.asm.reg_rm(&CMP, reg.0, y);
        }
    }
    Flags::from(condition)
}

/// `ucomisd x, y`: above is true only if neither is a NaN.
fn compare_floats(regs: &mut RegAlloc, condition: Cond, x: Arg, y: Arg) -> Flags {
    let x = regs.xmm(x);
    let y = regs.float_operand(y);
    regs.asm.reg_rm(&UCOMISD, x.0, y);
    Flags {
        cond: condition,
        unordered: matches!(condition, cond::E | cond::NE),
    }
}

fn add_or_subtract(asm: &mut Asm, plain: DataOp, reg: Gpr, operand: RmImm) {
    let subtracts = plain == DataOp::IntSub;
    match operand {
        RmImm::Imm(word) => {
            let which = if subtracts { Alu::Sub } else { Alu::Add };
            asm.alu_imm(which, reg, word as i32);
        }
        RmImm::Rm(rm) => asm.reg_rm(if subtracts { &SUB } else { &ADD }, reg.0, rm),
    }
}
