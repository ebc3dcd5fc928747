//! Random well-typed traces with guards, loops and bridges. In: decisions. Out: a log of what happened. Invariant: the oracle and machine
//! code leave at the same guards with the same words and the same heap.

use crate::vm::{Vm, check_both};
use verdigris_backend::Exit;
use verdigris_heap::{HeapOptions, Stress};
use verdigris_ops::{ClassId, DataOp, FieldId, FnId, Ty};
use verdigris_trace::{
    self as trace, Arg, Const, Descr, Failing, GuardId, Opcode, OptimisedOp, OptimisedTrace,
    Resume, TargetId, ValRef,
};

const EDGES: [i64; 12] = [
    0,
    1,
    -1,
    2,
    5,
    -7,
    64,
    255,
    1 << 40,
    i64::MAX,
    i64::MIN,
    0x1234_5678_9abc,
];

const FLOATS: [f64; 7] = [0.0, 1.5, -2.25, 1e18, -1e300, 0.1, f64::INFINITY];

/// A source of decisions.
struct Choices<'a> {
    words: &'a [u32],
    at: usize,
}

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        let word = self.words[self.at % self.words.len()];
        // Wrapping around must not repeat the same trace for ever.
        let salt = (self.at / self.words.len()) as u32;
        self.at += 1;
        (word.wrapping_add(salt.wrapping_mul(0x9e37_79b9)) >> 3) as usize % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Builds one trace.
struct Builder<'a, 'c> {
    choices: &'a mut Choices<'c>,
    trace: OptimisedTrace,
    ints: Vec<ValRef>,
    floats: Vec<ValRef>,
    /// Not null, of class `Node`.
    nodes: Vec<ValRef>,
    /// Not null, of class `Ints`, 8 items long.
    arrays: Vec<ValRef>,
    /// References that may be null.
    loose: Vec<ValRef>,
    /// Words of values, and what they are.
    words: Vec<(ValRef, Ty)>,
    /// How often labels may still be reached. The first fail argument of every guard, so that bridges pass it on.
    fuel: Option<ValRef>,
    /// Guards that fail when there is no fuel: their bridges must not go back.
    last_guards: Vec<u32>,
    next_guard: &'a mut u32,
    classes: Classes,
}

#[derive(Clone, Copy)]
struct Classes {
    node: ClassId,
    narrow: ClassId,
    ints: ClassId,
    value: FieldId,
    next: FieldId,
    weight: FieldId,
    lean: ClassId,
    word: FieldId,
    words: ClassId,
    add: FnId,
}

/// The parameters of a loop's label.
const PARAMS: [Ty; 8] = [
    Ty::Int,
    Ty::Int,
    Ty::Int,
    Ty::Float,
    Ty::Float,
    Ty::Ref,
    Ty::Ref,
    Ty::Word,
];

impl<'a, 'c> Builder<'a, 'c> {
    fn new(vm: &Vm, choices: &'a mut Choices<'c>, next_guard: &'a mut u32) -> Builder<'a, 'c> {
        Builder {
            choices,
            trace: OptimisedTrace::default(),
            ints: Vec::new(),
            floats: Vec::new(),
            nodes: Vec::new(),
            arrays: Vec::new(),
            loose: Vec::new(),
            words: Vec::new(),
            fuel: None,
            last_guards: Vec::new(),
            next_guard,
            classes: classes(vm),
        }
    }

    fn data(&mut self, op: DataOp, args: &[Arg], descr: impl Into<Descr>) -> Option<ValRef> {
        let (opcode, types) = (Opcode::Data(op), op.ret());
        self.trace
            .push_all(opcode, args, descr.into(), types.as_slice())
            .next()
    }

    fn int(&mut self) -> Arg {
        match self.choices.below(4) {
            0 => Arg::int(self.choices.pick(&EDGES)),
            _ => Arg::Ref(self.choices.pick(&self.ints)),
        }
    }

