//! Leaving a trace in the model machine: from resume data or a snapshot to the frames of the
//! interpreter, with virtual objects made, each once, and delayed stores done.

use super::layout::{LEAN_REGS, field_index, is_virtualizable, item_index, lean_word, place};
use super::{Exit, Frame, Machine, word};
use std::collections::HashMap;
use std::fmt::Write;
use verdigris_ops::{Descrs, Places, Ty};
use verdigris_trace::{
    Exits, Opcode, Operation, OptimisedOp, OptimisedTrace, PendingStore, RecordedOp, RecordedTrace,
    Resume, Snapshots, Src, Trace, TraceForm, ValRef, VirtualKind,
};

/// How a trace of one form is left.
pub trait Leave: TraceForm {
    /// Takes what is kept across the call in front of a guard: makes the objects that delayed
    /// stores lead to, and does the stores. Gives the objects by number; nothing if nothing is
    /// kept.
    fn take(
        machine: &mut Machine,
        descrs: &Descrs,
        trace: &Trace<Self>,
        guard: Operation<'_, Self>,
        values: &HashMap<ValRef, u64>,
    ) -> Option<Vec<Option<u64>>>;

    /// The frames at an exit.
    fn leave(
        machine: &mut Machine,
        descrs: &Descrs,
        trace: &Trace<Self>,
        op: Operation<'_, Self>,
        exit: &Exit,
    ) -> Vec<Frame>;

    /// Where the interpreter would continue: the innermost frame's code and pc.
    fn point(trace: &Trace<Self>, op: Operation<'_, Self>) -> Option<(u32, u32)>;
}

impl Leave for Snapshots {
    fn take(
        _: &mut Machine,
        _: &Descrs,
        _: &RecordedTrace,
        _: RecordedOp<'_>,
        _: &HashMap<ValRef, u64>,
    ) -> Option<Vec<Option<u64>>> {
        None
    }

    fn leave(
        _: &mut Machine,
        _: &Descrs,
        trace: &RecordedTrace,
        op: RecordedOp<'_>,
        exit: &Exit,
    ) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut next = op.snapshot().or(trace.exits.arrival);
        while let Some(id) = next {
            let snap = trace.snapshot(id);
            let regs = snap.regs();
            let regs = regs
                .map(|(r, v)| (r, trace.ty(v), word(&exit.values, v)))
                .collect();
            frames.push((snap.code, snap.pc, regs));
            next = snap.parent;
        }
        frames
    }

    fn point(trace: &RecordedTrace, op: RecordedOp<'_>) -> Option<(u32, u32)> {
        let frame = trace.snapshot(op.snapshot()?);
        Some((frame.code, frame.pc))
    }
}

impl Leave for Exits {
    fn take(
        machine: &mut Machine,
        descrs: &Descrs,
        trace: &OptimisedTrace,
        guard: OptimisedOp<'_>,
        values: &HashMap<ValRef, u64>,
    ) -> Option<Vec<Option<u64>>> {
        let is_kept = guard.opcode() == Opcode::GuardNotForced;
        let resume = guard.resume().filter(|_| is_kept)?;
        Some(machine.take(descrs, trace, resume, values))
    }

    fn leave(
        machine: &mut Machine,
        descrs: &Descrs,
        trace: &OptimisedTrace,
        op: OptimisedOp<'_>,
        exit: &Exit,
    ) -> Vec<Frame> {
        let rebuild =
            |resume| machine.rebuild(descrs, trace, resume, &exit.values, exit.made.as_deref());
        op.resume().map_or(Vec::new(), rebuild)
    }

    fn point(_: &OptimisedTrace, op: OptimisedOp<'_>) -> Option<(u32, u32)> {
        let frame = op.resume()?.frames.innermost()?;
        Some((frame.code, frame.pc))
    }
}

impl Machine {
    fn take(
        &mut self,
        descrs: &Descrs,
        trace: &OptimisedTrace,
        resume: &Resume,
        values: &HashMap<ValRef, u64>,
    ) -> Vec<Option<u64>> {
        // Only what a record holds is known.
        let args = resume.kept_args().into_iter();
        let known: HashMap<ValRef, u64> = args
            .map(|n| resume.fail_args[usize::from(n)])
            .map(|v| (v, values[&v]))
            .collect();
        let kept = resume.kept_virtuals();
        let made = self.make(descrs, resume, |n| kept[n].then_some(None));
        self.fill(descrs, trace, resume, &known, &made, |n| kept[n]);
        self.store(descrs, trace, resume, &known, &made);
        made
    }

