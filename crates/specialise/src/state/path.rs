//! A path through the interpreter: its frames, and the section of code that grows with it.
//!
//! Invariant: a live register holds a constant or a value of the section's trace.

use crate::sabotage::Sabotage;
use crate::state::frame::{PathFrame, position};
use crate::threaded::Holes;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use verdigris_jitcode::{CodeId, JitCode, Opnd, Pc, Reg, Unit};
use verdigris_ops::{DataOp, Effect, Ty};
use verdigris_opt::OpenSection;
use verdigris_trace::{Arg, Const, Opcode, RecordedOp, SnapshotId, ValRef};

/// How many operations back a condition's operands are looked for.
const LOOK_BACK: usize = 24;

/// A path through the interpreter.
pub(crate) struct Path {
    pub section: Box<OpenSection>,
    /// The outermost first.
    pub frames: Vec<PathFrame>,
    /// The next merge point is a loop's header.
    pub pending: bool,
    /// It is at the merge point where the code starts.
    pub starts: bool,
    /// An object may have been made since the last header.
    pub allocates: bool,
    /// Instructions since the last merge point.
    pub steps: usize,
    /// Splits since the last merge point: frame depth, instruction and count.
    pub splits: Vec<(usize, Pc, usize)>,
    /// It has a label already, which later code can jump to.
    pub labelled: bool,
    /// At a merge point: a hash of the previous position, if known.
    pub from: Option<u64>,
    /// At the instruction where compiled code was left: the words of its fail arguments this time.
    pub arrived: Option<Rc<FxHashMap<ValRef, u64>>>,
    /// Behind that instruction, up to the next merge point: the same words. They say which arm of a
    /// later switch the guest program is about to take.
    pub left_with: Option<Rc<FxHashMap<ValRef, u64>>>,
    /// How many values the promoted one among them has been compared with already.
    pub compared: u32,
    /// The next instruction is a promotion that is left out.
    pub generalise: bool,
    /// It need not wait for others where it is: it has done so, or goes on without them.
    pub waited: bool,
    /// The holes, on a path of a stencil.
    pub holes: Option<Box<Holes>>,
}

impl Path {
    /// A path without frames.
    pub fn new(section: Box<OpenSection>) -> Path {
        Path {
            section,
            frames: Vec::new(),
            pending: false,
            starts: false,
            allocates: false,
            steps: 0,
            splits: Vec::new(),
            labelled: false,
            from: None,
            arrived: None,
            left_with: None,
            compared: 0,
            generalise: false,
            waited: false,
            holes: None,
        }
    }

    /// Pushes a frame at the start of a function.
    pub fn push_frame(&mut self, unit: &Unit, code: CodeId) {
        self.frames.push(PathFrame::new(code, &unit.codes[code]));
    }

    /// The innermost frame.
    pub fn top(&mut self) -> &mut PathFrame {
        self.frames.last_mut().expect("a path has a frame")
    }

