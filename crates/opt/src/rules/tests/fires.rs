//! The optimiser applies every rule: for each rule, a recorded trace that it fits and the optimised
//! one (`fires.txt`). A model machine runs both on random inputs.
//!
//! Constants, and bounds of variables, are looked for among a few until the rule fires.

use super::super::conditions::{Names, holds};
use super::super::matching::APPLIED;
use super::super::pattern::{Cond, MAX_NAMES, Rule, Term, TermId};
use super::super::table::RULES;
use super::words::{FLOATS, candidate};
use super::{Name, Rng, names, ty};
use crate::bounds::{IntBound, Range};
use crate::finish::assemble::assemble;
use crate::finish::dce;
use crate::host::Host;
use crate::passes::Passes;
use crate::section::{Cx, Section};
use expect_test::expect_file;
use std::fmt::Write;
use verdigris_ops::{ClassId, DataOp, Descrs, FnId, Ty};
use verdigris_trace::{
    Arg, OptimisedTrace, RecordedTrace, TargetId, Trace, TraceForm, parse, print, verify,
};
use verdigris_traces::model::{Leave, Machine};

/// A host that traces of pure operations never ask.
struct Nobody;

impl Host for Nobody {
    fn load(&mut self, op: DataOp, _: &[u64], _: verdigris_trace::Descr) -> u64 {
        panic!("{op} in a trace of pure operations")
    }

    fn call(&mut self, _: FnId, _: &[u64]) -> Option<Vec<u64>> {
        panic!("a call in a trace of pure operations")
    }

    fn is_object(&mut self, _: u64) -> bool {
        false
    }

    fn class_of(&self, _: u64) -> Option<ClassId> {
        None
    }
}

/// A recorded trace that ends in a rule's pattern.
pub(super) struct Example<'a> {
    pub rule: &'a Rule,
    pub names: Vec<Name>,
    /// The words of the constants.
    pub constants: [u64; MAX_NAMES],
    /// What is known of the variables.
    pub bounds: [IntBound; MAX_NAMES],
}

impl Names for Example<'_> {
    fn word(&self, constant: u8) -> u64 {
        self.constants[constant as usize]
    }
}

