//! Where ways split: branches, switches on integers, switches on classes. In: a way at such an
//! instruction. Out: a way for each arm that the optimiser does not exclude. Invariant: an arm that
//! panics has no way of its own: a guard leads there, for it is run once.

use super::flow::{Flow, PathEnd};
use super::taken_arms::{Taken, arm, equals};
use crate::limits::{Lazy, LeaveReason};
use crate::specialiser::Specialiser;
use crate::state::history::SeenTargets;
use crate::state::path::Path;
use std::ops::ControlFlow;
use verdigris_jitcode::{Insn, JitCode, Opnd, Pc};
use verdigris_ops::ClassId;
use verdigris_opt::{Ended, Split, SplitTest};
use verdigris_trace::{Arg, Descr, Opcode};

/// So many instructions may stand in front of a panic in an arm that does nothing else.
const PANIC_LENGTH: usize = 16;

impl Specialiser<'_> {
    /// A branch.
    pub fn branch(&mut self, mut way: Path, code: &JitCode, cond: Opnd, target: Pc) -> Flow {
        let value = way.operand(code, cond);
        let pc = way.pc();
        let behind = Pc(pc.0 + 1);
        match self.constant(&mut way, value) {
            Err(Ended) => return ControlFlow::Break(PathEnd::Dead(way)),
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
        let arms = match waits {
            true => self.taken(&way, value, |_, word| Some(usize::from(word != 0))),
            false => Taken::All,
        };
        match arms {
            Taken::Nothing => return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Arm)),
            Taken::Arms(arms) if arms.len() == 1 => {
                let taken = arms[0] != 0;
                self.guard_arm(&mut way, value, taken);
                way.goto(if taken { behind } else { target });
                return ControlFlow::Continue(way);
            }
            Taken::Arms(_) | Taken::All => {}
        }
        if way.count_split() > self.limits.unroll {
            return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Limit));
        }
        let test = SplitTest {
            opcode: Opcode::GuardTrue,
            args: &[value],
            descr: Descr::None,
        };
        match self.split(&mut way, test, target) {
            Err(why) => ControlFlow::Break(PathEnd::Leave(way, why)),
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
    pub fn switch(&mut self, mut way: Path, code: &JitCode, value: Opnd, table: u16) -> Flow {
        let value = way.operand(code, value);
        let table = &code.switches[usize::from(table)];
        match self.constant(&mut way, value) {
            Err(Ended) => return ControlFlow::Break(PathEnd::Dead(way)),
            Ok(Some(constant)) => {
                way.goto(table.lookup(constant.word() as i64));
                return ControlFlow::Continue(way);
            }
            Ok(None) => {}
        }
        let arm_of = |_: &Self, word| Some(arm(table, word as i64).unwrap_or(table.cases.len()));
        let (arms, is_all) = match self.limits.lazy {
            Lazy::None => (every(table.cases.len() + 1), true),
            _ => match self.taken(&way, value, arm_of) {
                Taken::Arms(arms) => (arms, false),
                Taken::All => (every(table.cases.len() + 1), true),
                Taken::Nothing => return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Arm)),
            },
        };
        let (&last, sides) = arms.split_last().expect("some arm is taken");
        if !sides.is_empty() && way.count_split() > self.limits.unroll {
            return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Limit));
        }
        for &arm in sides {
            let (case, target) = table.cases[arm as usize];
            let equal = equals(&mut way, value, case);
            if self.advance(&mut way).is_err() {
                return ControlFlow::Break(PathEnd::Dead(way));
            }
            let test = SplitTest {
                opcode: Opcode::GuardFalse,
                args: &[equal],
                descr: Descr::None,
            };
            match self.split(&mut way, test, target) {
                Err(why) => return ControlFlow::Break(PathEnd::Leave(way, why)),
                Ok(Arm::NotTaken) => {}
                Ok(Arm::Taken) => {
                    way.goto(target);
                    return ControlFlow::Continue(way);
                }
                Ok(Arm::Both(side)) => self.ways.push(side),
            }
        }
        if !is_all {
            self.guard_case(&mut way, value, last as usize, sides, table);
        }
        let last = table.cases.get(last as usize);
        way.goto(last.map_or(table.default, |case| case.1));
        ControlFlow::Continue(way)
    }

    /// A switch on the class of an object.
    pub fn class_switch(&mut self, mut way: Path, code: &JitCode, value: Opnd, table: u16) -> Flow {
        let opnd = value;
        let table = &code.switches[usize::from(table)];
        if self.advance(&mut way).is_err() {
            return ControlFlow::Break(PathEnd::Dead(way));
        }
        let object = way.operand(code, opnd);
        if object == Arg::NULL {
            return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Impossible));
        }
        let pc = way.pc();
        if let Some(class) = self.builder.class_of(&mut way.section, object) {
            return match arm(table, class.as_u32().into()) {
                Some(arm) => {
                    way.goto(table.cases[arm].1);
                    ControlFlow::Continue(way)
                }
                None => ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Class)),
            };
        }
        let arm_of = |this: &Self, word| {
            // A reference that is null where none can be has no class.
            let class = (word != 0).then(|| this.builder.class_of_live(word))??;
            arm(table, class.as_u32().into())
        };
        let (mut sides, last) = match self.limits.lazy {
            Lazy::None => (every(table.cases.len()), None),
            _ => match self.taken(&way, object, arm_of) {
                Taken::Arms(mut arms) => {
                    let last = arms.pop();
                    (arms, last)
                }
                Taken::Nothing => return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Arm)),
                Taken::All => return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Class)),
            },
        };
        if !sides.is_empty() && way.count_split() > self.limits.unroll {
            return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Limit));
        }
        for arm in sides.drain(..) {
            let (case, target) = table.cases[arm as usize];
            let test = SplitTest {
                opcode: Opcode::GuardClass,
                args: &[way.operand(code, opnd)],
                descr: ClassId::from_u32(case as u32).into(),
            };
            match self.split(&mut way, test, pc) {
                Err(why) => return ControlFlow::Break(PathEnd::Leave(way, why)),
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
        let Some(last) = last else {
            return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Class));
        };
        let (case, target) = table.cases[last as usize];
        let class = ClassId::from_u32(case as u32);
        let object = way.operand(code, opnd);
        self.guard(&mut way, Opcode::GuardClass, &[object], class.into(), pc);
        way.goto(target);
        ControlFlow::Continue(way)
    }

    /// Splits a way that is advanced: it goes on where the test holds. The other one is where it
    /// fails, at `pc`.
    fn split(&mut self, way: &mut Path, test: SplitTest<'_>, pc: Pc) -> Result<Arm, LeaveReason> {
        if self.split >= self.limits.ways {
            return Err(LeaveReason::Limit);
        }
        let values = way.values(self.unit, pc);
        if values.len() > self.limits.live {
            return Err(LeaveReason::Limit);
        }
        Ok(match self.builder.split(&mut way.section, test, &values) {
            Split::Holds => Arm::NotTaken,
            Split::Fails => Arm::Taken,
            Split::Side(section) => {
                self.split += 1;
                Arm::Both(way.on(self.unit, section, &values, pc))
            }
        })
    }
}

/// What a split leads to, with regard to the side where the test fails.
enum Arm {
    Taken,
    NotTaken,
    Both(Path),
}

/// So many arms, from the first on.
fn every(arms: usize) -> SeenTargets {
    (0..arms as u32).collect()
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