    fn float(&mut self) -> Arg {
        match self.choices.below(4) {
            0 => Arg::Const(Const::Float(self.choices.pick(&FLOATS).to_bits())),
            _ => Arg::Ref(self.choices.pick(&self.floats)),
        }
    }

    fn node(&mut self) -> Arg {
        Arg::Ref(self.choices.pick(&self.nodes))
    }

    fn array(&mut self) -> Arg {
        Arg::Ref(self.choices.pick(&self.arrays))
    }

    fn any_ref(&mut self) -> Arg {
        match self.choices.below(4) {
            0 if !self.loose.is_empty() => Arg::Ref(self.choices.pick(&self.loose)),
            1 => Arg::NULL,
            2 => self.array(),
            _ => self.node(),
        }
    }

    /// An index of an array with 8 items.
    fn index(&mut self) -> Arg {
        let index = self.int();
        match index {
            Arg::Const(_) => Arg::int(self.choices.below(8) as i64),
            index => Arg::Ref(
                self.data(DataOp::IntAnd, &[index, Arg::int(7)], Descr::None)
                    .unwrap(),
            ),
        }
    }

    fn pure(&mut self) {
        let op = self.choices.pick(DataOp::ALL);
        // The bits of a NaN depend on the machine's instructions.
        if !op.is_pure() || op == DataOp::FloatBits {
            return;
        }
        if op.params() == [Ty::Word] || op.ret() == Some(Ty::Word) {
            return self.cast(op);
        }
        let mut args = Vec::new();
        for &ty in op.params() {
            args.push(match ty {
                Ty::Int => self.int(),
                Ty::Float => self.float(),
                Ty::Ref => self.any_ref(),
                Ty::Word => unreachable!("only casts take words"),
            });
        }
        if matches!(
            op,
            DataOp::IntDiv | DataOp::IntRem | DataOp::UintDiv | DataOp::UintRem
        ) {
            args[1] = self.divisor(args[1]);
        }
        let result = self.data(op, &args, Descr::None).unwrap();
        match op.ret() {
            Some(Ty::Float) => self.floats.push(result),
            _ => self.ints.push(result),
        }
        if let (DataOp::IntAddOverflows | DataOp::IntSubOverflows | DataOp::IntMulOverflows, true) =
            (op, self.choices.below(2) == 0)
        {
            let plain = match op {
                DataOp::IntAddOverflows => DataOp::IntAdd,
                DataOp::IntSubOverflows => DataOp::IntSub,
                _ => DataOp::IntMul,
            };
            self.guard_on(Opcode::GuardFalse, &[Arg::Ref(result)], Descr::None);
            let value = self.data(plain, &args, Descr::None).unwrap();
            self.ints.push(value);
        }
    }

    /// A word that is an integer.
    fn word(&mut self) -> Arg {
        let integers = self.words.iter().filter(|(_, ty)| *ty == Ty::Int);
        let integers: Vec<ValRef> = integers.map(|w| w.0).collect();
        if integers.is_empty() || self.choices.below(4) == 0 {
            let value = self.int();
            let word = self
                .data(DataOp::WordFromInt, &[value], Descr::None)
                .unwrap();
            self.words.push((word, Ty::Int));
            return Arg::Ref(word);
        }
        Arg::Ref(self.choices.pick(&integers))
    }

    /// Words go to memory and come back.
    fn words_in_memory(&mut self) {
        let c = self.classes;
        let word = self.word();
        let loaded = match self.choices.below(2) {
            0 => {
                let object = Arg::Ref(self.data(DataOp::New, &[], c.lean).unwrap());
                self.data(DataOp::SetFieldW, &[object, word], c.word);
                self.data(DataOp::GetFieldW, &[object], c.word)
            }
            _ => {
                let len = Arg::int(8);
                let array = Arg::Ref(self.data(DataOp::NewArray, &[len], c.words).unwrap());
                self.data(DataOp::FillItemsW, &[array, word], c.words);
                let (index, word) = (self.index(), self.word());
                self.data(DataOp::SetItemW, &[array, index, word], c.words);
                let index = self.index();
                self.data(DataOp::GetItemW, &[array, index], c.words)
            }
        };
        let loaded = loaded.unwrap();
        self.words.push((loaded, Ty::Int));
        if self.choices.below(2) == 0 {
            let as_float = self.data(DataOp::FloatFromWord, &[Arg::Ref(loaded)], Descr::None);
            self.floats.push(as_float.unwrap());
        }
    }

