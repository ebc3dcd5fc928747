//! Compiles the sections of a trace to one piece of code: one pass forwards over each section
//! allocates registers and emits code at the same time; stubs and cold paths follow.

mod addresses;
mod calls;
pub(crate) mod compare;
mod division;
pub(crate) mod flags;
pub(crate) mod floats;
pub(crate) mod frame;
mod ints;
pub(crate) mod labels;
pub(crate) mod links;
mod magic;
mod memory;
mod objects;
pub(crate) mod portal;
pub(crate) mod state;
mod suspended;
pub(crate) mod threaded;

use crate::code::{GuardPatch, Unit};
use crate::line_table::Mark;
use crate::liveness::Pos;
use crate::locations::{Loc, ValueLoc};
use crate::lower::flags::is_truth;
use crate::lower::floats::float_op;
use crate::lower::ints::int_op;
use crate::lower::labels::{TraceLabel, TraceLabels};
use crate::lower::links::{Links, Outcome, unsupported};
use crate::lower::state::{Lower, Work};
use crate::regalloc::moves::{move_one, store};
use crate::registers::threaded_convention;
use crate::trampolines::exit_word;
use verdigris_backend::{Section, SectionEnd};
use verdigris_ops::DataOp;
use verdigris_trace::{Arg, Opcode, OptimisedOp, OptimisedOps, TargetId, ValRef};

/// Where a bridge starts: a guard of a unit.
pub(crate) type Start<'a> = (&'a Unit, &'a GuardPatch);

/// Compiled code, which lies in the assembler and is not placed yet.
pub(crate) struct Lowered {
    /// Bytes of the frame.
    pub(crate) frame: u32,
    /// The offset of the code that runs most often.
    pub(crate) hot: u32,
    pub(crate) labels: Vec<TraceLabel>,
}

