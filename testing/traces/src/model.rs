//! A model machine for traces: executes recorded and optimised ones on a small heap and shows the state at the exit.
//!
//! In: a trace and its inputs. Out: the state the interpreter would continue in, as text, with everything reachable from
//! it. Independent of the real heap and backends, so that the optimiser is judged by its own rules alone.

use std::collections::HashMap;
use std::fmt::Write;
use verdigris_ops::{
    ClassId, ClassKind, DataOp, Descrs, Effects, FieldId, FnId, FnKind, Layout, Places, Ty, eval,
};
use verdigris_trace::{
    Const, OWN_LOOP, Op, Opcode, PendingStore, Resume, SnapshotId, Src, Trace, Val, ValRef,
    VirtualKind,
};

/// An object: its class and its fields (in the order of the class) or items.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its class.
    pub class: ClassId,
    /// Its fields or items, with all components.
    pub words: Vec<u64>,
}

/// A heap; reference `n` is `objects[n - 1]`.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// All objects.
    pub objects: Vec<Object>,
    /// Objects that exist from the start: opaque functions see them.
    pub initial: usize,
    /// What opaque functions saw.
    pub log: String,
    /// Operations until the run is given up.
    pub fuel: u32,
    /// An operation of the first trace whose executions are counted, and the count at which the run stops there.
    pub watch: Option<(usize, u32)>,
    /// How often it has been executed.
    pub watched: u32,
    /// Calls that may do anything until one takes what the code keeps: it sees and changes virtualizable places too, and the run
    /// ends behind it. The others do not look at these places; without this all do.
    pub until_taken: Option<u32>,
}

/// A frame: code, pc, registers.
type Frame = (u32, u32, Vec<(u16, Ty, u64)>);

impl Machine {
    /// Adds an object of zeros.
    pub fn add(&mut self, descrs: &Descrs, class: ClassId, len: usize) -> u64 {
        let len = match &descrs.classes[class].kind {
            ClassKind::Struct { fields } => fields.len(),
            ClassKind::Array { .. } => len * component(descrs, class).1,
        };
        self.objects.push(Object {
            class,
            words: vec![0; len],
        });
        self.objects.len() as u64
    }

    /// Runs the first of these traces until a guard fails, the portal returns, or a jump leads to a label that is in none of
    /// them, following jumps to the others; `None` if the fuel ran out.
    pub fn run(&mut self, descrs: &Descrs, traces: &[&Trace], inputs: &[u64]) -> Option<Exit> {
        let mut trace = 0;
        let mut values = bind(&traces[0].inputs, inputs);
        let mut at = 0;
        loop {
            self.fuel = self.fuel.checked_sub(1)?;
            let op = &traces[trace].ops[at];
            let args: Vec<u64> = op.args.iter().map(|&a| word(&values, a)).collect();
            if op.opcode.is_guard() && !self.guard_holds(op, &args) || op.opcode == Opcode::Finish {
                return Some(Exit::new(trace, at, values));
            }
            if let Some((watched, stop)) = self.watch
                && (trace, at) == (0, watched)
            {
                self.watched += 1;
                if self.watched == stop {
                    return Some(Exit::new(trace, at, values));
                }
            }
            at += 1;
            match op.opcode {
                Opcode::Jump => {
                    let Some((next, defs, start)) = target(traces, trace, op.descr) else {
                        return Some(Exit::new(trace, at - 1, values));
                    };
                    values = bind(defs, &args);
                    (trace, at) = (next, start);
                }
                Opcode::Call if self.takes(descrs, op) => {
                    let guard = &traces[trace].ops[at];
                    let made = self.take(descrs, traces[trace], guard, &values);
                    let result = self.call(descrs, FnId::from_u32(op.descr), &args);
                    values.extend(op.definitions().map(|v| (v, result)));
                    let exit = Exit::new(trace, at, values);
                    return Some(Exit { made, ..exit });
                }
                Opcode::Call => {
                    let result = self.call(descrs, FnId::from_u32(op.descr), &args);
                    values.extend(op.definitions().map(|v| (v, result)));
                }
                Opcode::Data(data) => {
                    let result = self.data(descrs, data, &args, op.descr);
                    values.extend(op.result.map(|v| (v, result)));
                }
                _ => {}
            }
        }
    }

