//! Random well-formed, canonical traces: printing and parsing are inverse, and so are writing and
//! reading resume data as numbers.

use crate::descrs;
use cranelift_entity::EntityRef;
use proptest::prelude::*;
use verdigris_ops::{ClassId, ClassKind, DataOp, DescrKind, Descrs, FieldId, FnId, Ty};
use verdigris_trace::Descr;
use verdigris_trace::*;

/// Builds a canonical, mostly meaningless but well-formed trace from a list of choices.
struct Builder<'a, F> {
    descrs: &'a Descrs,
    choices: std::slice::Iter<'a, u32>,
    trace: Trace<F>,
    /// The values of this section.
    visible: Vec<ValRef>,
    objects: u64,
}

/// The exits of guards are made up by their form.
trait Resumption: TraceForm {
    fn exit(builder: &mut Builder<'_, Self>) -> Self::Exit;

    /// The same behind a call, whose results are the values from `before` on, and the guard's
    /// opcode.
    fn behind_call(builder: &mut Builder<'_, Self>, before: usize) -> (Opcode, Self::Exit);

    /// Lets a guard go to a section of the same trace, if the form has such guards.
    fn branch(_: &mut Trace<Self>) {}
}

impl Resumption for Snapshots {
    fn exit(builder: &mut Builder<'_, Snapshots>) -> SnapshotId {
        builder.snapshot()
    }

    fn behind_call(builder: &mut Builder<'_, Snapshots>, _: usize) -> (Opcode, SnapshotId) {
        (Opcode::GuardNoPanic, builder.snapshot())
    }
}

impl Resumption for Exits {
    fn exit(builder: &mut Builder<'_, Exits>) -> Exit {
        let guard = Some(GuardId::from_u32(builder.pick(50) as u32));
        let guard = guard.filter(|_| builder.pick(4) > 0);
        let resume = builder.resume();
        Exit::Out {
            guard,
            resume: resume.into(),
        }
    }

    fn behind_call(builder: &mut Builder<'_, Exits>, before: usize) -> (Opcode, Exit) {
        let mut exit = Exits::exit(builder);
        let resume = exit.resume_mut().expect("it leads out");
        let is_ref = |v: &&ValRef| builder.trace.types[**v] == Ty::Ref;
        let known = builder.visible[..before].iter().find(is_ref).copied();
        let (mut kept, results) = (known, &builder.visible[before..]);
        kept.take_if(|_| resume.fail_args.iter().any(|v| results.contains(v)));
        let keeps = builder.pick(2) > 0;
        let Some(kept) = kept.filter(|_| keeps) else {
            return (Opcode::GuardNoPanic, exit);
        };
        let at = resume.fail_args.iter().position(|&v| v == kept);
        let at = at.unwrap_or(resume.fail_args.len());
        if at == resume.fail_args.len() {
            resume.fail_args.push(kept);
        }
        resume.kept.push(Src::Fail(at as u16));
        (Opcode::GuardNotForced, exit)
    }

    fn branch(trace: &mut OptimisedTrace) {
        // Objects are numbered in the order in which they are met, so none may be gone with the
        // resume data.
        let is_bare = |resume: &Resume| {
            resume.virtuals.is_empty() && resume.pending.is_empty() && resume.frames.is_empty()
        };
        let can = |op: &OptimisedOp<'_>| {
            op.opcode().failing() == Some(OnFailure::Bridge) && op.resume().is_some_and(is_bare)
        };
        let Some(guard) = trace.ops().iter().find(can) else {
            return;
        };
        let types: Vec<Ty> = guard.fail_args().iter().map(|&v| trace.types[v]).collect();
        let exit = guard.exit_id().expect("a guard has an exit");
        let mut side = OptimisedTrace::default();
        side.inputs = types.into_iter().map(|ty| side.value(ty)).collect();
        let resume = Resume {
            fail_args: side.inputs.clone(),
            ..Resume::default()
        };
        side.push_guard(Opcode::Leave, &[], Descr::None, resume.into());
        trace.absorb(exit, TargetId::from_u32(1000), side);
    }
}

impl<F: Resumption> Builder<'_, F> {
    fn pick(&mut self, below: usize) -> usize {
        self.choices.next().map_or(0, |&c| c as usize % below)
    }