    /// A cast to a word, or back.
    fn cast(&mut self, op: DataOp) {
        let (Some(to), &[from]) = (op.ret(), op.params()) else {
            unreachable!("a cast has one operand and a result")
        };
        if to == Ty::Word {
            let value = match from {
                Ty::Int => self.int(),
                Ty::Float => self.float(),
                _ => self.any_ref(),
            };
            let word = self.data(op, &[value], Descr::None).unwrap();
            return self.words.push((word, from));
        }
        // Addresses and the bits of a NaN are not the same everywhere.
        let fits = |&&(_, is): &&(ValRef, Ty)| is == to || (is, to) == (Ty::Int, Ty::Float);
        let words: Vec<ValRef> = self.words.iter().filter(fits).map(|w| w.0).collect();
        if words.is_empty() {
            return;
        }
        let word = Arg::Ref(self.choices.pick(&words));
        let value = self.data(op, &[word], Descr::None).unwrap();
        match to {
            Ty::Int => self.ints.push(value),
            Ty::Float => self.floats.push(value),
            _ => self.loose.push(value),
        }
    }

    /// A divisor that satisfies every precondition: from 1 to 255, or a constant.
    fn divisor(&mut self, value: Arg) -> Arg {
        match value.as_const() {
            Some(Const::Int(c)) if c != 0 && c != -1 => value,
            _ => {
                let low = self
                    .data(DataOp::IntAnd, &[value, Arg::int(254)], Descr::None)
                    .unwrap();
                Arg::Ref(
                    self.data(DataOp::IntOr, &[Arg::Ref(low), Arg::int(1)], Descr::None)
                        .unwrap(),
                )
            }
        }
    }

    fn memory(&mut self) {
        let c = self.classes;
        match self.choices.below(12) {
            11 => self.words_in_memory(),
            0 => {
                let args = [self.node()];
                let value = self.data(DataOp::GetFieldI, &args, c.value).unwrap();
                self.ints.push(value);
            }
            1 => {
                let args = [self.node()];
                let value = self.data(DataOp::GetFieldR, &args, c.next).unwrap();
                self.loose.push(value);
            }
            2 => {
                let args = [self.node()];
                let value = self.data(DataOp::GetFieldF, &args, c.weight).unwrap();
                self.floats.push(value);
            }
            3 => {
                let args = [self.node(), self.int()];
                self.data(DataOp::SetFieldI, &args, c.value);
            }
            4 => {
                let args = [self.node(), self.any_ref()];
                self.data(DataOp::SetFieldR, &args, c.next);
            }
            5 => {
                let args = [self.node(), self.float()];
                self.data(DataOp::SetFieldF, &args, c.weight);
            }
            6 => {
                let args = [self.array(), self.index()];
                let value = self.data(DataOp::GetItemI, &args, c.ints).unwrap();
                self.ints.push(value);
            }
            7 => {
                let args = [self.array(), self.index(), self.int()];
                self.data(DataOp::SetItemI, &args, c.ints);
            }
            8 => {
                let node = self.data(DataOp::New, &[], c.node).unwrap();
                self.nodes.push(node);
            }
            9 => {
                let array = self.data(DataOp::NewArray, &[Arg::int(8)], c.ints).unwrap();
                if self.choices.below(2) == 1 {
                    let args = [Arg::Ref(array), self.int()];
                    self.data(DataOp::FillItemsI, &args, c.ints);
                }
                self.arrays.push(array);
            }
            _ => {
                let args = [self.int(), self.int()];
                let sum = self.trace.push_call(c.add, &args, &[Ty::Int]);
                self.ints.extend(sum);
                self.guard_on(Opcode::GuardNoPanic, &[], Descr::None);
            }
        }
    }