    /// Whether this call takes what the code keeps.
    fn takes(&mut self, descrs: &Descrs, op: &Op) -> bool {
        let all = descrs.fns[FnId::from_u32(op.descr)].effects == Effects::all();
        let Some(until) = self.until_taken.as_mut().filter(|_| all) else {
            return false;
        };
        *until = until.saturating_sub(1);
        *until == 0
    }

    /// Takes what is kept: makes the objects that delayed stores lead to, and does the stores. Gives the objects by number.
    fn take(
        &mut self,
        descrs: &Descrs,
        trace: &Trace,
        guard: &Op,
        values: &HashMap<ValRef, u64>,
    ) -> Option<Vec<Option<u64>>> {
        let resume = guard.resume.as_ref();
        let resume = resume.filter(|_| guard.opcode == Opcode::GuardNotForced)?;
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
        Some(made)
    }

    /// The words that the jump at an exit passes.
    pub fn passed(&self, trace: &Trace, exit: &Exit) -> Vec<u64> {
        let args = trace.ops[exit.at].args.iter();
        args.map(|&a| word(&exit.values, a)).collect()
    }

    /// The registers of the innermost frame at an exit, if it resumes at this pc; what was delayed is done.
    pub fn registers(
        &mut self,
        descrs: &Descrs,
        trace: &Trace,
        exit: &Exit,
        pc: u32,
    ) -> Option<Vec<u64>> {
        let resume = trace.ops[exit.at].resume.as_ref()?;
        if resume.frames[0].pc != pc {
            return None;
        }
        let frames = self.rebuild(descrs, trace, resume, &exit.values, None);
        Some(frames[0].2.iter().map(|&(_, _, w)| w).collect())
    }

    /// The state at an exit: frames and heap.
    pub fn state(&mut self, descrs: &Descrs, traces: &[&Trace], exit: &Exit) -> String {
        let trace = traces[exit.trace];
        let op = &trace.ops[exit.at];
        let frames = match op.opcode {
            Opcode::Finish => {
                let regs = op.args.iter();
                let regs = regs.map(|&a| (0, trace.ty(a), word(&exit.values, a)));
                vec![(u32::MAX, 0, regs.collect())]
            }
            _ => self.exit(descrs, trace, op, &exit.values, exit.made.as_deref()),
        };
        self.until_taken = None;
        self.show(descrs, &frames)
    }

    fn guard_holds(&self, op: &Op, args: &[u64]) -> bool {
        match op.opcode {
            Opcode::GuardTrue => args[0] != 0,
            Opcode::GuardFalse => args[0] == 0,
            Opcode::GuardValue => args[0] == args[1],
            Opcode::GuardClass => self.at(args[0]).class == ClassId::from_u32(op.descr),
            _ => true,
        }
    }

    /// The object at a reference.
    pub fn at(&self, reference: u64) -> &Object {
        assert_ne!(reference, 0, "null is dereferenced");
        &self.objects[reference as usize - 1]
    }

    /// Executes a data operation.
    pub fn data(&mut self, descrs: &Descrs, data: DataOp, args: &[u64], descr: u32) -> u64 {
        use DataOp::*;
        if let Some(word) = eval(data, args) {
            return word;
        }
        if data == Reclaim {
            return 0;
        }
        let place = match data {
            GetFieldI | GetFieldR | GetFieldF | SetFieldI | SetFieldR | SetFieldF => {
                field_index(descrs, FieldId::from_u32(descr))
            }
            GetItemI | GetItemR | GetItemF | SetItemI | SetItemR | SetItemF => {
                item_index(descrs, ClassId::from_u32(descr), args[1] as usize)
            }
            ArrayLen => {
                let array = self.at(args[0]);
                return (array.words.len() / component(descrs, array.class).1) as u64;
            }
            New => return self.add(descrs, ClassId::from_u32(descr), 0),
            _ => {
                let array = self.add(descrs, ClassId::from_u32(descr), args[0] as usize);
                if let Some(&fill) = args.get(1) {
                    self.objects[array as usize - 1].words.fill(fill);
                }
                return array;
            }
        };
        assert_ne!(args[0], 0, "null is dereferenced");
        let object = &mut self.objects[args[0] as usize - 1];
        if data.ret().is_some() {
            return object.words[place];
        }
        let value = *args.last().expect("stores have a value");
        let layout = match data {
            SetFieldI => descrs.fields[FieldId::from_u32(descr)].layout,
            SetItemI => descrs.item(ClassId::from_u32(descr)).1,
            _ => Layout::default(),
        };
        assert_eq!(
            value,
            extended(layout, value),
            "a wide integer in a narrow place"
        );
        object.words[place] = value;
        0
    }

