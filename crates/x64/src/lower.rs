//! Compiles the sections of a trace to one piece of code. In: checked sections, and where a bridge
//! starts. Out: code, and what is to be known of guards and labels. Invariant: at a label its
//! parameters are where its contract says, and nothing else is anywhere; the contract is made by
//! the code that gets there first, so that an entry flows into its loop.

use crate::asm::Label;
use crate::file::{File, PRESERVED, Slots};
use crate::glue::Handlers;
use crate::guards::Stub;
use crate::moves::Moves;
use crate::origins::Origins;
use crate::slow::Slow;
use crate::suspended::Record;
use crate::unit::{LabelCode, Site, Sites, Unit};
use crate::values::{FIRST_SLOT, Loc, NEVER, Place, Pos};
use std::rc::Rc;
use verdigris_backend::barriers::Barriers;
use verdigris_backend::{BackendError, Callees, MAX_FRAME, Section, SectionEnd};
use verdigris_ops::{Descrs, Ty};
use verdigris_trace::{Arg, Opcode, OptimisedOp, OptimisedOps, OptimisedTrace, TargetId, ValRef};

/// Vectors and tables that are used again.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) file: File,
    pub(crate) moves: Moves,
    pub(crate) sites: Sites,
    pub(crate) stubs: Vec<Stub>,
    /// Where guards have the values that they pass to labels of the same trace.
    pub(crate) sides: Vec<Place>,
    pub(crate) slow: Vec<Slow>,
    pub(crate) barriers: Barriers,
    pub(crate) origins: Origins,
    /// What slow paths store.
    pub(crate) stores: Vec<Place>,
    places: Vec<Place>,
}

/// What a compilation may look at.
pub(crate) struct Links<'a> {
    pub(crate) trace: &'a OptimisedTrace,
    pub(crate) descrs: &'a Descrs,
    pub(crate) callees: Option<&'a dyn Callees>,
    /// Labels of other traces.
    pub(crate) label: &'a dyn Fn(TargetId) -> Option<Rc<LabelCode>>,
    pub(crate) handlers: &'a Handlers,
    /// Whether guards have to fail once although they hold.
    pub(crate) forced: bool,
    /// Whether records name the first label.
    pub(crate) is_threaded: bool,
}

/// A label of the trace that is being compiled.
pub(crate) struct Local {
    pub(crate) target: TargetId,
    pub(crate) label: Label,
    /// Empty until it is decided, if there are parameters.
    pub(crate) contract: Vec<Loc>,
    pub(crate) is_decided: bool,
    /// Which section it starts.
    section: usize,
}

/// Where a bridge starts: a guard of a unit.
pub(crate) type Start<'a> = (&'a Unit, &'a Site);

/// Compiles one trace.
pub(crate) struct Lower<'a> {
    pub(crate) links: &'a Links<'a>,
    pub(crate) work: &'a mut Work,
    pub(crate) locals: Vec<Local>,
    /// Words at the end of the frame for arguments.
    pub(crate) out_words: u32,
    /// The frame is at least so large.
    pub(crate) min_frame: u32,
    /// Places in the code where the frame's size belongs.
    pub(crate) frame_fixups: Vec<u32>,
    /// The section whose values are prepared.
    prepared: Option<usize>,
    /// The offset of the code that runs most often.
    hot: u32,
    /// What the last call that kept something kept it in.
    pub(crate) record: Option<Record>,
    /// What the scratch register holds: an index times a stride.
    pub(crate) distance: Option<(ValRef, u32)>,
    /// The last small array of constant length that was made, and its length.
    pub(crate) small_array: Option<(ValRef, u32)>,
}

/// Code that has been made.
pub(crate) struct Made {
    pub(crate) frame: u32,
    pub(crate) hot: u32,
    pub(crate) locals: Vec<Local>,
}

pub(crate) type Outcome<T = ()> = Result<T, BackendError>;

/// The compilation ends here.
pub(crate) fn unsupported<T>(what: impl std::fmt::Display) -> Outcome<T> {
    Err(BackendError(format!("{what} is not supported")))
}

/// So many registers a contract may fill, so that operations have some.
const MOST_GPRS: u32 = 10;
const MOST_XMMS: u32 = 13;