    fn guard(&mut self) {
        match self.choices.below(6) {
            0 => {
                let value = Arg::Ref(self.choices.pick(&self.ints));
                let constant = Arg::int(self.choices.pick(&EDGES));
                self.guard_on(Opcode::GuardValue, &[value, constant], Descr::None);
            }
            1 => {
                let object = self.node();
                let class = match self.choices.below(8) {
                    0 => self.classes.narrow,
                    _ => self.classes.node,
                };
                self.guard_on(Opcode::GuardClass, &[object], class.into());
            }
            n => {
                let value = Arg::Ref(self.choices.pick(&self.ints));
                let opcode = match n % 2 {
                    0 => Opcode::GuardTrue,
                    _ => Opcode::GuardFalse,
                };
                self.guard_on(opcode, &[value], Descr::None);
            }
        }
    }

    fn guard_on(&mut self, opcode: Opcode, args: &[Arg], descr: Descr) {
        let guard = Some(GuardId::from_u32(*self.next_guard));
        *self.next_guard += 1;
        // A bridge needs one value of each kind to start from.
        let mut fail_args = vec![
            self.fuel.expect("fuel is there from the start"),
            self.choices.pick(&self.floats),
            self.choices.pick(&self.nodes),
            self.choices.pick(&self.arrays),
        ];
        let all = [
            &self.ints[..],
            &self.floats,
            &self.nodes,
            &self.arrays,
            &self.loose,
        ]
        .concat();
        let integers = self.words.iter().filter(|(_, ty)| *ty == Ty::Int);
        let all = [all, integers.map(|w| w.0).collect()].concat();
        for _ in 0..self.choices.below(14) {
            fail_args.push(self.choices.pick(&all));
        }
        let mut seen = Vec::new();
        fail_args.retain(|v| {
            !seen.contains(v) && {
                seen.push(*v);
                true
            }
        });
        let resume = Resume {
            fail_args,
            ..Resume::default()
        };
        let resume = resume.into();
        let exit = trace::Exit::Out { guard, resume };
        self.trace.push_guard(opcode, args, descr, exit);
    }

    fn body(&mut self, len: usize) {
        for _ in 0..len {
            match self.choices.below(10) {
                0..=4 => self.pure(),
                5..=7 => self.memory(),
                _ => self.guard(),
            }
        }
    }

    /// Jumps to a label with [`PARAMS`]; `fuel` bounds how often.
    fn jump(&mut self, target: u32, fuel: Arg) {
        let args = [
            fuel,
            self.int(),
            self.int(),
            self.float(),
            self.float(),
            self.node(),
            self.array(),
            self.word(),
        ];
        let target = TargetId::from_u32(target);
        self.trace.push(Opcode::Jump, &args, target.into());
    }
}

fn classes(vm: &Vm) -> Classes {
    let field = |name| vm.descrs.field_by_name(name).unwrap();
    Classes {
        node: vm.class("Node"),
        narrow: vm.class("Narrow"),
        ints: vm.class("Ints"),
        value: field("Node.value"),
        next: field("Node.next"),
        weight: field("Node.weight"),
        lean: vm.class("Value"),
        word: field("Value.word"),
        words: vm.class("Words"),
        add: vm.descrs.fn_by_name("add").unwrap(),
    }
}

