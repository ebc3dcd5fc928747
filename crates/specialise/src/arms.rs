//! Where ways split: branches, switches on integers, switches on classes. In: a way at such an instruction. Out: a way for each arm that
//! the optimiser does not exclude. Invariant: an arm that panics has no way of its own: a guard leads there, for it is run once.

use crate::step::{End, Flow};
use crate::way::Way;
use crate::{Lazy, Specialiser, Why};
use std::ops::ControlFlow;
use verdigris_jitcode::{Insn, JitCode, Opnd, Pc};
use verdigris_ops::{ClassId, DataOp, Ty};
use verdigris_opt::{Ended, Split, Test};
use verdigris_trace::{Arg, Descr, Opcode};

/// So many instructions may stand in front of a panic in an arm that does nothing else.
const PANIC_LENGTH: usize = 16;

impl Specialiser<'_> {
    /// A branch.
    pub fn branch(&mut self, mut way: Way, code: &JitCode, cond: Opnd, target: Pc) -> Flow {
        let value = way.operand(code, cond);
        let pc = way.pc();
        let behind = Pc(pc.0 + 1);
        match self.constant(&mut way, value) {
            Err(Ended) => return ControlFlow::Break(End::Dead(way)),
            Ok(Some(constant)) => {
                way.goto(if constant.word() != 0 { behind } else { target });
                return ControlFlow::Continue(way);
            }
            Ok(None) => {}
        }
        for (opcode, cold, warm) in [
            (Opcode::GuardTrue, target, behind),
            (Opcode::GuardFalse, behind, target),
        ] {
            if panics(code, cold) {
                self.guard(&mut way, opcode, &[value], Descr::None, pc);
                way.goto(warm);
                return ControlFlow::Continue(way);
            }
        }
        let waits = match self.limits.lazy {
            Lazy::None => false,
            // What has waited here was about representation when it left.
            Lazy::Types => way.arrived.is_some() || way.asks_for_shape(value),
            Lazy::All => true,
        };
        let (mut way, word) = self.chosen(way, value, waits)?;
        if let Some(word) = word {
            self.take_branch(&mut way, value, word, [target, behind]);
            return ControlFlow::Continue(way);
        }
        if way.count_split() > self.limits.unroll {
            return ControlFlow::Break(End::Leave(way, Why::Limit));
        }
        let test = Test {
            opcode: Opcode::GuardTrue,
            args: &[value],
            descr: Descr::None,
        };
        match self.split(&mut way, test, target) {
            Err(why) => ControlFlow::Break(End::Leave(way, why)),
            Ok(Arm::Taken) => {
                way.goto(target);
                ControlFlow::Continue(way)
            }
            Ok(Arm::NotTaken) => {
                way.goto(behind);
                ControlFlow::Continue(way)
            }
            Ok(Arm::Both(side)) => {
                self.ways.push(side);
                way.goto(behind);
                ControlFlow::Continue(way)
            }
        }
    }

    /// A switch on an integer.
    pub fn switch(&mut self, mut way: Way, code: &JitCode, value: Opnd, table: u16) -> Flow {
        let value = way.operand(code, value);
        let table = &code.switches[usize::from(table)];
        match self.constant(&mut way, value) {
            Err(Ended) => return ControlFlow::Break(End::Dead(way)),
            Ok(Some(constant)) => {
                way.goto(table.lookup(constant.word() as i64));
                return ControlFlow::Continue(way);
            }
            Ok(None) => {}
        }
        let waits = self.limits.lazy != Lazy::None;
        let (mut way, word) = self.chosen(way, value, waits)?;
        if let Some(word) = word {
            self.take_case(&mut way, value, word, table);
            return ControlFlow::Continue(way);
        }
        if way.count_split() > self.limits.unroll {
            return ControlFlow::Break(End::Leave(way, Why::Limit));
        }
        for &(case, target) in &table.cases {
            let args = [value, Arg::int(case)];
            let opcode = Opcode::Data(DataOp::IntEq);
            let equal = (way.strand.trace).push_def(opcode, &args, Descr::None, Ty::Int);
            if self.advance(&mut way).is_err() {
                return ControlFlow::Break(End::Dead(way));
            }
            let test = Test {
                opcode: Opcode::GuardFalse,
                args: &[Arg::Ref(equal)],
                descr: Descr::None,
            };
            match self.split(&mut way, test, target) {
                Err(why) => return ControlFlow::Break(End::Leave(way, why)),
                Ok(Arm::NotTaken) => {}
                Ok(Arm::Taken) => {
                    way.goto(target);
                    return ControlFlow::Continue(way);
                }
                Ok(Arm::Both(side)) => self.ways.push(side),
            }
        }
        way.goto(table.default);
        ControlFlow::Continue(way)
    }

    /// A switch on the class of an object.
    pub fn class_switch(&mut self, mut way: Way, code: &JitCode, value: Opnd, table: u16) -> Flow {
        let opnd = value;
        let table = &code.switches[usize::from(table)];
        if self.advance(&mut way).is_err() {
            return ControlFlow::Break(End::Dead(way));
        }
        let object = way.operand(code, opnd);
        if object == Arg::NULL {
            return ControlFlow::Break(End::Leave(way, Why::Impossible));
        }
        let pc = way.pc();
        let is_known = self.draft.class_of(&mut way.strand, object).is_some();
        if !is_known {
            let waits = self.limits.lazy != Lazy::None;
            let (chosen, word) = self.chosen(way, object, waits)?;
            way = chosen;
            if let Some(word) = word {
                return match self.take_class(&mut way, object, word, table) {
                    true => ControlFlow::Continue(way),
                    false => ControlFlow::Break(End::Leave(way, Why::Class)),
                };
            }
        }
        if !is_known && way.count_split() > self.limits.unroll {
            return ControlFlow::Break(End::Leave(way, Why::Limit));
        }
        for &(case, target) in &table.cases {
            let object = way.operand(code, opnd);
            let class = ClassId::from_u32(case as u32);
            match self.draft.class_of(&mut way.strand, object) {
                Some(known) if known == class => {
                    way.goto(target);
                    return ControlFlow::Continue(way);
                }
                Some(_) => continue,
                None => {}
            }
            let test = Test {
                opcode: Opcode::GuardClass,
                args: &[object],
                descr: class.into(),
            };
            match self.split(&mut way, test, pc) {
                Err(why) => return ControlFlow::Break(End::Leave(way, why)),
                Ok(Arm::NotTaken) => {
                    way.goto(target);
                    return ControlFlow::Continue(way);
                }
                Ok(Arm::Taken) => {}
                Ok(Arm::Both(other)) => {
                    way.goto(target);
                    self.ways.push(std::mem::replace(&mut way, other));
                }
            }
        }
        ControlFlow::Break(End::Leave(way, Why::Class))
    }

    /// Splits a way that is advanced: it goes on where the test holds. The other one is where it fails, at `pc`.
    fn split(&mut self, way: &mut Way, test: Test<'_>, pc: Pc) -> Result<Arm, Why> {
        if self.split >= self.limits.ways {
            return Err(Why::Limit);
        }
        let values = way.values(self.unit, pc);
        if values.len() > self.limits.live {
            return Err(Why::Limit);
        }
        Ok(match self.draft.split(&mut way.strand, test, &values) {
            Split::Holds => Arm::NotTaken,
            Split::Fails => Arm::Taken,
            Split::Side(strand) => {
                self.split += 1;
                Arm::Both(way.on(self.unit, strand, &values, pc))
            }
        })
    }
}

/// What a split leads to, with regard to the side where the test fails.
enum Arm {
    Taken,
    NotTaken,
    Both(Way),
}

/// Whether what is done from an instruction on comes to nothing but a panic.
fn panics(code: &JitCode, mut pc: Pc) -> bool {
    for _ in 0..PANIC_LENGTH {
        match &code.insns[pc.0 as usize] {
            Insn::Panic { .. } => return true,
            Insn::Goto { target } => pc = *target,
            Insn::Move { .. } | Insn::Data { .. } => pc.0 += 1,
            _ => return false,
        }
    }
    false
}
