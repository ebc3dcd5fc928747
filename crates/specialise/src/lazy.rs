//! Arms one by one, as the guest program comes to them. In: a way at a branch or switch that is not decided. Out: the way in the arm that
//! the guest program has just taken, behind a guard that it does; an exit where code is made ahead of it.
//! Invariant: the guard's exit is in front of the instruction, so that what comes there takes another arm, and finds or gets code for it.
//!
//! Source: this makes of the specialiser what basic-block versioning is: code grows by what is between two choices, with what is
//! known there of the values. The switch that grows is that of "Automatic Generation of JIT Compilers for Dynamic Languages in .NET"
//! (2009), section 4, with a branch in the place of a promotion.

use crate::step::End;
use crate::way::Way;
use crate::{Specialiser, Why};
use std::ops::ControlFlow;
use verdigris_jitcode::{Pc, SwitchTable};
use verdigris_ops::{ClassId, DataOp, Ty};
use verdigris_trace::{Arg, Descr, Opcode};

impl Specialiser<'_> {
    /// The value, as it was this time, that a way in front of an undecided instruction goes on with; none if its arms do not wait.
    ///
    /// # Errors
    /// The end of the way, if nothing has come here yet.
    pub fn chosen(
        &self,
        way: Way,
        value: Arg,
        waits: bool,
    ) -> ControlFlow<End, (Way, Option<u64>)> {
        match &way.arrived {
            _ if !waits => ControlFlow::Continue((way, None)),
            None => ControlFlow::Break(End::Leave(way, Why::Arm)),
            Some(arrived) => {
                let word = value.as_ref().and_then(|v| arrived.get(&v).copied());
                ControlFlow::Continue((way, word))
            }
        }
    }

    /// Goes the way of a branch that a condition with this value takes.
    pub fn take_branch(&mut self, way: &mut Way, condition: Arg, word: u64, arms: [Pc; 2]) {
        let opcode = match word {
            0 => Opcode::GuardFalse,
            _ => Opcode::GuardTrue,
        };
        let pc = way.pc();
        self.guard(way, opcode, &[condition], Descr::None, pc);
        way.goto(arms[usize::from(word != 0)]);
    }

    /// Goes to the case of a switch that this value has.
    pub fn take_case(&mut self, way: &mut Way, value: Arg, word: u64, table: &SwitchTable) {
        let pc = way.pc();
        let word = word as i64;
        let is_case = table
            .cases
            .binary_search_by_key(&word, |case| case.0)
            .is_ok();
        if is_case {
            let args = [value, Arg::int(word)];
            self.guard(way, Opcode::GuardValue, &args, Descr::None, pc);
        } else {
            for &(case, _) in &table.cases {
                let args = [value, Arg::int(case)];
                let opcode = Opcode::Data(DataOp::IntEq);
                let equal = (way.strand.trace).push_def(opcode, &args, Descr::None, Ty::Int);
                self.guard(way, Opcode::GuardFalse, &[Arg::Ref(equal)], Descr::None, pc);
            }
        }
        way.goto(table.lookup(word));
    }

    /// Goes to the arm for the class of this object. False if there is none.
    pub fn take_class(
        &mut self,
        way: &mut Way,
        object: Arg,
        word: u64,
        table: &SwitchTable,
    ) -> bool {
        // A reference that is null where none can be has no class.
        let class = match word {
            0 => None,
            object => self.draft.class_of_live(object),
        };
        let target = class.and_then(|class| arm(table, class));
        let (Some(class), Some(target)) = (class, target) else {
            return false;
        };
        let pc = way.pc();
        self.guard(way, Opcode::GuardClass, &[object], class.into(), pc);
        way.goto(target);
        true
    }
}

/// The arm for a class.
fn arm(table: &SwitchTable, class: ClassId) -> Option<Pc> {
    let key = i64::from(class.as_u32());
    let found = table.cases.binary_search_by_key(&key, |case| case.0);
    found.ok().map(|n| table.cases[n].1)
}
