//! The world that the interpreters share: a heap of words, a log of calls, and how a run ends.

use verdigris_ops::{ClassId, ClassKind, DataOp, Descrs, FieldId, FnId, FnKind, Ty};

/// How a run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With a result (0 if there is none).
    Returned(u64),
    /// With this message.
    Panicked(String),
    /// Not within the budget.
    TooLong,
}

/// The outside of a run.
pub struct World<'a> {
    pub descrs: &'a Descrs,
    /// Objects by address: reference `n` is object `n - 1`, and 0 is null. Struct fields by name.
    objects: Vec<(ClassId, Vec<u64>)>,
    /// Calls with their arguments and everything that these lead to.
    pub log: Vec<(FnId, Vec<u64>)>,
    /// Whether anything has been called.
    pub called: bool,
    /// Whether the program ends at the first call, since it is not known what the call would give.
    pub without_calls: bool,
    fuel: u32,
}

impl<'a> World<'a> {
    pub fn new(descrs: &'a Descrs) -> World<'a> {
        World {
            descrs,
            objects: Vec::new(),
            log: Vec::new(),
            called: false,
            without_calls: false,
            fuel: 100_000,
        }
    }

    /// Uses up a bit of the budget; returns whether there was any.
    pub fn burn(&mut self, cost: u32) -> bool {
        self.fuel = self.fuel.saturating_sub(cost);
        self.fuel > 0
    }

    /// The result of a called function, a word for each of its results, or the message of its
    /// panic.
    pub fn call(&mut self, callee: FnId, args: &[u64]) -> Result<Vec<u64>, String> {
        self.called = true;
        if self.without_calls {
            return Err("a call".to_string());
        }
        let info = &self.descrs.fns[callee];
        assert_eq!(args.len(), info.params.len());
        if info.kind != FnKind::Elidable {
            let seen = self.seen(&info.params, args);
            self.log.push((callee, seen));
        }
        let mut mix = 17u64;
        for (ty, &arg) in info.params.iter().zip(args) {
            // Objects that are never used need not exist, so addresses differ between the forms.
            let word = if *ty == Ty::Ref {
                u64::from(arg == 0)
            } else {
                arg
            };
            mix = mix.rotate_left(7) ^ word;
        }
        if mix.is_multiple_of(97) {
            return Err("the callee panics".to_string());
        }
        let result = |(n, ty): (usize, &Ty)| {
            let mix = mix.rotate_left(n as u32);
            match ty {
                Ty::Int => mix as i8 as u64,
                Ty::Float => (mix as i16 as f64).to_bits(),
                Ty::Ref => 0,
                Ty::Word => unreachable!("a component has a type of its own"),
            }
        };
        Ok(info.ret.iter().enumerate().map(result).collect())
    }

    /// The arguments with objects numbered in the order in which they are found, and their
    /// contents.
    fn seen(&self, params: &[Ty], args: &[u64]) -> Vec<u64> {
        let mut found: Vec<u64> = Vec::new();
        let mut out = Vec::new();
        let mut note = |ty: Ty, word: u64, found: &mut Vec<u64>| {
            if ty != Ty::Ref || word == 0 {
                return out.push(word);
            }
            let known = found.iter().position(|f| *f == word).unwrap_or_else(|| {
                found.push(word);
                found.len() - 1
            });
            out.push(known as u64 + 1);
        };
        for (&ty, &arg) in params.iter().zip(args) {
            note(ty, arg, &mut found);
        }
        let mut next = 0;
        while next < found.len() {
            let (class, words) = &self.objects[found[next] as usize - 1];
            for (n, &word) in words.iter().enumerate() {
                let ty = match &self.descrs.classes[*class].kind {
                    ClassKind::Struct { fields } => self.descrs.fields[fields[n]].ty,
                    ClassKind::Array { item, .. } => *item,
                };
                note(ty, word, &mut found);
            }
            next += 1;
        }
        out
    }

    fn slot(&mut self, field: FieldId, object: u64) -> &mut u64 {
        let info = &self.descrs.fields[field];
        let (class, words) = &mut self.objects[object as usize - 1];
        assert_eq!(*class, info.class, "a field of another class");
        let ClassKind::Struct { fields } = &self.descrs.classes[info.class].kind else {
            panic!("not a struct");
        };
        let index = fields
            .iter()
            .position(|f| *f == field)
            .expect("a field of its class");
        &mut words[index]
    }

    fn alloc(&mut self, class: ClassId, words: Vec<u64>) -> u64 {
        self.objects.push((class, words));
        self.objects.len() as u64
    }

    /// A heap operation.
    pub fn heap(&mut self, op: DataOp, args: &[u64], descr: u32) -> u64 {
        use DataOp::*;
        let class = ClassId::from_u32(descr);
        match op {
            GetFieldI | GetFieldR | GetFieldF | GetFieldW => {
                *self.slot(FieldId::from_u32(descr), args[0])
            }
            SetFieldI | SetFieldR | SetFieldF | SetFieldW => {
                *self.slot(FieldId::from_u32(descr), args[0]) = args[1];
                0
            }
            GetItemI | GetItemR | GetItemF | GetItemW => {
                self.objects[args[0] as usize - 1].1[args[1] as usize]
            }
            SetItemI | SetItemR | SetItemF | SetItemW => {
                self.objects[args[0] as usize - 1].1[args[1] as usize] = args[2];
                0
            }
            ArrayLen => self.objects[args[0] as usize - 1].1.len() as u64,
            New => {
                let ClassKind::Struct { fields } = &self.descrs.classes[class].kind else {
                    panic!("not a struct");
                };
                let count = fields.len();
                self.alloc(class, vec![0; count])
            }
            NewArray => self.alloc(class, vec![0; args[0] as usize]),
            FillItemsI | FillItemsR | FillItemsF | FillItemsW => {
                self.objects[args[0] as usize - 1].1.fill(args[1]);
                0
            }
            _ => panic!("{op} is no heap operation"),
        }
    }

    /// The class of an object.
    pub fn class_of(&self, object: u64) -> ClassId {
        self.objects[object as usize - 1].0
    }
}