    /// The jitcode of the innermost frame.
    pub fn code<'u>(&self, unit: &'u Unit) -> &'u JitCode {
        let frame = self.frames.last().expect("a path has a frame");
        &unit.codes[frame.code]
    }

    /// Where the innermost frame is.
    pub fn pc(&self) -> Pc {
        self.frames.last().expect("a path has a frame").pc
    }

    /// Attributes the operations that follow to the innermost frame's instruction.
    pub fn mark_position(&mut self) {
        let frame = self.frames.last().expect("a path has a frame");
        self.section.step(frame.code.as_u32(), frame.pc.0);
    }

    /// A register of the innermost frame.
    pub fn reg(&self, reg: Reg) -> Arg {
        let frame = self.frames.last().expect("a path has a frame");
        frame.regs[usize::from(reg.0)]
    }

    /// Writes a register of the innermost frame.
    pub fn set(&mut self, reg: Reg, value: Arg) {
        let top = self.top();
        top.regs[usize::from(reg.0)] = value;
        if let Some(source) = top.sources.get_mut(usize::from(reg.0)) {
            *source = None;
        }
    }

    /// Writes these registers of the innermost frame.
    pub fn set_all(&mut self, values: &[(Reg, ValRef)]) {
        for &(reg, value) in values {
            self.set(reg, Arg::Ref(value));
        }
    }

    /// An operand of the innermost frame's instruction.
    pub fn operand(&self, code: &JitCode, opnd: Opnd) -> Arg {
        match opnd {
            Opnd::Reg(reg) => self.reg(reg),
            Opnd::Const(n) => {
                let constant = code.consts[usize::from(n)];
                Arg::Const(Const::new(constant.ty(), constant.word()))
            }
        }
    }

    /// Goes on at an instruction of the innermost frame.
    pub fn goto(&mut self, pc: Pc) {
        self.top().pc = pc;
    }

    /// Goes on at the next instruction.
    pub fn next(&mut self) {
        self.top().pc.0 += 1;
    }

    /// Counts splits at this instruction; returns the new count.
    pub fn count_split(&mut self) -> usize {
        let (depth, pc) = (self.frames.len(), self.pc());
        let known = self.splits.iter_mut().find(|s| (s.0, s.1) == (depth, pc));
        match known {
            Some((_, _, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.splits.push((depth, pc, 1));
                1
            }
        }
    }

    /// Whether a condition, which has just been computed, is about the interpreter's
    /// representation: a null check, or a comparison with the length of an array. It mostly has the
    /// same result, whatever the guest program does.
    pub fn is_about_representation(&self, condition: Arg) -> bool {
        let Some(asked) = self.definition(condition) else {
            return false;
        };
        match asked.opcode() {
            Opcode::Data(DataOp::PtrEq | DataOp::PtrNe) => {
                asked.args().iter().any(|arg| arg == Arg::NULL)
            }
            Opcode::Data(op) if op.effect() == Effect::Pure => {
                let is_length = |arg| {
                    let definition = self.definition(arg);
                    definition.is_some_and(|op| op.opcode() == Opcode::Data(DataOp::ArrayLen))
                };
                asked.args().iter().any(is_length)
            }
            _ => false,
        }
    }

    /// A hash of the position in the guest program and in the interpreter. None if the former is
    /// not known.
    pub fn branch_site(&self) -> Option<u64> {
        self.section.place.map(|_| self.position())
    }

    /// The operation that computed a value, if it is among the latest.
    fn definition(&self, value: Arg) -> Option<RecordedOp<'_>> {
        let value = value.as_ref()?;
        let ops = self.section.trace.ops();
        let latest = (0..ops.len()).rev().take(LOOK_BACK).map(|n| ops.at(n));
        let mut latest = latest.filter(|op| op.result() == Some(value));
        latest.next()
    }

    /// A hash of the position in the interpreter, and of that in the guest program if it is known.
    pub fn position(&self) -> u64 {
        let frames = self.frames.iter().map(|frame| (frame.code, frame.pc));
        position(self.section.place, frames)
    }

    /// The frames as they are now; the innermost goes on at `pc`.
    pub fn snapshot(&mut self, unit: &Unit, pc: Pc) -> SnapshotId {
        self.fill_holes(unit, pc);
        let shown = |holes: &Option<Box<Holes>>, frame: &PathFrame, reg: Reg| match holes {
            Some(holes) => holes.shown(frame, reg),
            None => frame.regs[usize::from(reg.0)],
        };
        let (top, outer) = self.frames.split_last_mut().expect("a path has a frame");
        let trace = &mut self.section.trace;
        let mut parent = None;
        for frame in outer {
            let snapshot = match frame.suspended {
                Some(snapshot) => snapshot,
                None => {
                    let regs = frame.suspended_regs(unit).into_iter();
                    let regs = regs.map(|r| (r.0, shown(&self.holes, frame, r)));
                    trace.push_snapshot((frame.code.as_u32(), frame.pc.0), regs, parent)
                }
            };
            frame.suspended = Some(snapshot);
            parent = Some(snapshot);
        }
        let live = unit.codes[top.code].live_at(pc).iter();
        let regs = live.map(|r| (r.0, shown(&self.holes, top, *r)));
        trace.push_snapshot((top.code.as_u32(), pc.0), regs, parent)
    }

    /// The values of all frames, each once, if the innermost goes on at `pc`.
    pub fn values(&self, unit: &Unit, pc: Pc) -> Vec<(Arg, Ty)> {
        let (top, outer) = self.frames.split_last().expect("a path has a frame");
        let outer = outer.iter().map(|f| (f, f.suspended_regs(unit)));
        let live = unit.codes[top.code].live_at(pc).to_vec();
        let mut values = Vec::new();
        if let Some(holes) = &self.holes {
            values.push((Arg::Ref(holes.record), Ty::Int));
        }
        for (frame, regs) in outer.chain([(top, live)]) {
            for reg in regs {
                let value = frame.regs[usize::from(reg.0)];
                if let Arg::Ref(v) = value
                    && !values.iter().any(|&(known, _)| known == value)
                {
                    values.push((value, self.section.trace.types[v]));
                }
            }
        }
        values
    }

    /// Replaces values of outer frames that are known constants, so that a join does not generalise
    /// the position in a caller.
    pub fn name_constants(&mut self) {
        let (_, outer) = self.frames.split_last_mut().expect("a path has a frame");
        for value in outer.iter_mut().flat_map(|frame| &mut frame.regs) {
            if let Some(constant) = self.section.constant(*value) {
                *value = Arg::Const(constant);
            }
        }
    }

    /// As [`Path::name_constants`], in the innermost frame as well.
    pub fn name_all_constants(&mut self, unit: &Unit) {
        self.name_constants();
        let top = self.frames.last_mut().expect("a path has a frame");
        let values = top.regs.iter_mut().zip(&unit.codes[top.code].regs);
        // A word may be known by the value in it.
        for (value, _) in values.filter(|(_, ty)| **ty != Ty::Word) {
            if let Some(constant) = self.section.constant(*value) {
                *value = Arg::Const(constant);
            }
        }
    }

    /// The registers that hold the path's state within an instruction of the guest program.
    pub fn slots_within(&self, unit: &Unit) -> Slots {
        let top = self.frames.last().expect("a path has a frame");
        let live = unit.codes[top.code].live_at(top.pc).iter().copied();
        self.slots(
            unit,
            live.filter(|reg| top.regs[usize::from(reg.0)].as_ref().is_some()),
        )
    }

    /// The registers that hold the path's state at the innermost frame's merge point, without those
    /// that are the same for all paths that come there from these calls.
    pub fn slots(&self, unit: &Unit, reds: impl Iterator<Item = Reg>) -> Slots {
        let (top, outer) = self.frames.split_last().expect("a path has a frame");
        let mut slots = Slots::default();
        for (depth, frame) in outer.iter().enumerate() {
            let regs = frame.suspended_regs(unit).into_iter();
            let variable = regs.filter(|reg| frame.regs[usize::from(reg.0)].as_ref().is_some());
            slots.extend(depth, &unit.codes[frame.code], variable);
        }
        slots.extend(outer.len(), &unit.codes[top.code], reds);
        slots
    }

    /// The same frames on another section, which has these values as inputs.
    pub fn on(&self, unit: &Unit, section: Box<OpenSection>, values: &[(Arg, Ty)], pc: Pc) -> Path {
        let inputs = section.trace.inputs.iter();
        let new: FxHashMap<ValRef, Arg> = (values.iter())
            .filter_map(|(old, _)| old.as_ref())
            .zip(inputs.map(|&v| Arg::Ref(v)))
            .collect();
        let frames = self.frames.iter().map(|frame| frame.renamed(unit, &new));
        let mut path = Path {
            frames: frames.collect(),
            section,
            splits: self.splits.clone(),
            arrived: None,
            left_with: None,
            waited: false,
            holes: self.holes.as_ref().map(|holes| holes.renamed(&new)),
            ..*self
        };
        path.goto(pc);
        if Sabotage::ForgetOuter.is_on() {
            let outer = path.frames.iter_mut().rev().skip(1);
            outer.flat_map(|frame| &mut frame.regs).for_each(|value| {
                if let Arg::Const(Const::Int(n)) = value {
                    *n = 0;
                }
            });
        }
        path
    }

    /// A path of a stencil behind a label where this one is, without its values.
    pub fn behind(&self, unit: &Unit, section: Box<OpenSection>, holes: Holes) -> Path {
        let place = self.section.place;
        let frames = self.frames.iter();
        let frames = frames.map(|frame| frame.renamed(unit, &FxHashMap::default()));
        let mut path = Path::new(section);
        path.frames = frames.collect();
        path.section.place = place;
        path.allocates = true;
        path.labelled = true;
        path.holes = Some(Box::new(holes));
        path
    }

    /// This path behind the label of a place within an instruction of the guest program.
    pub fn behind_join(mut self, place: Option<u32>) -> Path {
        self.section.place = place;
        self.waited = true;
        self
    }

    /// A path behind a label where this one is, with its constants alone. Paths that jump there may
    /// have made objects.
    pub fn at_label(&self, unit: &Unit, section: Box<OpenSection>) -> Path {
        Path {
            allocates: true,
            labelled: true,
            ..self.on(unit, section, &[], self.pc())
        }
    }
}

/// Registers of several frames.
#[derive(Default)]
pub(crate) struct Slots {
    /// The number of the frame, from the outermost, and the register.
    pub places: Vec<(usize, Reg)>,
    /// Their types.
    pub types: Vec<Ty>,
}

impl Slots {
    fn extend(&mut self, depth: usize, code: &JitCode, regs: impl Iterator<Item = Reg>) {
        for reg in regs {
            self.places.push((depth, reg));
            self.types.push(code.regs[usize::from(reg.0)]);
        }
    }

    /// Their values in the frames of a path.
    pub fn values(&self, path: &Path) -> Vec<Arg> {
        let values = self.places.iter();
        let values = values.map(|&(depth, reg)| path.frames[depth].regs[usize::from(reg.0)]);
        values.collect()
    }
}