    /// `sum` and `split` add, for all of their results. The opaque functions log what they may read, then change what they may write.
    fn call(&mut self, descrs: &Descrs, function: FnId, args: &[u64]) -> u64 {
        let info = &descrs.fns[function];
        if matches!(info.name.as_str(), "sum" | "split") {
            return args.iter().copied().fold(0, u64::wrapping_add);
        }
        if info.kind == FnKind::Readonly {
            // An object, and a number.
            return self.observed(descrs, &info.effects.reads, args[0], args[1]);
        }
        if info.effects == Effects::all() {
            self.anything(descrs, args);
        } else {
            self.log_what_is_read(descrs, &info.effects.reads, args);
            self.change(descrs, &info.effects, args);
        }
        0
    }

    /// A number that depends on the arguments and on all that a function may read, and no log: it may be called less often.
    fn observed(&mut self, descrs: &Descrs, reads: &Places, object: u64, number: u64) -> u64 {
        let log = std::mem::take(&mut self.log);
        self.log_what_is_read(descrs, reads, &[object]);
        let seen = std::mem::replace(&mut self.log, log);
        let mix = |hash: u64, byte: u8| hash.wrapping_mul(31).wrapping_add(byte.into());
        seen.bytes().fold(number, mix) & 3
    }

    /// Logs the readable places of the objects that a function gets hold of.
    fn log_what_is_read(&mut self, descrs: &Descrs, reads: &Places, args: &[u64]) {
        let roots = (1..=self.initial as u64).chain(args.iter().copied());
        let mut queue: Vec<u64> = Vec::new();
        for w in roots {
            meet(&mut queue, w);
        }
        let mut i = 0;
        while i < queue.len() {
            let object = self.at(queue[i]).clone();
            write!(self.log, "  {i} {}", descrs.classes[object.class].name).expect("a string");
            for (j, &w) in object.words.iter().enumerate() {
                let (ty, visible, _) = place(descrs, object.class, j, reads);
                let shown = match ty {
                    _ if !visible => "_".to_owned(),
                    Ty::Ref => meet(&mut queue, w),
                    _ => (w as i64).to_string(),
                };
                write!(self.log, " {shown}").expect("a string");
            }
            self.log.push('\n');
            i += 1;
        }
    }

    /// Changes the writable places of the initial objects and the arguments. What is written depends on nothing that
    /// cannot be read.
    fn change(&mut self, descrs: &Descrs, effects: &Effects, args: &[u64]) {
        let mut objects: Vec<u64> = (1..=self.initial as u64).collect();
        for &w in args {
            meet(&mut objects, w);
        }
        for w in objects {
            let class = self.at(w).class;
            for j in 0..self.at(w).words.len() {
                let (ty, _, readable) = place(descrs, class, j, &effects.reads);
                let (_, _, writable) = place(descrs, class, j, &effects.writes);
                let word = &mut self.objects[w as usize - 1].words[j];
                match ty {
                    _ if !writable => {}
                    Ty::Ref => *word = args.last().copied().unwrap_or(0),
                    _ if readable => *word = word.wrapping_add(1),
                    _ => *word = 7,
                }
            }
        }
    }

    /// Whether opaque functions do not look at virtualizable places.
    fn is_blind(&self) -> bool {
        self.until_taken.is_some_and(|until| until > 0)
    }

    /// Logs everything within reach and counts up the integers of the initial objects; who takes virtualizable places moves
    /// what they hold.
    fn anything(&mut self, descrs: &Descrs, args: &[u64]) {
        let seen: Vec<(u16, Ty, u64)> = (1..=self.initial as u64)
            .chain(args.iter().copied())
            .map(|w| (0, Ty::Ref, w))
            .collect();
        let shown = self.show(descrs, &[(0, 0, seen)]);
        self.log.push_str(&shown);
        let (takes, blind) = (self.until_taken == Some(0), self.is_blind());
        for i in 0..self.initial {
            let object = &mut self.objects[i];
            let kept = is_virtualizable(descrs, object.class, 0);
            if takes && kept && object.words.len() == STACK_LEN {
                object.words.rotate_left(1);
            }
            if descrs.classes[object.class].name.starts_with("Union") {
                // The number 7.
                let values = object.words.chunks_exact_mut(UNION);
                values.for_each(|value| value.copy_from_slice(&[1, 7, 0]));
                continue;
            }
            if let ClassKind::Struct { fields } = &descrs.classes[object.class].kind {
                for (word, &f) in object.words.iter_mut().zip(fields) {
                    let info = &descrs.fields[f];
                    let hidden = blind && info.virtualizable;
                    if info.ty == Ty::Int && !info.immutable && !hidden {
                        *word = extended(info.layout, word.wrapping_add(1));
                    }
                }
            }
        }
    }