impl<'a> Example<'a> {
    pub fn of(rule: &'a Rule) -> Example<'a> {
        Example {
            rule,
            names: names(rule),
            constants: [0; MAX_NAMES],
            bounds: [IntBound::TOP; MAX_NAMES],
        }
    }

    fn known(&self, cond: Cond) -> bool {
        match cond {
            Cond::Unknown(_) | Cond::Differs(_) => true,
            _ => holds(self.rule, self, cond, &self.bounds),
        }
    }

    /// What is known, as text.
    fn given(&self) -> String {
        let mut given = String::new();
        for (i, name) in self.inputs().enumerate() {
            let b = self.bound(name);
            if b != IntBound::TOP {
                write!(given, "  given {} <= i{i} <= {}", b.lo, b.hi).expect("a string");
                for (what, bits) in [("zeros", b.zeros), ("ones", b.ones)] {
                    if bits != 0 {
                        write!(given, ", {what} {bits:#x}").expect("a string");
                    }
                }
                given.push('\n');
            }
        }
        given
    }

    fn bound(&self, name: &Name) -> IntBound {
        match name.term {
            Term::Var(v) => self.bounds[v as usize],
            _ => IntBound::TOP,
        }
    }

    /// The variables that are inputs; of two references that differ, the second is null.
    fn inputs(&self) -> impl Iterator<Item = &Name> {
        self.names
            .iter()
            .filter(|name| name.is_variable() && !self.is_null(name.term))
    }

    fn is_null(&self, term: Term) -> bool {
        self.rule
            .conds()
            .any(|c| matches!(c, Cond::Differs([_, b]) if self.rule.term(b) == term))
    }

    /// The trace.
    pub fn text(&self) -> String {
        let inputs = self.inputs().enumerate();
        let inputs: Vec<String> = inputs.map(|(i, n)| value_name(n.ty, i)).collect();
        let mut text = format!("[{}]\n", inputs.join(", "));
        let mut next = inputs.len();
        let result = self.write(&mut text, &mut next, self.rule.before);
        text + &format!("finish({result})\n")
    }

    fn write(&self, text: &mut String, next: &mut usize, t: TermId) -> String {
        let term = self.rule.term(t);
        if self.rule.is_constant(t) {
            let word = super::super::conditions::value(self.rule, self, t);
            return match ty(self.rule, t) {
                Ty::Int => (word as i64).to_string(),
                Ty::Float => format!("{:?}", f64::from_bits(word)),
                Ty::Ref => "null".to_string(),
                Ty::Word => unreachable!("no constant has the type word"),
            };
        }
        let Term::Op(op, operands) = term else {
            if self.is_null(term) {
                return "null".to_string();
            }
            let at = self.inputs().position(|n| n.term == term);
            return value_name(ty(self.rule, t), at.expect("an input"));
        };
        let operands = &operands[..op.params().len()];
        let operands: Vec<String> = operands
            .iter()
            .map(|&o| self.write(text, next, o))
            .collect();
        let name = value_name(op.ret().expect("pure"), *next);
        *next += 1;
        writeln!(text, "{name} = {op}({})", operands.join(", ")).expect("a string");
        name
    }

    /// The optimised trace, and the names of the rules that were applied.
    pub fn optimise(
        &self,
        descrs: &Descrs,
        trace: &RecordedTrace,
    ) -> (OptimisedTrace, Vec<&'static str>) {
        let mut nobody = Nobody;
        let mut cx = Cx::new(trace, descrs, &mut nobody, Passes::all());
        let mut section = Section::at_start(&cx);
        for (name, &input) in self.inputs().zip(&trace.inputs) {
            let node = section.node(Arg::Ref(input));
            section.refine(node, |r| {
                r.range = Range::sure(self.bound(name));
                r.nonnull = true;
            });
        }
        section.run(&mut cx).expect("no guards fail");
        section.finish(&mut cx);
        dce::remove_dead(&mut section);
        let entry = Some(TargetId::from_u32(0));
        let done = assemble(entry, [(entry, section)]);
        verify(descrs, &done.trace).expect("an optimised trace is well formed");
        let applied = APPLIED.take();
        let names = RULES.iter().map(|rule| rule.name);
        (
            done.trace,
            names.filter(|name| applied.contains(name)).collect(),
        )
    }

    /// Runs both traces on random inputs that are as was given.
    pub fn compare(&self, descrs: &Descrs, before: &RecordedTrace, after: &OptimisedTrace) {
        let mut rng = Rng(0x1234_5678_9ABC_DEF1);
        for _ in 0..200 {
            let inputs: Vec<u64> = self
                .inputs()
                .map(|n| input(&mut rng, n.ty, self.bound(n)))
                .collect();
            let was = self.run(descrs, before, &inputs);
            let is = self.run(descrs, after, &inputs);
            assert_eq!(was, is, "{} on {inputs:x?}", self.rule.text);
        }
    }

    /// The state at the end of a trace; every reference is to some object.
    fn run<F: Leave>(&self, descrs: &Descrs, trace: &Trace<F>, inputs: &[u64]) -> String {
        let mut machine = Machine {
            fuel: 100,
            ..Machine::default()
        };
        let pair = add_pair(&mut machine, descrs);
        let inputs: Vec<u64> = inputs
            .iter()
            .zip(self.inputs())
            .map(|(&w, n)| match n.ty {
                Ty::Ref => pair,
                _ => w,
            })
            .collect();
        let exit = machine
            .run(descrs, &[trace], &inputs)
            .expect("a straight trace ends");
        machine.state(descrs, &[trace], &exit)
    }
}

/// A reference to some object.
fn add_pair(machine: &mut Machine, descrs: &Descrs) -> u64 {
    let class = descrs.class_by_name("Pair").expect("declared");
    machine.add(descrs, class, 0)
}

fn value_name(ty: Ty, n: usize) -> String {
    match ty {
        Ty::Ref => format!("p{n}"),
        _ => format!("{}{n}", ty.letter()),
    }
}

fn input(rng: &mut Rng, ty: Ty, bound: IntBound) -> u64 {
    let quiet = &FLOATS[..FLOATS.len() - 2];
    let admitted = |w: u64| {
        (bound.lo..=bound.hi).contains(&(w as i64)) && w & bound.zeros == 0 && !w & bound.ones == 0
    };
    loop {
        let word = match ty {
            Ty::Float => return rng.pick(quiet),
            Ty::Ref => return 0,
            Ty::Word => unreachable!("no rule is about words"),
            Ty::Int if rng.word() & 1 == 0 => candidate(rng, ty),
            Ty::Int => (bound.lo as u64).wrapping_add(rng.word() & 511),
        };
        let word = word & !bound.zeros | bound.ones;
        if admitted(word) {
            return word;
        }
    }
}

/// Constants to try, the plain ones first.
fn constants(ty: Ty) -> Vec<u64> {
    let ints = [
        5,
        12,
        3,
        8,
        1,
        60,
        4,
        7,
        0,
        -1,
        -5,
        -8,
        -12,
        240,
        255,
        15,
        70,
        63,
        56,
        48,
        32,
        0xFFFF,
        0xFFFF_FFFF,
        1 << 40,
        i64::MIN,
        i64::MAX,
        -16,
        -256,
        24,
    ];
    match ty {
        Ty::Float => vec![4.0f64.to_bits(), 3.0f64.to_bits(), 1.0f64.to_bits()],
        _ => ints.map(|n| n as u64).to_vec(),
    }
}

/// Bounds to try, the plain ones first.
fn bounds() -> Vec<IntBound> {
    let interval = |lo, hi, zeros| IntBound {
        lo,
        hi,
        zeros,
        ones: 0,
    };
    vec![
        IntBound::TOP,
        interval(0, i64::MAX, 1 << 63),
        IntBound::BOOL,
        interval(-100, 100, 0),
        interval(1, 100, !127),
        interval(200, 250, !255),
        interval(0, 15, !15),
        interval(0, 240, !240),
        IntBound {
            lo: 255 - i64::MAX - 1,
            hi: i64::MAX,
            zeros: 0,
            ones: 255,
        },
        interval(-1000, -500, 0),
        interval(i64::MIN + 1, i64::MAX, 0),
    ]
}

const DESCRS: &str = "class Pair { first: ref, second: ref }";

/// Fills in constants and bounds from `which` on, until `fires`.
fn search(
    example: &mut Example<'_>,
    which: usize,
    fires: &mut dyn FnMut(&Example<'_>) -> bool,
) -> bool {
    let Some(&name) = example.names.get(which) else {
        let conds: Vec<Cond> = example.rule.conds().collect();
        return conds.iter().all(|&c| example.known(c)) && fires(example);
    };
    match name.term {
        Term::Var(v) => {
            let plain = name.ty != Ty::Int || example.rule.conds().next().is_none();
            let count = if plain { 1 } else { usize::MAX };
            bounds().into_iter().take(count).any(|bound| {
                example.bounds[v as usize] = bound;
                search(example, which + 1, fires)
            })
        }
        Term::Const(c) => constants(name.ty).into_iter().any(|word| {
            example.constants[c as usize] = word;
            search(example, which + 1, fires)
        }),
        _ => unreachable!("only those are names"),
    }
}

/// The lines of a trace without its inputs and label.
fn body<F: TraceForm>(descrs: &Descrs, trace: &Trace<F>) -> String {
    let text = print(descrs, trace);
    let lines = text
        .lines()
        .filter(|l| !l.starts_with('[') && !l.starts_with("label"));
    lines.map(|l| format!("  {l}\n")).collect()
}

#[test]
fn every_rule_fires() {
    let descrs = verdigris_trace::parse_descrs(DESCRS).expect("the descriptors parse");
    let (mut golden, mut idle) = (String::new(), Vec::new());
    for rule in &RULES {
        let mut shown = None;
        let mut example = Example::of(rule);
        search(&mut example, 0, &mut |example| {
            let text = example.text();
            let before = parse(&descrs, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
            verify(&descrs, &before).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
            let (after, fired) = example.optimise(&descrs, &before);
            if !fired.contains(&rule.name) {
                return false;
            }
            example.compare(&descrs, &before, &after);
            shown = Some(format!(
                "{}\n{}{}becomes\n{}\n",
                rule.name,
                example.given(),
                body(&descrs, &before),
                body(&descrs, &after)
            ));
            true
        });
        match shown {
            Some(shown) => golden += &shown,
            None => idle.push(rule.text),
        }
    }
    assert!(idle.is_empty(), "never applied:\n{}", idle.join("\n"));
    expect_file!["fires.txt"].assert_eq(&golden);
}