    /// Makes what is missing, does the delayed stores unless they have been done, and gives the
    /// frames.
    pub(super) fn rebuild(
        &mut self,
        descrs: &Descrs,
        trace: &OptimisedTrace,
        resume: &Resume,
        values: &HashMap<ValRef, u64>,
        made: Option<&[Option<u64>]>,
    ) -> Vec<Frame> {
        let exists = |n: usize| made.and_then(|made| made[n]);
        let objects = self.make(descrs, resume, |n| Some(exists(n)));
        self.fill(descrs, trace, resume, values, &objects, |n| {
            exists(n).is_none()
        });
        if made.is_none() {
            self.store(descrs, trace, resume, values, &objects);
        }
        let get = |src| source(trace, resume, values, &objects, src);
        let regs = |f: &verdigris_trace::ResumeFrame<'_>| {
            let regs = f.regs.iter();
            regs.map(|&(r, s)| (r, get(s).0, get(s).1)).collect()
        };
        resume
            .frames
            .iter()
            .map(|f| (f.code, f.pc, regs(&f)))
            .collect()
    }

    /// The objects of resume data, those that are wanted; some of them exist already.
    pub(super) fn make(
        &mut self,
        descrs: &Descrs,
        resume: &Resume,
        wanted: impl Fn(usize) -> Option<Option<u64>>,
    ) -> Vec<Option<u64>> {
        let virtuals = resume.virtuals.iter().enumerate();
        virtuals
            .map(|(n, v)| {
                let exists = wanted(n)?;
                let len = match &v.kind {
                    VirtualKind::Struct { .. } => 0,
                    VirtualKind::Array { len, .. } => *len as usize,
                };
                Some(exists.unwrap_or_else(|| self.add(descrs, v.class, len)))
            })
            .collect()
    }

    /// Gives those objects their contents for which `new` holds.
    pub(super) fn fill(
        &mut self,
        descrs: &Descrs,
        trace: &OptimisedTrace,
        resume: &Resume,
        values: &HashMap<ValRef, u64>,
        objects: &[Option<u64>],
        new: impl Fn(usize) -> bool,
    ) {
        let get = |src| source(trace, resume, values, objects, src).1;
        for (n, v) in resume.virtuals.iter().enumerate().filter(|&(n, _)| new(n)) {
            let words: Vec<(usize, u64)> = match &v.kind {
                VirtualKind::Struct { fields } => fields
                    .iter()
                    .map(|&(f, s)| (field_index(descrs, f), get(s)))
                    .collect(),
                VirtualKind::Array { words, .. } => words
                    .iter()
                    .map(|w| {
                        let at = item_index(descrs, w.class, w.index as usize);
                        (at, get(w.value))
                    })
                    .collect(),
            };
            let object = objects[n].expect("it has been made");
            for (i, word) in words {
                self.objects[object as usize - 1].words[i] = word;
            }
        }
    }

    /// Does the delayed stores.
    pub(super) fn store(
        &mut self,
        descrs: &Descrs,
        trace: &OptimisedTrace,
        resume: &Resume,
        values: &HashMap<ValRef, u64>,
        objects: &[Option<u64>],
    ) {
        let get = |src| source(trace, resume, values, objects, src).1;
        for store in &resume.pending {
            let [object, value] = store.srcs().map(get);
            let index = match *store {
                PendingStore::Field { field, .. } => field_index(descrs, field),
                PendingStore::Item { class, index, .. } => {
                    if self.at(object).class != descrs.item_part(class).0 {
                        self.mistyped = true;
                        continue;
                    }
                    item_index(descrs, class, index as usize)
                }
            };
            self.objects[object as usize - 1].words[index] = value;
        }
    }

    /// Frames, the initial objects, and everything reachable, with objects numbered as they are
    /// met.
    pub(super) fn show(&self, descrs: &Descrs, frames: &[Frame]) -> String {
        let mut names: HashMap<u64, usize> = HashMap::new();
        let mut queue: Vec<u64> = Vec::new();
        let mut text = String::new();
        // A word is what the tag in front of it says.
        let typed = |ty: Ty, tag: u64| match ty {
            Ty::Word => lean_word(tag),
            ty => Some(ty),
        };
        let mut name = |queue: &mut Vec<u64>, ty: Option<Ty>, w: u64| match ty {
            None => "?".to_owned(),
            Some(Ty::Ref) if w != 0 => {
                let next = names.len();
                let n = *names.entry(w).or_insert_with(|| {
                    queue.push(w);
                    next
                });
                format!("#{n}")
            }
            Some(Ty::Float) => format!("{:x}", w),
            Some(_) => (w as i64).to_string(),
        };
        for w in 1..=self.initial as u64 {
            name(&mut queue, Some(Ty::Ref), w);
        }
        for (code, pc, regs) in frames {
            write!(text, "{code}:{pc}").expect("a string");
            let mut before = 0;
            for &(r, ty, w) in regs {
                // Whatever a guard hands over for it, the interpreter has a word there.
                let is_word = r >= LEAN_REGS && r % 2 == 1;
                let ty = typed(if is_word { Ty::Word } else { ty }, before);
                write!(text, " r{r}={}", name(&mut queue, ty, w)).expect("a string");
                before = w;
            }
            text.push('\n');
        }
        let mut i = 0;
        while i < queue.len() {
            let object = self.at(queue[i]);
            write!(text, "  #{i} {}", descrs.classes[object.class].name).expect("a string");
            for (j, &w) in object.words.iter().enumerate() {
                let (ty, ..) = place(descrs, object.class, j, &Places::none());
                let shown = match self.is_blind() && is_virtualizable(descrs, object.class, j) {
                    true => "_".to_owned(),
                    false => {
                        let tag = j.checked_sub(1).map_or(0, |tag| object.words[tag]);
                        name(&mut queue, typed(ty, tag), w)
                    }
                };
                write!(text, " {shown}").expect("a string");
            }
            text.push('\n');
            i += 1;
        }
        text
    }
}

/// The type and word of what resume data mentions.
fn source(
    trace: &OptimisedTrace,
    resume: &Resume,
    values: &HashMap<ValRef, u64>,
    objects: &[Option<u64>],
    src: Src,
) -> (Ty, u64) {
    match src {
        Src::Fail(i) => {
            let v = resume.fail_args[i as usize];
            (trace.types[v], values[&v])
        }
        Src::Const(c) => (c.ty(), c.word()),
        Src::Virtual(i) => (Ty::Ref, objects[i as usize].expect("it has been made")),
    }
}

/// Where the interpreter would continue after an exit at the operation at this place: the innermost
/// frame's code and pc.
pub fn resume_point<F: Leave>(trace: &Trace<F>, at: usize) -> Option<(u32, u32)> {
    F::point(trace, trace.ops().at(at))
}