    fn exit(
        &mut self,
        descrs: &Descrs,
        trace: &Trace,
        op: &Op,
        values: &HashMap<ValRef, u64>,
        made: Option<&[Option<u64>]>,
    ) -> Vec<Frame> {
        if let Some(resume) = &op.resume {
            return self.rebuild(descrs, trace, resume, values, made);
        }
        let mut frames = Vec::new();
        let mut next: Option<SnapshotId> = op.snapshot;
        while let Some(id) = next {
            let snap = &trace.snapshots[id];
            let regs = snap.frame.regs.iter();
            let regs = regs
                .map(|&(r, v)| (r, trace.ty(v), word(values, v)))
                .collect();
            frames.push((snap.frame.code, snap.frame.pc, regs));
            next = snap.parent;
        }
        frames
    }

    /// Makes what is missing, does the delayed stores unless they have been done, and gives the frames.
    fn rebuild(
        &mut self,
        descrs: &Descrs,
        trace: &Trace,
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
        let regs = |f: &verdigris_trace::ResumeFrame| {
            let regs = f.regs.iter();
            regs.map(|&(r, s)| (r, get(s).0, get(s).1)).collect()
        };
        resume
            .frames
            .iter()
            .map(|f| (f.code, f.pc, regs(f)))
            .collect()
    }

    /// The objects of resume data, those that are wanted; some of them exist already.
    fn make(
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
                    VirtualKind::Array { items } => items.len(),
                };
                Some(exists.unwrap_or_else(|| self.add(descrs, v.class, len)))
            })
            .collect()
    }

    /// Gives those objects their contents for which `new` holds.
    fn fill(
        &mut self,
        descrs: &Descrs,
        trace: &Trace,
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
                VirtualKind::Array { items } => items.iter().map(|&s| get(s)).enumerate().collect(),
            };
            let object = objects[n].expect("it has been made");
            for (i, word) in words {
                self.objects[object as usize - 1].words[i] = word;
            }
        }
    }

    /// Does the delayed stores.
    fn store(
        &mut self,
        descrs: &Descrs,
        trace: &Trace,
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
                    item_index(descrs, class, index as usize)
                }
            };
            self.objects[object as usize - 1].words[index] = value;
        }
    }

    /// Frames, the initial objects, and everything reachable, with objects numbered as they are met.
    fn show(&self, descrs: &Descrs, frames: &[Frame]) -> String {
        let mut names: HashMap<u64, usize> = HashMap::new();
        let mut queue: Vec<u64> = Vec::new();
        let mut text = String::new();
        let mut name = |queue: &mut Vec<u64>, ty: Ty, w: u64| match ty {
            Ty::Ref if w != 0 => {
                let next = names.len();
                let n = *names.entry(w).or_insert_with(|| {
                    queue.push(w);
                    next
                });
                format!("#{n}")
            }
            Ty::Float => format!("{:x}", w),
            _ => (w as i64).to_string(),
        };
        for w in 1..=self.initial as u64 {
            name(&mut queue, Ty::Ref, w);
        }
        for (code, pc, regs) in frames {
            write!(text, "{code}:{pc}").expect("a string");
            for &(r, ty, w) in regs {
                write!(text, " r{r}={}", name(&mut queue, ty, w)).expect("a string");
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
                    false => name(&mut queue, ty, w),
                };
                write!(text, " {shown}").expect("a string");
            }
            text.push('\n');
            i += 1;
        }
        text
    }
}

/// Which component of its items an array class names, and how many they have.
fn component(descrs: &Descrs, class: ClassId) -> (usize, usize) {
    let name = &descrs.classes[class].name;
    match name.strip_prefix("Unions") {
        Some("") => (0, UNION),
        Some(n) => (n[1..].parse().expect("a number"), UNION),
        None => (0, 1),
    }
}

/// The place of an item's component among the words of an array.
fn item_index(descrs: &Descrs, class: ClassId, index: usize) -> usize {
    let (component, components) = component(descrs, class);
    index * components + component
}

