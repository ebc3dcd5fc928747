//! Builds one random trace of well-typed operations and guards. Its meaning is the same everywhere:
//! no bits of a NaN, no addresses.

use crate::vm::Vm;
use verdigris_ops::{ClassId, DataOp, FieldId, FnId, Ty};
use verdigris_trace::{
    self as trace, Arg, Const, Descr, GuardId, Opcode, OptimisedTrace, Resume, TargetId, ValRef,
};

pub(crate) const EDGES: [i64; 12] = [
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

pub(crate) const FLOATS: [f64; 7] = [0.0, 1.5, -2.25, 1e18, -1e300, 0.1, f64::INFINITY];

/// A source of decisions.
pub(crate) struct Choices<'a> {
    words: &'a [u32],
    at: usize,
}

impl<'a> Choices<'a> {
    pub(crate) fn new(words: &'a [u32]) -> Choices<'a> {
        Choices { words, at: 0 }
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        let word = self.words[self.at % self.words.len()];
        // Wrapping around must not repeat the same trace for ever.
        let salt = (self.at / self.words.len()) as u32;
        self.at += 1;
        (word.wrapping_add(salt.wrapping_mul(0x9e37_79b9)) >> 3) as usize % n
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Builds one trace.
pub(crate) struct Builder<'a, 'c> {
    pub(crate) choices: &'a mut Choices<'c>,
    pub(crate) trace: OptimisedTrace,
    pub(crate) ints: Vec<ValRef>,
    pub(crate) floats: Vec<ValRef>,
    /// Not null, of class `Node`.
    pub(crate) nodes: Vec<ValRef>,
    /// Not null, of class `Ints`, 8 items long.
    pub(crate) arrays: Vec<ValRef>,
    /// References that may be null.
    pub(crate) loose: Vec<ValRef>,
    /// Words of values, and what they are.
    pub(crate) words: Vec<(ValRef, Ty)>,
    /// How often labels may still be reached. The first fail argument of every guard, so that
    /// bridges pass it on.
    pub(crate) fuel: Option<ValRef>,
    /// Guards that fail when there is no fuel: their bridges must not go back.
    pub(crate) last_guards: Vec<u32>,
    pub(crate) next_guard: &'a mut u32,
    classes: Classes,
}

#[derive(Clone, Copy)]
pub(crate) struct Classes {
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
pub(crate) const PARAMS: [Ty; 8] = [
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
    pub(crate) fn new(
        vm: &Vm,
        choices: &'a mut Choices<'c>,
        next_guard: &'a mut u32,
    ) -> Builder<'a, 'c> {
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

    pub(crate) fn data(
        &mut self,
        op: DataOp,
        args: &[Arg],
        descr: impl Into<Descr>,
    ) -> Option<ValRef> {
        let (opcode, types) = (Opcode::Data(op), op.ret());
        self.trace
            .push_all(opcode, args, descr.into(), types.as_slice())
            .next()
    }

    pub(crate) fn int(&mut self) -> Arg {
        match self.choices.below(4) {
            0 => Arg::int(self.choices.pick(&EDGES)),
            _ => Arg::Ref(self.choices.pick(&self.ints)),
        }
    }

    pub(crate) fn float(&mut self) -> Arg {
        match self.choices.below(4) {
            0 => Arg::Const(Const::Float(self.choices.pick(&FLOATS).to_bits())),
            _ => Arg::Ref(self.choices.pick(&self.floats)),
        }
    }

    pub(crate) fn node(&mut self) -> Arg {
        Arg::Ref(self.choices.pick(&self.nodes))
    }

    pub(crate) fn array(&mut self) -> Arg {
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
    pub(crate) fn word(&mut self) -> Arg {
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

    pub(crate) fn guard_on(&mut self, opcode: Opcode, args: &[Arg], descr: Descr) {
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

    pub(crate) fn body(&mut self, len: usize) {
        for _ in 0..len {
            match self.choices.below(10) {
                0..=4 => self.pure(),
                5..=7 => self.memory(),
                _ => self.guard(),
            }
        }
    }

    /// A section begins, with these values for [`PARAMS`], behind others that the label takes.
    /// Returns the rest of the fuel, of which there must be some.
    pub(crate) fn begin_section(
        &mut self,
        label: u32,
        params: &[ValRef],
        others: &[ValRef],
    ) -> ValRef {
        self.ints = params[..3].to_vec();
        self.floats = params[3..5].to_vec();
        (self.nodes, self.arrays) = (vec![params[5]], vec![params[6]]);
        self.loose.clear();
        // What the words are that come around, the loop has to keep.
        self.words = params[7..].iter().map(|&word| (word, Ty::Int)).collect();
        let defs = [others, params].concat();
        self.trace.push_label(TargetId::from_u32(label), &defs, &[]);
        let fuel = Arg::Ref(params[0]);
        self.fuel = Some(params[0]);
        self.last_guards.push(*self.next_guard);
        let left = self
            .data(DataOp::IntGt, &[fuel, Arg::int(0)], Descr::None)
            .unwrap();
        self.guard_on(Opcode::GuardTrue, &[Arg::Ref(left)], Descr::None);
        let less = self
            .data(DataOp::IntSub, &[fuel, Arg::int(1)], Descr::None)
            .unwrap();
        self.fuel = Some(less);
        less
    }

    /// Values for [`PARAMS`].
    pub(crate) fn arguments(&mut self, fuel: Arg) -> [Arg; PARAMS.len()] {
        [
            fuel,
            self.int(),
            self.int(),
            self.float(),
            self.float(),
            self.node(),
            self.array(),
            self.word(),
        ]
    }

    /// Jumps to a label with [`PARAMS`]; `fuel` bounds how often.
    pub(crate) fn jump(&mut self, target: u32, fuel: Arg) {
        let args = self.arguments(fuel);
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