    fn ty(&mut self) -> Ty {
        let is_word = |&v: &ValRef| self.trace.types[v] == Ty::Word;
        let types = 3 + usize::from(self.visible.iter().any(is_word));
        [Ty::Int, Ty::Ref, Ty::Float, Ty::Word][self.pick(types)]
    }

    fn define(&mut self, ty: Ty) -> ValRef {
        let value = self.trace.value(ty);
        self.visible.push(value);
        value
    }

    fn constant(&mut self, ty: Ty) -> Const {
        let n = self.choices.next().copied().unwrap_or(0);
        match ty {
            Ty::Int => Const::Int((i64::from(n) - 1000) << (n % 40)),
            Ty::Float => Const::Float(u64::from(n).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            // Canonical: an object seen before, or the next one.
            Ty::Ref => {
                let place = u64::from(n) % (self.objects + 2);
                self.objects = self.objects.max(place);
                Const::Ref(16 * place)
            }
            Ty::Word => unreachable!("no constant has the type word"),
        }
    }

    /// A word of a value, made from a constant.
    fn word(&mut self) -> ValRef {
        let types = [Ty::Int, Ty::Ref, Ty::Float];
        let ty = types[self.pick(types.len())];
        let cast = DataOp::word_from(ty).expect("it is no word");
        let constant = Arg::Const(self.constant(ty));
        let opcode = Opcode::Data(cast);
        let word = self
            .trace
            .push_def(opcode, &[constant], Descr::None, Ty::Word);
        self.visible.push(word);
        word
    }

    fn val(&mut self, ty: Ty) -> Arg {
        let fitting: Vec<ValRef> = self
            .visible
            .iter()
            .copied()
            .filter(|&v| self.trace.types[v] == ty)
            .collect();
        match ty {
            Ty::Word if fitting.is_empty() => return Arg::Ref(self.word()),
            Ty::Word => {}
            _ if fitting.is_empty() || self.pick(4) == 0 => {
                return Arg::Const(self.constant(ty));
            }
            _ => {}
        }
        Arg::Ref(fitting[self.pick(fitting.len())])
    }

    /// Arguments of these types. A word that must be made is made by an operation in front: before
    /// any constant among them.
    fn args(&mut self, params: &[Ty]) -> Vec<Arg> {
        if params.contains(&Ty::Word) {
            self.val(Ty::Word);
        }
        params.iter().map(|&ty| self.val(ty)).collect()
    }

    fn data(&mut self) {
        let data = DataOp::ALL[self.pick(DataOp::ALL.len())];
        let params = data.params();
        let ty = data.ret().or(params.last().copied()).unwrap();
        let item_ty = if params.len() < 2 && data != DataOp::New {
            None
        } else {
            Some(ty)
        };
        let descrs = self.descrs;
        let descr = match data.descr_kind() {
            DescrKind::None => Descr::None,
            DescrKind::Field => {
                let fitting = |f: &FieldId| descrs.fields[*f].ty == ty;
                descrs.fields.keys().find(fitting).unwrap().into()
            }
            DescrKind::Class => ClassId::from_u32(0).into(),
            DescrKind::Array => {
                let want = match data {
                    DataOp::ArrayLen | DataOp::NewArray => None,
                    _ => item_ty,
                };
                let fitting = |(_, c): &(ClassId, &verdigris_ops::ClassInfo)| match c.kind {
                    ClassKind::Array { item, .. } => want.is_none_or(|w| w == item),
                    ClassKind::Struct { .. } => false,
                };
                descrs.classes.iter().find(fitting).unwrap().0.into()
            }
        };
        let args = self.args(params);
        let types = data.ret();
        let results = self
            .trace
            .push_all(Opcode::Data(data), &args, descr, types.as_slice());
        self.visible.extend(results);
    }

    fn call(&mut self) {
        let n = self.pick(self.descrs.fns.len());
        let info = &self.descrs.fns[FnId::new(n)];
        let args = self.args(&info.params);
        let before = self.visible.len();
        let results = self.trace.push_call(FnId::new(n), &args, &info.ret);
        self.visible.extend(results);
        let (opcode, exit) = F::behind_call(self, before);
        self.trace.push_guard(opcode, &[], Descr::None, exit);
    }

    fn guard(&mut self) {
        let mut descr = Descr::None;
        let (opcode, args) = match self.pick(4) {
            0 => (Opcode::GuardTrue, vec![self.val(Ty::Int)]),
            1 => (Opcode::GuardFalse, vec![self.val(Ty::Int)]),
            2 => {
                descr = ClassId::new(self.pick(self.descrs.classes.len())).into();
                (Opcode::GuardClass, vec![self.val(Ty::Ref)])
            }
            _ => {
                // A word is never compared.
                let ty = [Ty::Int, Ty::Ref, Ty::Float][self.pick(3)];
                let (value, constant) = (self.val(ty), self.constant(ty));
                (Opcode::GuardValue, vec![value, Arg::Const(constant)])
            }
        };
        let exit = F::exit(self);
        self.trace.push_guard(opcode, &args, descr, exit);
    }

    /// Some words of the items of a virtual array.
    fn array(&mut self, resume: &Resume, count: usize, class: ClassId) -> VirtualKind {
        let len = self.pick(300) as u32;
        let mut words = Vec::new();
        let mut index = self.pick(9) as u32;
        while index < len && words.len() < 6 {
            for part in 0..self.descrs.item_words(class) {
                let class = self.descrs.item_word(class, part).expect("a word");
                if self.pick(3) > 0 {
                    let value = self.src(resume, count, self.descrs.item(class).0);
                    words.push(ItemWord {
                        index,
                        class,
                        value,
                    });
                }
            }
            index += 1 + self.pick(99) as u32;
        }
        VirtualKind::Array { len, words }
    }

    fn resume(&mut self) -> Resume {
        let mut resume = Resume::default();
        for _ in 0..self.pick(3) {
            let place = self.pick(9);
            if let Some(&value) = self.visible.get(place)
                && !resume.fail_args.contains(&value)
            {
                resume.fail_args.push(value);
            }
        }
        let count = self.pick(3);
        for _ in 0..count {
            let mut class = ClassId::new(self.pick(self.descrs.classes.len()));
            let kind = match &self.descrs.classes[class].kind {
                ClassKind::Struct { fields } => VirtualKind::Struct {
                    fields: fields
                        .iter()
                        .map(|&f| (f, self.src(&resume, count, self.descrs.fields[f].ty)))
                        .collect(),
                },
                ClassKind::Array { .. } => {
                    class = self.descrs.item_part(class).0;
                    self.array(&resume, count, class)
                }
            };
            resume.virtuals.push(VirtualInfo { class, kind });
        }
        for _ in 0..self.pick(3) {
            let object = self.src(&resume, count, Ty::Ref);
            let store = if self.pick(2) == 0 {
                let field = FieldId::new(self.pick(self.descrs.fields.len()));
                let value = self.src(&resume, count, self.descrs.fields[field].ty);
                PendingStore::Field {
                    object,
                    field,
                    value,
                }
            } else {
                let class = self
                    .descrs
                    .class_by_name("GcArray<Cell<f64>, Tag>")
                    .unwrap();
                let (index, value) = (self.pick(7) as u32, self.src(&resume, count, Ty::Float));
                PendingStore::Item {
                    array: object,
                    class,
                    index,
                    value,
                }
            };
            resume.pending.push(store);
        }
        // Objects have numbers in the order in which they are printed, and the innermost frame is
        // printed first.
        let mut frames = Vec::new();
        for _ in 0..self.pick(3) {
            let (code, pc) = (self.pick(4) as u32, self.pick(9) as u32);
            let regs: Vec<_> = (0..self.pick(3) as u16)
                .map(|r| {
                    let ty = self.ty();
                    (2 * r, self.src(&resume, count, ty))
                })
                .collect();
            frames.push((code, pc, regs));
        }
        for (code, pc, regs) in frames.into_iter().rev() {
            resume.frames.push_inner(code, pc, regs);
        }
        resume
    }

    fn src(&mut self, resume: &Resume, virtuals: usize, ty: Ty) -> Src {
        // A word is whatever its place in the frame or object holds.
        let ty = match ty {
            Ty::Word => [Ty::Int, Ty::Ref, Ty::Float][self.pick(3)],
            ty => ty,
        };
        if ty == Ty::Ref && virtuals > 0 && self.pick(2) == 0 {
            return Src::Virtual(self.pick(virtuals) as u16);
        }
        let fitting: Vec<usize> = (0..resume.fail_args.len())
            .filter(|&n| self.trace.types[resume.fail_args[n]] == ty)
            .collect();
        if fitting.is_empty() || self.pick(3) == 0 {
            return Src::Const(self.constant(ty));
        }
        Src::Fail(fitting[self.pick(fitting.len())] as u16)
    }

    fn label(&mut self, n: u32) {
        let args: Vec<Arg> = self.visible.iter().map(|&v| Arg::Ref(v)).collect();
        let types: Vec<Ty> = self.visible.iter().map(|&v| self.trace.types[v]).collect();
        self.visible.clear();
        let target = TargetId::from_u32(n);
        let jumps = self.pick(2) == 0;
        let definitions: Vec<ValRef> = types.into_iter().map(|ty| self.define(ty)).collect();
        let passed = match jumps {
            true => {
                self.trace.push(Opcode::Jump, &args, target.into());
                &[][..]
            }
            false => &args[..],
        };
        self.trace.push_label(target, &definitions, passed);
    }

    fn build(mut self) -> Trace<F> {
        for _ in 0..self.pick(4) {
            let ty = self.ty();
            let input = self.define(ty);
            self.trace.inputs.push(input);
        }
        for n in 0..self.pick(20) {
            match self.pick(6) {
                0 => self.guard(),
                1 => self.call(),
                2 => self.label(n as u32),
                _ => self.data(),
            }
        }
        let ty = self.ty();
        let end = [self.val(ty)];
        self.trace.push(Opcode::Finish, &end, Descr::None);
        self.trace
    }
}

impl Builder<'_, Snapshots> {
    fn snapshot(&mut self) -> SnapshotId {
        // The text prints the innermost frame first: constants must be met in that order to be
        // canonical.
        let mut frames = Vec::new();
        for _ in 0..1 + self.pick(3) {
            let (code, pc) = (self.pick(4) as u32, self.pick(9) as u32);
            let regs = (0..self.pick(3) as u16)
                .map(|r| {
                    let ty = self.ty();
                    (r, self.val(ty))
                })
                .collect();
            frames.push((code, pc, regs));
        }
        let mut parent = None;
        for (code, pc, regs) in frames.into_iter().rev() {
            let regs: Vec<(u16, Arg)> = regs;
            let known = self.trace.snapshots(0).find(|(_, s)| {
                (s.code, s.pc, s.parent) == (code, pc, parent) && s.regs().eq(regs.iter().copied())
            });
            let known = known.map(|(id, _)| id);
            parent = Some(known.unwrap_or_else(|| {
                let regs = regs.into_iter();
                self.trace.push_snapshot((code, pc), regs, parent)
            }));
        }
        parent.unwrap()
    }
}