/// Compiles sections; the first one is a bridge from `start` if it has no label.
pub(crate) fn lower(
    links: &Links<'_>,
    work: &mut Work,
    sections: &[Section<'_>],
    start: Option<Start<'_>>,
) -> Outcome<Lowered> {
    work.regs.asm.clear(work.lines.wants_text());
    work.regs.slots.forget();
    work.exits.clear();
    work.cold.clear();
    let labels = TraceLabels::new(sections, &mut work.regs.asm);
    let mut lower = Lower::new(links, work, labels);
    let mut hot = 0;
    for n in 0..sections.len() {
        hot = lower.section(sections, n, start)?.unwrap_or(hot);
    }
    lower.cold_paths();
    lower.stubs();
    let slots = lower.work.regs.slots.count();
    let frame = lower.frame.finish(slots, &mut lower.work.regs.asm)?;
    let labels = lower.labels.list;
    Ok(Lowered { frame, hot, labels })
}

impl<'a> Lower<'a> {
    /// Compiles a section. Returns where its operations begin if it is a loop.
    fn section(
        &mut self,
        sections: &[Section<'a>],
        n: usize,
        start: Option<Start<'_>>,
    ) -> Outcome<Option<u32>> {
        let section = &sections[n];
        self.labels.prepare(n, section, &mut self.work.regs.values);
        self.regs().forget();
        self.work.barriers.clear();
        self.small_array = None;
        match section.label {
            Some(target) => self.begin(sections, target),
            None => self.begin_bridge(section, start.expect("a bridge starts at a guard")),
        }
        let is_loop =
            matches!(section.end, SectionEnd::Jump(target, _) if Some(target) == section.label);
        let hot = is_loop.then(|| self.asm().here());
        self.hints(section);
        self.operations(section.ops, section.first)?;
        let mark = Mark::here(self.asm());
        self.regs().pos = section.ops.len() as Pos + 1;
        match &section.end {
            SectionEnd::Finish(values) => self.finish_portal(values),
            SectionEnd::Jump(target, args) => self.jump(sections, n, *target, args),
            SectionEnd::Thread(args) => self.thread(args),
            // It has been one of the operations.
            SectionEnd::Leave => return Ok(hot),
        }
        self.work.add_lines(mark, section.last()..=section.last());
        Ok(hot)
    }

    fn begin(&mut self, sections: &[Section<'a>], target: TargetId) {
        let label = self
            .labels
            .find(target)
            .expect("a section's label is known");
        let regs = &mut self.work.regs;
        if !self.labels.list[label].is_decided {
            let values = &mut regs.values;
            (self.labels).decide(label, self.links, sections, values, None);
        }
        let label = &mut self.labels.list[label];
        let params = sections[label.section].params;
        // A guard that came first did not know what the section uses.
        for (&param, loc) in params.iter().zip(&mut label.contract) {
            if regs.values.map[param].death == 0 {
                *loc = Loc::NONE;
            }
        }
        regs.asm.note(|out| {
            use std::fmt::Write;
            write!(out, "; {target}")
        });
        regs.asm.bind(label.label);
        if self.links.is_threaded && label.section == 0 {
            self.frame.set(&mut regs.asm);
        }
        for (&param, &loc) in params.iter().zip(&label.contract) {
            if loc.is_some() {
                regs.put(param, loc);
            }
        }
    }

    fn begin_bridge(&mut self, section: &Section<'_>, (unit, guard): Start<'_>) {
        self.frame.at_least(unit.frame);
        let regs = &mut self.work.regs;
        self.frame.set(&mut regs.asm);
        let places = || {
            let fails = unit.fails_of(guard).iter().map(|&fail| unit.place(fail));
            section.params.iter().copied().zip(fails)
        };
        for (param, place) in places() {
            match place {
                ValueLoc::Const(word) => regs.values.map[param].known = Some(word),
                ValueLoc::At(_) if regs.values.map[param].death == 0 => {}
                ValueLoc::At(loc) if regs.is_taken(loc) => {}
                ValueLoc::At(loc) => regs.put(param, loc),
            }
        }
        // Parameters that are names of one value in front of the guard are values of their own
        // here.
        for (param, place) in places() {
            if let ValueLoc::At(_) = place
                && regs.values.map[param].death != 0
                && !regs.is_defined(param)
            {
                let slot = regs.slots.take();
                move_one(&mut regs.asm, place, slot);
                regs.put(param, slot);
            }
        }
    }

    /// Lets values be made where the label that the section jumps to wants them.
    fn hints(&mut self, section: &Section<'_>) {
        let (outside, convention);
        let (contract, args): (&[Loc], _) = match &section.end {
            SectionEnd::Jump(target, args) => match self.labels.find(*target) {
                Some(label) => (&self.labels.list[label].contract, args),
                None => match (self.links.label)(*target) {
                    Some(label) => {
                        outside = label;
                        (&outside.contract, args)
                    }
                    None => return,
                },
            },
            SectionEnd::Thread(args) => {
                let types = args.iter().map(|&arg| self.links.trace.ty(arg));
                convention = threaded_convention(types);
                (&convention, args)
            }
            _ => return,
        };
        let values = &mut self.work.regs.values.map;
        for (arg, &loc) in args.iter().zip(contract) {
            if let Arg::Ref(v) = arg
                && loc.is_some()
                && !loc.is_slot()
            {
                let canon = values[*v].canon;
                values[canon].hint = loc;
            }
        }
    }

    /// Compiles operations, of which the first has this place in the trace.
    fn operations(&mut self, ops: OptimisedOps<'a>, first: u32) -> Outcome {
        let mut n = 0;
        while let Some(op) = ops.get(n) {
            self.work.regs.pos = n as Pos + 1;
            self.work.barriers.pass(op);
            if self.work.regs.values.is_nothing(op) {
                n += 1;
                continue;
            }
            let mark = Mark::here(self.asm());
            self.reserve(ops.skip_to(n));
            self.work.regs.values.advance(op.args());
            let last = self.operation(ops, n)?;
            (self.work).add_lines(mark, first + n as u32..=first + last as u32);
            for (past, op) in ops.slice(n..last + 1).iter().enumerate() {
                if past > 0 {
                    self.work.barriers.pass(op);
                }
                if !self.work.regs.values.is_nothing(op) {
                    self.work.regs.end_operation(mentioned(op));
                }
            }
            n = last + 1;
        }
        Ok(())
    }

    /// Compiles an operation, with those behind it that are compiled together with it. Returns the
    /// last one.
    fn operation(&mut self, ops: OptimisedOps<'a>, n: usize) -> Outcome<usize> {
        let op = ops.at(n);
        if let Some(user) = self.read_into(ops, n) {
            let last = self.operation(ops, user);
            self.regs().unloaded = None;
            return last;
        }
        match op.opcode() {
            // It has been computed together with another operation.
            Opcode::Data(_) if op.result().is_some_and(|v| self.work.regs.is_defined(v)) => Ok(n),
            Opcode::Data(data) => self.data(data, ops, n),
            Opcode::Call => {
                self.call(ops, n);
                Ok(n)
            }
            Opcode::Hole => {
                self.hole(op);
                Ok(n)
            }
            Opcode::GuardRoom => {
                self.guard_room(op);
                Ok(n)
            }
            _ => self.guard(op).map(|()| n),
        }
    }

    /// Compiles a data operation, with those behind it that are compiled together with it. Returns
    /// the last one.
    fn data(&mut self, data: DataOp, ops: OptimisedOps<'a>, n: usize) -> Outcome<usize> {
        if is_truth(data) {
            return Ok(self.truth(data, ops, n));
        }
        let op = ops.at(n);
        let Some(result) = op.result() else {
            return self.write(data, op).map(|()| n);
        };
        let args = &op.args().list()[..];
        match data {
            DataOp::New | DataOp::NewArray => self.allocate(data, op, result),
            DataOp::FloatToInt => self.truncate(op.arg(0), result),
            _ if !data.is_pure() => self.read(op, result),
            _ if int_op(self.regs(), data, args, result) => {}
            _ if float_op(self.regs(), data, args, result) => {}
            _ => return unsupported(data),
        }
        Ok(n)
    }

    fn jump(&mut self, sections: &[Section<'a>], n: usize, target: TargetId, args: &[Arg]) {
        let work = &mut *self.work;
        let regs = &mut work.regs;
        work.jump_args.clear();
        (work.jump_args).extend(args.iter().map(|&arg| regs.place(arg)));
        let moves = &mut work.moves;
        let mut pass = |contract: &[Loc], asm: &mut _| {
            for (&from, &to) in work.jump_args.iter().zip(contract) {
                if to.is_some() {
                    moves.add(from, to);
                }
            }
            moves.emit(asm);
        };
        let Some(local) = self.labels.find(target) else {
            let label = (self.links.label)(target).expect("a checked jump has a target");
            pass(&label.contract, &mut regs.asm);
            self.frame.at_least(label.unit.frame);
            return regs.asm.jump_out(label.address());
        };
        if !self.labels.list[local].is_decided {
            let (values, from) = (&mut regs.values, Some(&work.jump_args[..]));
            (self.labels).decide(local, self.links, sections, values, from);
        }
        let label = &self.labels.list[local];
        pass(&label.contract, &mut regs.asm);
        if label.section != n + 1 {
            regs.asm.jump(label.label);
        }
    }

    /// The portal returns.
    fn finish_portal(&mut self, values: &[Arg]) {
        let regs = &mut self.work.regs;
        for (n, &value) in values.iter().enumerate() {
            let place = regs.place(value);
            store(&mut regs.asm, place, exit_word(n));
        }
        if values.is_empty() {
            store(&mut regs.asm, ValueLoc::Const(0), exit_word(0));
        }
        regs.asm.jump_out(self.links.handlers.finish);
    }
}

/// All values that an operation mentions.
fn mentioned(op: OptimisedOp<'_>) -> impl Iterator<Item = ValRef> + '_ {
    let args = op.args().values();
    args.chain(op.fail_args().iter().copied())
        .chain(op.definitions())
}