/// A loop: one label, or two of which the first leads to the second. Also answers the guards that test the fuel.
fn random_loop(
    vm: &Vm,
    choices: &mut Choices<'_>,
    guards: &mut u32,
    target: u32,
) -> (OptimisedTrace, Vec<u32>) {
    let mut b = Builder::new(vm, choices, guards);
    let sections = 1 + b.choices.below(2) as u32;
    for section in 0..sections {
        let defs: Vec<ValRef> = PARAMS.iter().map(|&ty| b.trace.value(ty)).collect();
        b.ints = defs[..3].to_vec();
        b.floats = defs[3..5].to_vec();
        (b.nodes, b.arrays) = (vec![defs[5]], vec![defs[6]]);
        b.loose.clear();
        // What the words are that come around, the loop has to keep.
        b.words = defs[7..].iter().map(|&word| (word, Ty::Int)).collect();
        let label = TargetId::from_u32(target + section);
        b.trace.push_label(label, &defs, &[]);
        if section == 0 {
            b.trace.inputs = defs;
        }
        let fuel = Arg::Ref(b.ints[0]);
        b.fuel = Some(b.ints[0]);
        b.last_guards.push(*b.next_guard);
        let left = b
            .data(DataOp::IntGt, &[fuel, Arg::int(0)], Descr::None)
            .unwrap();
        b.guard_on(Opcode::GuardTrue, &[Arg::Ref(left)], Descr::None);
        let less = b
            .data(DataOp::IntSub, &[fuel, Arg::int(1)], Descr::None)
            .unwrap();
        b.fuel = Some(less);
        let len = 3 + b.choices.below(30);
        b.body(len);
        match b.choices.below(8) {
            0 if section + 1 == sections => {
                let value = b.int();
                b.trace.push(Opcode::Finish, &[value], Descr::None);
            }
            // Sometimes back to the first section, which is another function.
            1 => b.jump(target, Arg::Ref(less)),
            _ => b.jump(target + sections - 1, Arg::Ref(less)),
        }
    }
    (b.trace, b.last_guards)
}

/// A bridge that starts with the fail arguments of a guard, which have these types.
fn random_bridge(
    vm: &Vm,
    choices: &mut Choices<'_>,
    guards: &mut u32,
    types: &[Ty],
    targets: &[u32],
) -> OptimisedTrace {
    let mut b = Builder::new(vm, choices, guards);
    for (n, &ty) in types.iter().enumerate() {
        let value = b.trace.value(ty);
        b.trace.inputs.push(value);
        match (ty, n) {
            (Ty::Int, _) => b.ints.push(value),
            (Ty::Float, _) => b.floats.push(value),
            // The first four are an integer, a float, a node and an array.
            (Ty::Ref, 2) => b.nodes.push(value),
            (Ty::Ref, 3) => b.arrays.push(value),
            (Ty::Ref, _) => b.loose.push(value),
            (Ty::Word, _) => b.words.push((value, Ty::Int)),
        }
    }
    let fuel = b.ints[0];
    b.fuel = Some(fuel);
    // Some do nothing but leave again.
    let len = b.choices.below(21);
    b.body(len);
    match b.choices.below(6) {
        0 => b.guard_on(Opcode::Leave, &[], Descr::None),
        3.. if !targets.is_empty() => {
            let target = b.choices.pick(targets);
            b.jump(target, Arg::Ref(fuel));
        }
        _ => {
            let value = b.int();
            b.trace.push(Opcode::Finish, &[value], Descr::None);
        }
    }
    b.trace
}

