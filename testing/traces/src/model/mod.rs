//! A model machine for traces: it executes recorded and optimised traces on a small heap, and shows
//! the state in which the interpreter would continue, with everything reachable from it, as text.
//! It is independent of the real heap and backends, so that the optimiser is judged by its own
//! rules alone.

mod calls;
mod exits;
mod layout;

pub use exits::{Leave, resume_point};
pub use layout::{LEAN_REGS, STACK_LEN};

use layout::{component, extended, field_index, item_index};
use std::collections::HashMap;
use verdigris_ops::{ClassId, ClassKind, DataOp, Descrs, Effects, SlotLayout, Ty, eval};
use verdigris_trace::{
    Arg, Const, Descr, OpArgs, Opcode, Operation, OptimisedTrace, Trace, ValRef,
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
    /// The words that opaque functions saw.
    pub log: String,
    /// Operations until the run is given up.
    pub fuel: u32,
    /// An operation of the first trace whose executions are counted, and the count at which the run
    /// stops there.
    pub watch: Option<(usize, u32)>,
    /// How often it has been executed.
    pub watched: u32,
    /// Calls that may do anything until one takes what the code keeps: it sees and changes
    /// virtualizable places too, and the run ends behind it. The others do not look at these
    /// places; without this all do.
    pub until_taken: Option<u32>,
    /// Items of an object have been read or written that is not an array of their class. A
    /// program's types say which arrays there are, so that compiled code never asks; the types of a
    /// random trace say less, and who arrives in a loop with another object looks in the wrong
    /// place.
    pub mistyped: bool,
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

    /// Runs the first of these traces until a guard fails, the portal returns, or a jump leads to a
    /// label that is in none of them, following jumps to the others; `None` if the fuel ran out.
    pub fn run<F: Leave>(
        &mut self,
        descrs: &Descrs,
        traces: &[&Trace<F>],
        inputs: &[u64],
    ) -> Option<Exit> {
        let mut trace = 0;
        let mut values = bind(&traces[0].inputs, inputs);
        let mut at = 0;
        loop {
            self.fuel = self.fuel.checked_sub(1)?;
            let op = traces[trace].ops().at(at);
            let args = words(&values, op.args());
            if op.opcode().is_guard() && !self.guard_holds(op, &args)
                || op.opcode() == Opcode::Finish
            {
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
            match op.opcode() {
                Opcode::Close => {
                    values = bind(&traces[trace].inputs, &args);
                    at = 0;
                }
                Opcode::Jump => {
                    let Some((next, defs, start)) = target(traces, op.descr()) else {
                        return Some(Exit::new(trace, at - 1, values));
                    };
                    values = bind(defs, &args);
                    (trace, at) = (next, start);
                }
                Opcode::Call if self.takes(descrs, op) => {
                    let guard = traces[trace].ops().at(at);
                    let made = F::take(self, descrs, traces[trace], guard, &values);
                    let result = self.call(descrs, op.function(), &args);
                    values.extend(op.definitions().map(|v| (v, result)));
                    let exit = Exit::new(trace, at, values);
                    return Some(Exit { made, ..exit });
                }
                Opcode::Call => {
                    let result = self.call(descrs, op.function(), &args);
                    values.extend(op.definitions().map(|v| (v, result)));
                }
                Opcode::Data(data) => {
                    let result = self.data(descrs, data, &args, op.descr());
                    values.extend(op.result().map(|v| (v, result)));
                }
                _ => {}
            }
        }
    }

    /// Whether this call takes what the code keeps.
    fn takes<F>(&mut self, descrs: &Descrs, op: Operation<'_, F>) -> bool {
        let all = descrs.fns[op.function()].effects == Effects::all();
        let Some(until) = self.until_taken.as_mut().filter(|_| all) else {
            return false;
        };
        *until = until.saturating_sub(1);
        *until == 0
    }

    /// The words that the jump at an exit passes.
    pub fn passed<F>(&self, trace: &Trace<F>, exit: &Exit) -> Vec<u64> {
        words(&exit.values, trace.ops().at(exit.at).args())
    }

    /// The registers of the innermost frame at an exit, if it resumes at this pc; what was delayed
    /// is done.
    pub fn registers(
        &mut self,
        descrs: &Descrs,
        trace: &OptimisedTrace,
        exit: &Exit,
        pc: u32,
    ) -> Option<Vec<u64>> {
        let resume = trace.ops().at(exit.at).resume()?;
        if resume.frames.innermost()?.pc != pc {
            return None;
        }
        let frames = self.rebuild(descrs, trace, resume, &exit.values, None);
        Some(frames[0].2.iter().map(|&(_, _, w)| w).collect())
    }

    /// The state at an exit: frames and heap.
    ///
    /// # Panics
    /// If an array had another class than its items.
    pub fn state<F: Leave>(
        &mut self,
        descrs: &Descrs,
        traces: &[&Trace<F>],
        exit: &Exit,
    ) -> String {
        let state = self.typed_state(descrs, traces, exit);
        state.expect("arrays are of the classes of their items")
    }

    /// The state at an exit, unless an array had another class than its items: what the run did
    /// then means nothing.
    pub fn typed_state<F: Leave>(
        &mut self,
        descrs: &Descrs,
        traces: &[&Trace<F>],
        exit: &Exit,
    ) -> Option<String> {
        let trace = traces[exit.trace];
        let op = trace.ops().at(exit.at);
        let frames = match op.opcode() {
            Opcode::Finish => {
                let regs = op.args().iter();
                let regs = regs.map(|a| (0, trace.ty(a), word(&exit.values, a)));
                vec![(u32::MAX, 0, regs.collect())]
            }
            _ => F::leave(self, descrs, trace, op, exit),
        };
        self.until_taken = None;
        (!self.mistyped).then(|| self.show(descrs, &frames))
    }

    fn guard_holds<F>(&self, op: Operation<'_, F>, args: &[u64]) -> bool {
        match op.opcode() {
            Opcode::GuardTrue => args[0] != 0,
            Opcode::GuardFalse => args[0] == 0,
            Opcode::GuardValue => args[0] == args[1],
            Opcode::GuardClass => self.at(args[0]).class == op.class(),
            _ => true,
        }
    }

    /// The object at a reference.
    pub fn at(&self, reference: u64) -> &Object {
        assert_ne!(reference, 0, "null is dereferenced");
        &self.objects[reference as usize - 1]
    }

    /// Executes a data operation.
    pub fn data(&mut self, descrs: &Descrs, data: DataOp, args: &[u64], descr: Descr) -> u64 {
        use DataOp::*;
        if let Some(word) = eval(data, args) {
            return word;
        }
        if data == Reclaim {
            return 0;
        }
        let place = match data {
            GetFieldI | GetFieldR | GetFieldF | GetFieldW | SetFieldI | SetFieldR | SetFieldF
            | SetFieldW => field_index(descrs, descr.field()),
            GetItemI | GetItemR | GetItemF | GetItemW | SetItemI | SetItemR | SetItemF
            | SetItemW => item_index(descrs, descr.class(), args[1] as usize),
            ArrayLen => {
                let array = self.at(args[0]);
                return (array.words.len() / component(descrs, array.class).1) as u64;
            }
            New => return self.add(descrs, descr.class(), 0),
            NewArray => return self.add(descrs, descr.class(), args[0] as usize),
            FillItemsI | FillItemsR | FillItemsF | FillItemsW => {
                let (part, parts) = component(descrs, descr.class());
                let words = &mut self.objects[args[0] as usize - 1].words;
                let items = words.iter_mut().skip(part).step_by(parts);
                items.for_each(|word| *word = args[1]);
                return 0;
            }
            _ => unreachable!("`eval` defines every other operation"),
        };
        assert_ne!(args[0], 0, "null is dereferenced");
        if let Descr::Class(class) = descr {
            self.mistyped |= self.at(args[0]).class != descrs.item_part(class).0;
        }
        let object = &mut self.objects[args[0] as usize - 1];
        if data.ret().is_some() {
            return match object.words.get(place) {
                Some(&word) => word,
                None if self.mistyped => 0,
                None => panic!("{data}: an object of {} words", object.words.len()),
            };
        }
        let value = *args.last().expect("stores have a value");
        let layout = match data {
            SetFieldI => descrs.fields[descr.field()].layout,
            SetItemI => descrs.item(descr.class()).1,
            _ => SlotLayout::default(),
        };
        assert_eq!(
            value,
            extended(layout, value),
            "a wide integer in a narrow place"
        );
        match object.words.get_mut(place) {
            Some(word) => *word = value,
            None if self.mistyped => {}
            None => panic!("{data}: an object of {} words", object.words.len()),
        }
        0
    }
}

fn word(values: &HashMap<ValRef, u64>, val: Arg) -> u64 {
    match val {
        Arg::Const(c) => Const::word(c),
        Arg::Ref(v) => values[&v],
    }
}

fn words(values: &HashMap<ValRef, u64>, args: OpArgs<'_>) -> Vec<u64> {
    args.iter().map(|a| word(values, a)).collect()
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

/// The trace, the values and the position of a jump's target.
fn target<'a, F>(traces: &[&'a Trace<F>], descr: Descr) -> Option<(usize, &'a [ValRef], usize)> {
    let label = |op: Operation<'_, F>| op.opcode() == Opcode::Label && op.descr() == descr;
    for (i, trace) in traces.iter().enumerate() {
        if let Some(at) = trace.ops().iter().position(label) {
            return Some((i, trace.ops().at(at).params(), at + 1));
        }
    }
    None
}