impl<'a> Lower<'a> {
    pub(crate) fn new(links: &'a Links<'a>, work: &'a mut Work) -> Lower<'a> {
        work.file.asm.clear(work.origins.wants_text());
        work.file.forget_frame();
        work.sites.clear();
        work.stubs.clear();
        work.sides.clear();
        work.slow.clear();
        work.stores.clear();
        Lower {
            links,
            work,
            locals: Vec::new(),
            out_words: 0,
            min_frame: 0,
            frame_fixups: Vec::new(),
            prepared: None,
            hot: 0,
            record: None,
            distance: None,
            small_array: None,
        }
    }

    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.work.file
    }

    /// Makes the code.
    pub(crate) fn sections(
        mut self,
        sections: &[Section<'a>],
        start: Option<Start<'_>>,
    ) -> Outcome<Made> {
        for (n, section) in sections.iter().enumerate() {
            if let Some(target) = section.label {
                let label = self.work.file.asm.new_label();
                self.locals.push(Local {
                    target,
                    label,
                    contract: Vec::new(),
                    is_decided: section.params.is_empty(),
                    section: n,
                });
            }
        }
        for (n, section) in sections.iter().enumerate() {
            self.section(sections, n, section, start)?;
        }
        self.slow_paths();
        self.stubs();
        self.finish()
    }

    fn section(
        &mut self,
        sections: &[Section<'a>],
        n: usize,
        section: &Section<'a>,
        start: Option<Start<'_>>,
    ) -> Outcome {
        if self.prepared.take() != Some(n) {
            self.file().values.prepare(section);
        }
        self.file().forget();
        self.work.barriers.clear();
        (self.distance, self.small_array) = (None, None);
        match section.label {
            Some(target) => self.begin(sections, target),
            None => self.begin_bridge(section, start.expect("a bridge starts at a guard")),
        }
        let is_loop =
            matches!(section.end, SectionEnd::Jump(target, _) if Some(target) == section.label);
        if is_loop {
            self.hot = self.work.file.asm.here();
        }
        self.hints(section);
        self.operations(section.ops, section.first)?;
        let mark = self.work.mark();
        self.file().pos = section.ops.len() as Pos + 1;
        match &section.end {
            SectionEnd::Finish(values) => self.finish_portal(values),
            SectionEnd::Jump(target, args) => self.jump(sections, n, *target, args)?,
            SectionEnd::Thread(args) => self.thread(args),
            // It has been one of the operations.
            SectionEnd::Leave => return Ok(()),
        }
        self.work.originate(mark, section.last()..=section.last());
        Ok(())
    }

    pub(crate) fn local(&self, target: TargetId) -> Option<usize> {
        self.locals.iter().position(|l| l.target == target)
    }

    fn begin(&mut self, sections: &[Section<'a>], target: TargetId) {
        let local = self.local(target).expect("a section's label is known");
        if !self.locals[local].is_decided {
            self.decide(sections, local, None);
        }
        let section = &sections[self.locals[local].section];
        let label = self.locals[local].label;
        let is_named = self.links.is_threaded && self.locals[local].section == 0;
        let file = &mut self.work.file;
        // A guard that came first did not know what the section uses.
        for (&param, loc) in section.params.iter().zip(&mut self.locals[local].contract) {
            if file.values.map[param].death == 0 {
                *loc = Loc::NONE;
            }
        }
        file.asm.note(|out| {
            use std::fmt::Write;
            write!(out, "; {target}")
        });
        file.asm.bind(label);
        if is_named {
            self.frame_fixups.push(file.asm.set_frame());
        }
        for (&param, &loc) in section.params.iter().zip(&self.locals[local].contract) {
            if loc.is_some() {
                file.put(param, loc);
            }
        }
    }

    fn begin_bridge(&mut self, section: &Section<'_>, (unit, site): Start<'_>) {
        self.min_frame = self.min_frame.max(unit.frame);
        let at = self.work.file.asm.set_frame();
        self.frame_fixups.push(at);
        let file = &mut self.work.file;
        for (&param, &fail) in section.params.iter().zip(unit.fails_of(site)) {
            match unit.place(fail) {
                Place::Const(word) => file.values.map[param].known = Some(word),
                Place::At(_) if file.values.map[param].death == 0 => {}
                Place::At(loc) if file.is_taken(loc) => {}
                Place::At(loc) => file.put(param, loc),
            }
        }
        self.copy_shared(section, (unit, site));
    }

    /// Gives places to parameters that are other names of one value in front of the guard: in the
    /// bridge each is a value of its own.
    fn copy_shared(&mut self, section: &Section<'_>, (unit, site): Start<'_>) {
        let file = &mut self.work.file;
        for (&param, &fail) in section.params.iter().zip(unit.fails_of(site)) {
            if let Place::At(loc) = unit.place(fail)
                && file.values.map[param].death != 0
                && !file.is_defined(param)
            {
                let slot = file.slots.take();
                crate::moves::move_one(&mut file.asm, Place::At(loc), slot);
                file.put(param, slot);
            }
        }
    }

    /// The values that are passed to a label whose contract is known like to be made where it wants
    /// them.
    fn hints(&mut self, section: &Section<'_>) {
        let (outside, convention);
        let (contract, args): (&[Loc], _) = match &section.end {
            SectionEnd::Jump(target, args) => match self.local(*target) {
                Some(local) => (&self.locals[local].contract, args),
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
                convention = crate::threads::convention(types);
                (&convention, args)
            }
            _ => return,
        };
        let values = &mut self.work.file.values.map;
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
            self.work.file.pos = n as Pos + 1;
            self.work.barriers.pass(op);
            if self.work.file.values.is_nothing(op) {
                n += 1;
                continue;
            }
            let mark = self.work.mark();
            self.reserve(ops.skip_to(n));
            self.work.file.values.advance(op.args());
            let last = self.operation(ops, n)?;
            (self.work).originate(mark, first + n as u32..=first + last as u32);
            for (past, op) in ops.slice(n..last + 1).iter().enumerate() {
                if past > 0 {
                    self.work.barriers.pass(op);
                }
                if !self.work.file.values.is_nothing(op) {
                    self.work.file.end_operation(mentioned(op));
                }
            }
            n = last + 1;
        }
        Ok(())
    }

    /// Compiles an operation, with those behind it that are done together with it. Gives the last
    /// one.
    pub(crate) fn operation(&mut self, ops: OptimisedOps<'a>, n: usize) -> Outcome<usize> {
        let op = ops.at(n);
        if let Some(last) = self.read_into(ops, n)? {
            return Ok(last);
        }
        match op.opcode() {
            // It has been computed together with something else.
            Opcode::Data(_) if op.result().is_some_and(|v| self.work.file.is_defined(v)) => Ok(n),
            Opcode::Data(data) => self.data(data, ops, n),
            Opcode::Call => self.call(ops, n),
            Opcode::Hole => {
                self.hole(op);
                Ok(n)
            }
            Opcode::GuardRoom => self.guard_room(op).map(|()| n),
            _ => self.guard(op).map(|()| n),
        }
    }

    fn jump(
        &mut self,
        sections: &[Section<'a>],
        n: usize,
        target: TargetId,
        args: &[Arg],
    ) -> Outcome {
        let mut places = std::mem::take(&mut self.work.places);
        places.clear();
        places.extend(args.iter().map(|&arg| self.work.file.place(arg)));
        let local = self.local(target);
        if let Some(local) = local
            && !self.locals[local].is_decided
        {
            self.decide(sections, local, Some(&places));
        }
        let outside = match local {
            Some(_) => None,
            None => Some((self.links.label)(target).expect("a checked jump has a target")),
        };
        let contract: &[Loc] = match (&outside, local) {
            (None, Some(local)) => &self.locals[local].contract,
            (Some(label), _) => &label.contract,
            (None, None) => unreachable!("it is here or there"),
        };
        let work = &mut *self.work;
        for (&from, &to) in places.iter().zip(contract) {
            if to.is_some() {
                work.moves.add(from, to);
            }
        }
        work.moves.emit(&mut work.file.asm);
        work.places = places;
        match (outside, local) {
            (Some(label), _) => {
                self.min_frame = self.min_frame.max(label.unit.frame);
                self.file().asm.jump_out(label.address());
            }
            (None, Some(local)) => {
                let local = &self.locals[local];
                if local.section != n + 1 {
                    let label = local.label;
                    self.file().asm.jump(label);
                }
            }
            (None, None) => unreachable!("it is here or there"),
        }
        Ok(())
    }

    /// Makes the contract of a label: the parameters that are used first are in registers, if
    /// possible where they come from.
    fn decide(&mut self, sections: &[Section<'a>], local: usize, places: Option<&[Place]>) {
        let n = self.locals[local].section;
        let params = sections[n].params;
        if self.links.is_threaded && n == 0 {
            let types = params.iter().map(|&param| self.links.trace.types[param]);
            let contract = crate::threads::convention(types);
            let local = &mut self.locals[local];
            (local.contract, local.is_decided) = (contract, true);
            return;
        }
        let values = &mut self.work.file.values;
        if self.prepared != Some(n) && places.is_some() {
            values.prepare(&sections[n]);
            self.prepared = Some(n);
        }
        let first_call = values.next_call(0);
        let mut order: Vec<usize> = (0..params.len()).collect();
        order.sort_by_key(|&n| values.map[params[n]].next);
        let mut contract = vec![Loc::NONE; params.len()];
        let (mut taken, mut slots) = (0u32, Slots::default());
        let mut left = [MOST_GPRS, MOST_XMMS];
        let mut undecided = Vec::new();
        for n in order {
            let value = &values.map[params[n]];
            if value.death == 0 {
                continue;
            }
            let is_float = match self.links.trace.types[params[n]] {
                Ty::Float => true,
                Ty::Word => value.wants_xmm,
                _ => false,
            };
            let from = match places.map(|p| p[n]) {
                Some(Place::At(loc)) => loc,
                _ => Loc::NONE,
            };
            let is_register = from.is_some() && !from.is_slot();
            let left = &mut left[usize::from(is_float)];
            if *left == 0 || (value.next == NEVER && !is_register) {
                undecided.push((n, None, from));
                continue;
            }
            *left -= 1;
            if is_register && from.is_xmm() == is_float && taken & 1 << from.0 == 0 {
                taken |= 1 << from.0;
                contract[n] = from;
            } else {
                undecided.push((n, Some(is_float), from));
            }
        }
        for &(n, is_float, from) in &undecided {
            let value = &values.map[params[n]];
            contract[n] = match is_float {
                Some(is_float) => {
                    let free = crate::file::registers(is_float) & !taken;
                    let liked = match value.death > first_call {
                        true => free & PRESERVED,
                        false => free & !PRESERVED,
                    };
                    let loc = (if liked != 0 { liked } else { free }).trailing_zeros();
                    taken |= 1 << loc;
                    Loc(loc as u16)
                }
                None if from.is_slot() && !slots.is_used(from) => {
                    slots.claim(from);
                    from
                }
                None => continue,
            };
        }
        for (n, is_float, _) in undecided {
            if is_float.is_none() && !contract[n].is_some() {
                contract[n] = slots.take();
            }
        }
        let local = &mut self.locals[local];
        (local.contract, local.is_decided) = (contract, true);
    }

    fn finish(self) -> Outcome<Made> {
        let file = &mut self.work.file;
        let words = file.slots.count() as u32 + self.out_words;
        let mut frame = (8 * words).max(self.min_frame);
        // At calls the stack pointer is a multiple of 16; the frame pointer is 8 behind one.
        if frame % 16 != 8 {
            frame += 8;
        }
        if frame as usize > MAX_FRAME {
            return Err(BackendError(format!(
                "the code would take {frame} bytes of the native stack, more than {MAX_FRAME}: lower trace_limit"
            )));
        }
        for &at in &self.frame_fixups {
            file.asm.patch(at, -(frame as i32));
        }
        Ok(Made {
            frame,
            hot: self.hot,
            locals: self.locals,
        })
    }

    /// The portal returns.
    fn finish_portal(&mut self, values: &[Arg]) {
        let file = &mut self.work.file;
        for (n, &value) in values.iter().enumerate() {
            let place = file.place(value);
            crate::moves::store(&mut file.asm, place, crate::glue::exit_word(n));
        }
        if values.is_empty() {
            let place = Place::Const(0);
            crate::moves::store(&mut file.asm, place, crate::glue::exit_word(0));
        }
        file.asm.jump_out(self.links.handlers.finish);
    }

    /// Stores a word in the scratch register.
    pub(crate) fn address(&mut self, address: usize) {
        self.distance = None;
        (self.file().asm).mov_imm(crate::file::SCRATCH, address as u64);
    }
}

/// All values that an operation mentions.
fn mentioned(op: OptimisedOp<'_>) -> impl Iterator<Item = ValRef> + '_ {
    let args = op.args().values();
    args.chain(op.fail_args().iter().copied())
        .chain(op.definitions())
}

/// The number of a slot.
pub(crate) fn slot_number(slot: Loc) -> u32 {
    u32::from(slot.0 - FIRST_SLOT)
}