/// Makes what is behind some guards of a trace a part of it. Adds the guards that must not lead back to those that are known.
fn grow_region(
    vm: &Vm,
    choices: &mut Choices<'_>,
    guards: &mut u32,
    trace: &mut OptimisedTrace,
    targets: &[u32],
    last_guards: &mut Vec<u32>,
) {
    for side in 0..choices.below(4) as u32 {
        let can_have_side = |op: &OptimisedOp<'_>| {
            op.guard().is_some()
                && op.opcode().failing() == Some(Failing::Bridge)
                && op.opcode() != Opcode::Leave
        };
        let open: Vec<OptimisedOp<'_>> = trace.ops().iter().filter(can_have_side).collect();
        let Some(&guard) = open.get(choices.below(open.len().max(1))) else {
            return;
        };
        let id = guard.guard().map_or(0, GuardId::as_u32);
        let types: Vec<Ty> = guard.fail_args().iter().map(|&v| trace.types[v]).collect();
        let is_last = last_guards.contains(&id);
        let back = if is_last { &[] } else { targets };
        let first = *guards;
        let exit = guard.exit_id();
        let bridge = random_bridge(vm, choices, guards, &types, back);
        if is_last {
            last_guards.extend(first..*guards);
        }
        let label = targets.first().copied().unwrap_or(0) + SIDES + side;
        trace.absorb(
            exit.expect("it is a guard"),
            TargetId::from_u32(label),
            bridge,
        );
    }
}

/// The labels of sides have numbers from this one on, counted from their trace's first.
const SIDES: u32 = 1000;

/// How often a scenario enters compiled code.
const ROUNDS: usize = 8;

fn scenario(vm: &mut Vm, words: &[u32]) {
    let mut choices = Choices { words, at: 0 };
    let mut guards = 0;
    if choices.below(4) == 0 {
        vm.backend.force_guard_failures();
    }
    let (mut targets, mut last_guards) = (Vec::new(), Vec::new());
    for n in 0..1 + choices.below(2) as u32 {
        let (mut trace, mut last) = random_loop(vm, &mut choices, &mut guards, 10 * n);
        let labels = trace.ops().iter().filter(|op| op.opcode() == Opcode::Label);
        let own: Vec<u32> = labels.map(|op| op.label().as_u32()).collect();
        grow_region(vm, &mut choices, &mut guards, &mut trace, &own, &mut last);
        verdigris_trace::verify(&vm.descrs, &trace).unwrap();
        vm.compile_trace(&trace).unwrap();
        targets.extend(own);
        last_guards.extend(last);
    }
    for _ in 0..ROUNDS {
        let entry = choices.pick(&targets);
        let exit = enter_with_random_arguments(vm, &mut choices, entry);
        let Exit::Guard(guard) = exit else { continue };
        let back = match last_guards.contains(&guard.as_u32()) {
            true => &[],
            false => &targets[..],
        };
        let first = guards;
        let types = vm.fail_types(guard).to_vec();
        let bridge = random_bridge(vm, &mut choices, &mut guards, &types, back);
        if back.is_empty() {
            last_guards.extend(first..guards);
        }
        verdigris_trace::verify(&vm.descrs, &bridge).unwrap();
        vm.bridge_trace(guard, &bridge).unwrap();
    }
}

fn enter_with_random_arguments(vm: &mut Vm, choices: &mut Choices<'_>, target: u32) -> Exit {
    let tail = vm.node(choices.pick(&EDGES), 0, 0.5);
    let node = vm.node(choices.pick(&EDGES), tail, choices.pick(&FLOATS));
    let items: Vec<u64> = (0..8).map(|_| choices.pick(&EDGES) as u64).collect();
    let array = vm.array("Ints", &items);
    let args = [
        choices.below(8) as u64,
        choices.pick(&EDGES) as u64,
        choices.pick(&EDGES) as u64,
        choices.pick(&FLOATS).to_bits(),
        choices.pick(&FLOATS).to_bits(),
        node,
        array,
        choices.pick(&EDGES) as u64,
    ];
    let exit = vm.enter(target, &args);
    vm.note_object(node);
    vm.note_object(array);
    exit
}

/// Runs the scenario of these decisions, which are at least one, on both backends. Gives the log of what happened.
///
/// # Panics
/// If they differ.
pub fn compare(decisions: &[u32], stress: Stress) -> String {
    let options = HeapOptions {
        stress,
        ..HeapOptions::default()
    };
    check_both(options, |vm| scenario(vm, decisions))
}
