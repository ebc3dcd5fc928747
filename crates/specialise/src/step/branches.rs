//! Branches, switches on integers and switches on classes: a path continues in each arm that the
//! optimiser does not exclude.
//!
//! An arm that panics has no path of its own: a guard leads there, since it is run once.

use super::flow::{Flow, PathEnd};
use super::taken_arms::{TakenArms, arm, equals};
use crate::limits::{Lazy, LeaveReason};
use crate::specialiser::Specialiser;
use crate::state::history::SeenTargets;
use crate::state::path::Path;
use std::ops::ControlFlow;
use verdigris_jitcode::{Insn, JitCode, Opnd, Pc};
use verdigris_ops::ClassId;
use verdigris_opt::{Ended, Split, SplitTest};
use verdigris_trace::{Arg, Descr, Opcode};

/// The most instructions in front of a panic in an arm that does nothing else.
const PANIC_LENGTH: usize = 16;

impl Specialiser<'_> {
    /// A branch.
    pub fn branch(&mut self, mut path: Path, code: &JitCode, cond: Opnd, target: Pc) -> Flow {
        let value = path.operand(code, cond);
        let pc = path.pc();
        let behind = Pc(pc.0 + 1);
        match self.constant(&mut path, value) {
            Err(Ended) => return ControlFlow::Break(PathEnd::Dead(path)),
            Ok(Some(constant)) => {
                path.goto(if constant.word() != 0 { behind } else { target });
                return ControlFlow::Continue(path);
            }
            Ok(None) => {}
        }
        for (opcode, cold, warm) in [
            (Opcode::GuardTrue, target, behind),
            (Opcode::GuardFalse, behind, target),
        ] {
            if panics(code, cold) {
                self.guard(&mut path, opcode, &[value], Descr::None, pc);
                path.goto(warm);
                return ControlFlow::Continue(path);
            }
        }
        let waits = match self.limits.lazy {
            Lazy::None => false,
            // The path left here because the condition was about representation.
            Lazy::Types => path.arrived.is_some() || path.is_about_representation(value),
            Lazy::All => true,
        };
        let arms = match waits {
            true => self.taken(&path, value, |_, word| Some(usize::from(word != 0))),
            false => TakenArms::All,
        };
        match arms {
            TakenArms::Nothing => {
                return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Arm));
            }
            TakenArms::These(arms) if arms.len() == 1 => {
                let taken = arms[0] != 0;
                self.guard_arm(&mut path, value, taken);
                path.goto(if taken { behind } else { target });
                return ControlFlow::Continue(path);
            }
            TakenArms::These(_) | TakenArms::All => {}
        }
        if path.count_split() > self.limits.unrolled_splits {
            return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Limit));
        }
        let test = SplitTest {
            opcode: Opcode::GuardTrue,
            args: &[value],
            descr: Descr::None,
        };
        match self.split(&mut path, test, target) {
            Err(why) => ControlFlow::Break(PathEnd::Leave(path, why)),
            Ok(Arm::Taken) => {
                path.goto(target);
                ControlFlow::Continue(path)
            }
            Ok(Arm::NotTaken) => {
                path.goto(behind);
                ControlFlow::Continue(path)
            }
            Ok(Arm::Both(side)) => {
                self.paths.push(side);
                path.goto(behind);
                ControlFlow::Continue(path)
            }
        }
    }

    /// A switch on an integer.
    pub fn switch(&mut self, mut path: Path, code: &JitCode, value: Opnd, table: u16) -> Flow {
        let value = path.operand(code, value);
        let table = &code.switches[usize::from(table)];
        match self.constant(&mut path, value) {
            Err(Ended) => return ControlFlow::Break(PathEnd::Dead(path)),
            Ok(Some(constant)) => {
                path.goto(table.lookup(constant.word() as i64));
                return ControlFlow::Continue(path);
            }
            Ok(None) => {}
        }
        let arm_of = |_: &Self, word| Some(arm(table, word as i64).unwrap_or(table.cases.len()));
        let (arms, is_all) = match self.limits.lazy {
            Lazy::None => (every(table.cases.len() + 1), true),
            _ => match self.taken(&path, value, arm_of) {
                TakenArms::These(arms) => (arms, false),
                TakenArms::All => (every(table.cases.len() + 1), true),
                TakenArms::Nothing => {
                    return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Arm));
                }
            },
        };
        let (&last, sides) = arms.split_last().expect("some arm is taken");
        if !sides.is_empty() && path.count_split() > self.limits.unrolled_splits {
            return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Limit));
        }
        for &arm in sides {
            let (case, target) = table.cases[arm as usize];
            let equal = equals(&mut path, value, case);
            if self.advance(&mut path).is_err() {
                return ControlFlow::Break(PathEnd::Dead(path));
            }
            let test = SplitTest {
                opcode: Opcode::GuardFalse,
                args: &[equal],
                descr: Descr::None,
            };
            match self.split(&mut path, test, target) {
                Err(why) => return ControlFlow::Break(PathEnd::Leave(path, why)),
                Ok(Arm::NotTaken) => {}
                Ok(Arm::Taken) => {
                    path.goto(target);
                    return ControlFlow::Continue(path);
                }
                Ok(Arm::Both(side)) => self.paths.push(side),
            }
        }
        if !is_all {
            self.guard_case(&mut path, value, last as usize, sides, table);
        }
        let last = table.cases.get(last as usize);
        path.goto(last.map_or(table.default, |case| case.1));
        ControlFlow::Continue(path)
    }

    /// A switch on the class of an object.
    pub fn class_switch(
        &mut self,
        mut path: Path,
        code: &JitCode,
        value: Opnd,
        table: u16,
    ) -> Flow {
        let opnd = value;
        let table = &code.switches[usize::from(table)];
        if self.advance(&mut path).is_err() {
            return ControlFlow::Break(PathEnd::Dead(path));
        }
        let object = path.operand(code, opnd);
        if object == Arg::NULL {
            return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Impossible));
        }
        let pc = path.pc();
        if let Some(class) = self.builder.class_of(&mut path.section, object) {
            return match arm(table, class.as_u32().into()) {
                Some(arm) => {
                    path.goto(table.cases[arm].1);
                    ControlFlow::Continue(path)
                }
                None => ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Class)),
            };
        }
        let arm_of = |this: &Self, word| {
            // A null reference has no class, even where none can be.
            let class = (word != 0).then(|| this.builder.class_of_live(word))??;
            arm(table, class.as_u32().into())
        };
        let (mut sides, last) = match self.limits.lazy {
            Lazy::None => (every(table.cases.len()), None),
            _ => match self.taken(&path, object, arm_of) {
                TakenArms::These(mut arms) => {
                    let last = arms.pop();
                    (arms, last)
                }
                TakenArms::Nothing => {
                    return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Arm));
                }
                TakenArms::All => {
                    return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Class));
                }
            },
        };
        if !sides.is_empty() && path.count_split() > self.limits.unrolled_splits {
            return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Limit));
        }
        for arm in sides.drain(..) {
            let (case, target) = table.cases[arm as usize];
            let test = SplitTest {
                opcode: Opcode::GuardClass,
                args: &[path.operand(code, opnd)],
                descr: ClassId::from_u32(case as u32).into(),
            };
            match self.split(&mut path, test, pc) {
                Err(why) => return ControlFlow::Break(PathEnd::Leave(path, why)),
                Ok(Arm::NotTaken) => {
                    path.goto(target);
                    return ControlFlow::Continue(path);
                }
                Ok(Arm::Taken) => {}
                Ok(Arm::Both(other)) => {
                    path.goto(target);
                    self.paths.push(std::mem::replace(&mut path, other));
                }
            }
        }
        let Some(last) = last else {
            return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Class));
        };
        let (case, target) = table.cases[last as usize];
        let class = ClassId::from_u32(case as u32);
        let object = path.operand(code, opnd);
        self.guard(&mut path, Opcode::GuardClass, &[object], class.into(), pc);
        path.goto(target);
        ControlFlow::Continue(path)
    }

    /// Splits an advanced path: it continues where the test holds, another at `pc` where it fails.
    fn split(&mut self, path: &mut Path, test: SplitTest<'_>, pc: Pc) -> Result<Arm, LeaveReason> {
        if self.split >= self.limits.paths {
            return Err(LeaveReason::Limit);
        }
        let values = path.values(self.unit, pc);
        if values.len() > self.limits.live_values {
            return Err(LeaveReason::Limit);
        }
        Ok(match self.builder.split(&mut path.section, test, &values) {
            Split::Holds => Arm::NotTaken,
            Split::Fails => Arm::Taken,
            Split::Side(section) => {
                self.split += 1;
                Arm::Both(path.on(self.unit, section, &values, pc))
            }
        })
    }
}

/// Whether the side where a test fails is taken.
enum Arm {
    Taken,
    NotTaken,
    Both(Path),
}

/// All arms of a switch with this many.
fn every(arms: usize) -> SeenTargets {
    (0..arms as u32).collect()
}

/// Whether an instruction only leads to a panic.
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