/// The trace of these choices.
fn random_trace<F: Resumption>(descrs: &Descrs, choices: &[u32]) -> Trace<F> {
    let builder: Builder<'_, F> = Builder {
        descrs,
        choices: choices.iter(),
        trace: Trace::default(),
        visible: Vec::new(),
        objects: 0,
    };
    let mut trace = builder.build();
    F::branch(&mut trace);
    trace
}

/// The error if printing and parsing are not inverse for a trace of these choices.
fn round_trip<F: Resumption>(choices: &[u32]) -> Result<(), String> {
    let descrs = descrs();
    let trace: Trace<F> = random_trace(&descrs, choices);
    let text = print(&descrs, &trace);
    verify(&descrs, &trace).map_err(|e| format!("{e}\n{text}"))?;
    let parsed = parse::<F>(&descrs, &text).map_err(|e| format!("{e}\n{text}"))?;
    match parsed == trace {
        true => Ok(()),
        false => Err(format!("read back as something else:\n{text}")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn printing_and_parsing_are_inverse(choices in prop::collection::vec(0u32..10_000, 0..400)) {
        prop_assert_eq!(round_trip::<Snapshots>(&choices), Ok(()));
        prop_assert_eq!(round_trip::<Exits>(&choices), Ok(()));
    }

    #[test]
    fn resume_data_is_read_from_numbers_as_it_was(choices in prop::collection::vec(0u32..10_000, 0..400)) {
        let trace: Trace<Exits> = random_trace(&descrs(), &choices);
        for resume in trace.exits.values().filter_map(Exit::resume) {
            let mut numbers = Numbers::default();
            resume.write(&mut numbers);
            prop_assert_eq!(numbers.groups(), Resume::GROUPS);
            prop_assert_eq!(&Resume::read(&mut numbers.read()), resume);
        }
    }
}