/// Whether an object's n-th word may be kept by compiled code.
fn is_virtualizable(descrs: &Descrs, class: ClassId, n: usize) -> bool {
    match &descrs.classes[class].kind {
        ClassKind::Struct { fields } => descrs.fields[fields[n]].virtualizable,
        ClassKind::Array { .. } => descrs.has_virtualizable_items(class),
    }
}

/// The type and word of what resume data mentions.
fn source(
    trace: &Trace,
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

/// The length of the arrays that there are from the start.
pub const STACK_LEN: usize = 3;

/// The components of a `Union`.
const UNION: usize = 3;

/// The number of an object among those met so far, which it joins.
fn meet(queue: &mut Vec<u64>, reference: u64) -> String {
    if reference == 0 {
        return "null".to_owned();
    }
    let known = queue.iter().position(|&w| w == reference);
    let n = known.unwrap_or_else(|| {
        queue.push(reference);
        queue.len() - 1
    });
    format!("#{n}")
}

/// The type of an object's n-th word, whether it can be seen by who may read `places` (plain ones always can), and
/// whether it is mutable and among them.
fn place(descrs: &Descrs, class: ClassId, n: usize, places: &Places) -> (Ty, bool, bool) {
    let (ty, immutable, named) = match &descrs.classes[class].kind {
        ClassKind::Struct { fields } => {
            let field = &descrs.fields[fields[n]];
            (field.ty, field.immutable, places.has_field(fields[n]))
        }
        ClassKind::Array { .. } => {
            let (_, components) = component(descrs, class);
            let class = match n % components {
                0 => class,
                n => {
                    let name = format!("{}#{n}", descrs.classes[class].name);
                    descrs.class_by_name(&name).expect("a component")
                }
            };
            let (item, _, immutable) = descrs.item(class);
            (item, immutable, places.has_items(class))
        }
    };
    (ty, immutable || named, !immutable && named)
}

/// Where the interpreter would continue after an exit at a guard: the innermost frame's code and pc.
pub fn resume_point(trace: &Trace, op: &Op) -> Option<(u32, u32)> {
    let resumed = op
        .resume
        .as_ref()
        .map(|r| (r.frames[0].code, r.frames[0].pc));
    let recorded = op.snapshot.map(|id| &trace.snapshots[id].frame);
    resumed.or(recorded.map(|f| (f.code, f.pc)))
}

fn word(values: &HashMap<ValRef, u64>, val: Val) -> u64 {
    match val {
        Val::Const(c) => Const::word(c),
        Val::Ref(v) => values[&v],
    }
}

/// What a load gives after a store of this word.
fn extended(layout: Layout, word: u64) -> u64 {
    match 64 - 8 * u32::from(layout.size) {
        0 | 64 => word,
        cut if layout.signed => ((word << cut) as i64 >> cut) as u64,
        cut => word << cut >> cut,
    }
}

fn field_index(descrs: &Descrs, field: FieldId) -> usize {
    let class = descrs.fields[field].class;
    match &descrs.classes[class].kind {
        ClassKind::Struct { fields } => fields.iter().position(|f| *f == field).expect("its field"),
        ClassKind::Array { .. } => unreachable!("fields belong to structs"),
    }
}

/// Where a run ended: the trace, the operation, and the values there.
pub struct Exit {
    /// Which trace was left.
    pub trace: usize,
    /// The operation that it was left at.
    pub at: usize,
    /// The values that were known.
    pub values: HashMap<ValRef, u64>,
    /// The objects of the guard's resume data that exist, if what was kept has been taken.
    pub made: Option<Vec<Option<u64>>>,
}

impl Exit {
    fn new(trace: usize, at: usize, values: HashMap<ValRef, u64>) -> Exit {
        Exit {
            trace,
            at,
            values,
            made: None,
        }
    }
}

fn bind(defs: &[ValRef], words: &[u64]) -> HashMap<ValRef, u64> {
    defs.iter().copied().zip(words.iter().copied()).collect()
}

/// The trace, the values and the position of a jump's target; the trace's start for its own loop.
fn target<'a>(
    traces: &[&'a Trace],
    from: usize,
    descr: u32,
) -> Option<(usize, &'a [ValRef], usize)> {
    let label = |op: &Op| op.opcode == Opcode::Label && op.descr == descr;
    for (i, trace) in traces.iter().enumerate() {
        if let Some(at) = trace.ops.iter().position(label) {
            return Some((i, &trace.ops[at].defs, at + 1));
        }
    }
    (descr == OWN_LOOP).then(|| (from, &traces[from].inputs[..], 0))
}
