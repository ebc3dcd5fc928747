//! Random loops over a small heap: whatever passes run, the optimised loop leaves at the same guard, with the same
//! frames, the same heap, and the same history of calls as the recorded one.

mod common;

use common::NoObjects;
use common::model::{Looking, Machine};
use std::fmt::Write;
use verdigris_ops::{Descrs, Ty};
use verdigris_opt::{GuardFacts, Optimised, Optimiser, Passes};
use verdigris_trace::{Opcode, Trace, parse, parse_descrs, print, verify};

/// A small generator of pseudo-random numbers (xorshift), so that failures repeat.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

const CLASSES: [&str; 4] = ["Int", "Pair", "Node", "Stack"];
const STACK_LEN: usize = 3;

/// Writes a loop. Values are named by type and number; `classes` says what guards have shown of references.
struct Writer {
    rng: Rng,
    text: String,
    ints: Vec<usize>,
    refs: Vec<usize>,
    classes: Vec<(usize, &'static str)>,
    next: usize,
    pc: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string");
    }

    fn def_int(&mut self, rhs: &str) -> usize {
        let n = self.next;
        self.next += 1;
        self.line(&format!("i{n} = {rhs}"));
        self.ints.push(n);
        n
    }

    fn def_ref(&mut self, rhs: &str) -> usize {
        let n = self.next;
        self.next += 1;
        self.line(&format!("p{n} = {rhs}"));
        self.refs.push(n);
        n
    }

    fn int(&mut self) -> String {
        if self.rng.below(4) == 0 {
            return (self.rng.below(4) as i64 - 1).to_string();
        }
        let n = self.rng.below(self.ints.len());
        format!("i{}", self.ints[n])
    }

    fn any_ref(&mut self) -> String {
        if self.rng.below(12) == 0 {
            return "null".to_string();
        }
        let n = self.rng.below(self.refs.len());
        format!("p{}", self.refs[n])
    }

    fn guard(&mut self, guard: &str) {
        self.pc += 1;
        let mut frame = format!("{guard} @ 0:{}", self.pc);
        let mut reg = 0;
        for n in self.ints.clone() {
            if self.rng.below(2) == 0 {
                write!(frame, " r{reg}=i{n}").expect("a string");
                reg += 1;
            }
        }
        for n in self.refs.clone() {
            if self.rng.below(2) == 0 {
                write!(frame, " r{reg}=p{n}").expect("a string");
                reg += 1;
            }
        }
        self.line(&frame);
    }

    /// A reference of this class: one that is known to be, or one that is guarded to be.
    fn of_class(&mut self, class: &'static str) -> String {
        let known: Vec<usize> = self
            .classes
            .iter()
            .filter(|(_, c)| *c == class)
            .map(|(n, _)| *n)
            .collect();
        if !known.is_empty() && self.rng.below(4) != 0 {
            let n = self.rng.below(known.len());
            return format!("p{}", known[n]);
        }
        let i = self.rng.below(self.refs.len());
        let n = self.refs[i];
        if !self.classes.iter().any(|(m, _)| *m == n) {
            let test = self.def_int(&format!("ptr_ne(p{n}, null)"));
            self.guard(&format!("guard_true(i{test})"));
            self.guard(&format!("guard_class(p{n}) {class}"));
            self.classes.push((n, class));
            return format!("p{n}");
        }
        self.allocate(class)
    }

    fn allocate(&mut self, class: &'static str) -> String {
        let n = match class {
            "Stack" => {
                let fill = self.any_ref();
                self.def_ref(&format!("new_array_fill_r({STACK_LEN}, {fill}) Stack"))
            }
            _ => self.def_ref(&format!("new() {class}")),
        };
        if class == "Int" {
            // A plain field is written once, right behind the allocation.
            let value = self.int();
            self.line(&format!("setfield_i(p{n}, {value}) Int.value"));
        }
        self.classes.push((n, class));
        format!("p{n}")
    }

    fn index(&mut self) -> String {
        if self.rng.below(5) != 0 {
            return self.rng.below(STACK_LEN).to_string();
        }
        let i = self.int();
        let test = self.def_int(&format!("uint_lt({i}, {STACK_LEN})"));
        self.guard(&format!("guard_true(i{test})"));
        i
    }

    fn step(&mut self) {
        match self.rng.below(16) {
            0..=2 => {
                let op = self.rng.pick(&[
                    "int_add", "int_sub", "int_mul", "int_and", "int_lt", "int_eq", "int_xor",
                ]);
                let (a, b) = (self.int(), self.int());
                self.def_int(&format!("{op}({a}, {b})"));
            }
            3 => {
                let op = self.rng.pick(&["int_lt", "int_eq", "uint_lt", "int_ne"]);
                let (a, b) = (self.int(), self.int());
                let test = self.def_int(&format!("{op}({a}, {b})"));
                let guard = self.rng.pick(&["guard_true", "guard_false"]);
                self.guard(&format!("{guard}(i{test})"));
            }
            4 => {
                let a = self.int();
                let k = self.rng.below(3);
                self.guard(&format!("guard_value({a}, {k})"));
            }
            5 => {
                let class = self.rng.pick(&CLASSES);
                self.allocate(class);
            }
            6 | 7 => {
                let p = self.of_class("Node");
                let value = self.int();
                self.line(&format!("setfield_i({p}, {value}) Node.value"));
            }
            8 => {
                let p = self.of_class("Node");
                self.def_int(&format!("getfield_i({p}) Node.value"));
            }
            9 => {
                let p = self.of_class("Int");
                self.def_int(&format!("getfield_i({p}) Int.value"));
            }
            10 => {
                let p = self.of_class("Pair");
                let value = self.any_ref();
                let field = self.rng.pick(&["first", "second"]);
                self.line(&format!("setfield_r({p}, {value}) Pair.{field}"));
            }
            11 => {
                let p = self.of_class("Pair");
                let field = self.rng.pick(&["first", "second"]);
                self.def_ref(&format!("getfield_r({p}) Pair.{field}"));
            }
            12 => {
                let p = self.of_class("Stack");
                let i = self.index();
                let value = self.any_ref();
                self.line(&format!("setitem_r({p}, {i}, {value}) Stack"));
            }
            13 => {
                let p = self.of_class("Stack");
                let i = self.index();
                self.def_ref(&format!("getitem_r({p}, {i}) Stack"));
            }
            14 => {
                let (a, b) = (self.any_ref(), self.any_ref());
                let op = self.rng.pick(&["ptr_eq", "ptr_ne"]);
                self.def_int(&format!("{op}({a}, {b})"));
            }
            _ => match self.rng.below(5) {
                0 => {
                    let a = self.any_ref();
                    self.line(&format!("call({a}) show"));
                    self.guard("guard_no_panic()");
                }
                1 | 2 => {
                    let (a, b) = (self.any_ref(), self.any_ref());
                    let call = match self.rng.below(4) {
                        0 => format!("call({a}) peek"),
                        1 => format!("call({a}) bump"),
                        2 => format!("call({a}, {b}) cut"),
                        _ => "call() log".to_owned(),
                    };
                    self.line(&call);
                    self.guard("guard_no_panic()");
                }
                _ => {
                    let (a, b) = (self.int(), self.int());
                    self.def_int(&format!("call({a}, {b}) sum"));
                    self.guard("guard_no_panic()");
                }
            },
        }
    }
}

impl Writer {
    fn new(seed: u64, inputs: &[Ty]) -> Writer {
        let mut w = Writer {
            rng: Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            text: String::new(),
            ints: Vec::new(),
            refs: Vec::new(),
            classes: Vec::new(),
            next: inputs.len(),
            pc: 0,
        };
        let mut names = Vec::new();
        for (n, ty) in inputs.iter().enumerate() {
            match ty {
                Ty::Ref => {
                    w.refs.push(n);
                    names.push(format!("p{n}"));
                }
                _ => {
                    w.ints.push(n);
                    names.push(format!("i{n}"));
                }
            }
        }
        w.line(&format!("[{}]", names.join(", ")));
        w
    }

    /// Ends the trace with a jump that passes the inputs of a loop.
    fn jump(mut self, label: &str, count: &str) -> String {
        let int = self.int();
        let refs: Vec<String> = (0..3).map(|_| self.any_ref()).collect();
        let frame = match label {
            "own" => String::new(),
            _ => format!(
                "@ 0:{ARRIVAL} r0={count} r1={int} r2={} r3={} r4={}",
                refs[0], refs[1], refs[2]
            ),
        };
        self.line(&format!(
            "jump {label}({count}, {int}, {}) {frame}",
            refs.join(", ")
        ));
        self.text
    }
}

/// Where a guard resumes that was put in front of the jump to a loop: at the loop's merge point.
const ARRIVAL: u32 = 5000;

fn random_loop(seed: u64) -> String {
    let mut w = Writer::new(seed, &[Ty::Int, Ty::Int, Ty::Ref, Ty::Ref, Ty::Ref]);
    let test = w.def_int("int_gt(i0, 0)");
    w.guard(&format!("guard_true(i{test})"));
    for _ in 0..3 + w.rng.below(24) {
        w.step();
    }
    let count = w.def_int("int_sub(i0, 1)");
    w.jump("own", &format!("i{count}"))
}

/// A bridge with these inputs (at least one of each type) to a loop.
fn random_bridge(seed: u64, inputs: &[Ty], label: u32) -> String {
    let mut w = Writer::new(seed ^ 0x5555, inputs);
    w.pc = 1000;
    for _ in 0..w.rng.below(10) {
        w.step();
    }
    let count = w.rng.below(4).to_string();
    w.jump(&format!("L{label}"), &count)
}

fn machine(descrs: &Descrs, seed: u64) -> (Machine, Vec<u64>) {
    let mut rng = Rng(seed.wrapping_mul(0xD134_2543_DE82_EF95) | 1);
    let mut m = Machine {
        fuel: 20_000,
        ..Machine::default()
    };
    let objects = 2 + rng.below(5);
    for _ in 0..objects {
        let class = descrs.class_by_name(rng.pick(&CLASSES)).expect("declared");
        m.add(descrs, class, STACK_LEN);
    }
    m.initial = objects;
    for i in 0..objects {
        let is_ref: Vec<bool> = match descrs.classes[m.objects[i].class].name.as_str() {
            "Int" => vec![false],
            "Pair" => vec![true, true],
            "Node" => vec![true, false],
            _ => vec![true; STACK_LEN],
        };
        for (j, is_ref) in is_ref.into_iter().enumerate() {
            let n = rng.below(objects + 1) as u64;
            m.objects[i].words[j] = if is_ref { n } else { n % 4 };
        }
    }
    let mut inputs = vec![rng.below(9) as u64, rng.below(4) as u64];
    for _ in 0..3 {
        inputs.push(1 + rng.below(objects) as u64);
    }
    (m, inputs)
}

fn compare(seed: u64, passes: Passes) -> bool {
    let descrs = parse_descrs(common::DESCRS).expect("the descriptors parse");
    let text = random_loop(seed);
    let trace = parse(&descrs, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    verify(&descrs, &trace).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let mut optimiser = Optimiser::new(passes);
    // A random trace may contradict itself (no recording does): nothing to compare then.
    let Ok(done) = optimiser.optimise_loop(&trace, None, &descrs, &mut NoObjects) else {
        return false;
    };
    let shown = || format!("seed {seed}\n{text}\n{}", print(&descrs, &done.trace));
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("{e:?}\n{}", shown()));
    let mut compared = false;
    for run in 0..6 {
        let (mut a, inputs) = machine(&descrs, seed * 31 + run);
        let mut b = a.clone();
        let before = a.run(&descrs, &[&trace], &inputs);
        let after = b.run(&descrs, &[&done.trace], &inputs);
        if let (Some(before), Some(after)) = (before, after) {
            let before = a.state(&descrs, &[&trace], &before);
            let after = b.state(&descrs, &[&done.trace], &after);
            assert_eq!(before, after, "inputs {inputs:?}\n{}", shown());
            assert_eq!(a.log, b.log, "inputs {inputs:?}\n{}", shown());
            compared = true;
        }
    }
    compared
}

/// A bridge that is optimised with the words that it passed when it was recorded, here in `start` with `words`, must do
/// what it does without, also when it starts elsewhere and fails at a guard in front of its jump.
fn arrive(
    seed: u64,
    optimiser: &mut Optimiser,
    main: &Optimised,
    guard: usize,
    bridge: &Trace,
    start: &Machine,
    words: &[u64],
) -> bool {
    let descrs = parse_descrs(common::DESCRS).expect("the descriptors parse");
    let mut recording = start.clone();
    let Some(end) = recording.run(&descrs, &[bridge], words) else {
        return false;
    };
    if bridge.ops[end.at].opcode != Opcode::Jump {
        return false;
    }
    let passed = recording.passed(bridge, &end);
    let mut host = Looking(&descrs, recording);
    let (facts, none) = (&main.guard_facts[guard], GuardFacts::default());
    let (Ok(plain), Ok(arriving)) = (
        optimiser.optimise_bridge(bridge, &none, None, &descrs, &mut NoObjects),
        optimiser.optimise_bridge(bridge, facts, Some(&passed), &descrs, &mut host),
    ) else {
        return false;
    };
    verify(&descrs, &arriving.trace).unwrap_or_else(|e| panic!("{e:?}\nseed {seed}"));
    let mut compared = false;
    for run in 0..6 {
        let (mut a, inputs) = machine(&descrs, seed * 31 + run);
        let Some(exit) = a.run(&descrs, &[&main.trace], &inputs) else {
            continue;
        };
        let before = &main.trace.ops[..exit.at];
        if before.iter().filter(|op| op.opcode.is_guard()).count() != guard {
            continue;
        }
        let fail_args = main.trace.ops[exit.at].fail_args();
        let words: Vec<u64> = fail_args.iter().map(|v| exit.values[v]).collect();
        let mut b = a.clone();
        let plain = [&plain.trace, &main.trace];
        let mut arriving = vec![&arriving.trace, &main.trace];
        let (Some(x), Some(mut y)) = (
            a.run(&descrs, &plain, &words),
            b.run(&descrs, &arriving, &words),
        ) else {
            continue;
        };
        if y.trace == 0
            && let Some(reds) = b.registers(&descrs, arriving[0], &y, ARRIVAL)
        {
            // A guard in front of the jump: the interpreter goes on at the loop's merge point.
            arriving.remove(0);
            match b.run(&descrs, &arriving, &reds) {
                Some(exit) => y = exit,
                None => continue,
            }
        }
        let shown = || {
            format!(
                "seed {seed} run {run}\n{}\n{}\n{}",
                print(&descrs, bridge),
                print(&descrs, arriving[0]),
                print(&descrs, &main.trace)
            )
        };
        let (x, y) = (
            a.state(&descrs, &plain, &x),
            b.state(&descrs, &arriving, &y),
        );
        assert_eq!(x, y, "{}", shown());
        assert_eq!(a.log, b.log, "{}", shown());
        compared = true;
    }
    compared
}

/// A bridge from a guard of a loop: with the knowledge at the guard it must do what it does without.
fn compare_bridge(seed: u64) -> bool {
    let descrs = parse_descrs(common::DESCRS).expect("the descriptors parse");
    let recorded = parse(&descrs, &random_loop(seed)).expect("parses");
    let mut optimiser = Optimiser::new(Passes::all());
    let Ok(main) = optimiser.optimise_loop(&recorded, None, &descrs, &mut NoObjects) else {
        return false;
    };
    let mut compared = false;
    for run in 0..6 {
        let (mut start, inputs) = machine(&descrs, seed * 31 + run);
        let Some(exit) = start.run(&descrs, &[&main.trace], &inputs) else {
            continue;
        };
        let guard = &main.trace.ops[exit.at];
        let types: Vec<Ty> = guard
            .fail_args()
            .iter()
            .map(|&v| main.trace.types[v])
            .collect();
        if !types.contains(&Ty::Int) || !types.contains(&Ty::Ref) {
            continue;
        }
        let number = main.trace.ops[..exit.at]
            .iter()
            .filter(|op| op.opcode.is_guard())
            .count();
        let label = main.entry.expect("a loop has an entry").as_u32();
        let text = random_bridge(seed, &types, label);
        let bridge = parse(&descrs, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let none = GuardFacts::default();
        let knowing = &main.guard_facts[number];
        let (Ok(plain), Ok(knowing)) = (
            optimiser.optimise_bridge(&bridge, &none, None, &descrs, &mut NoObjects),
            optimiser.optimise_bridge(&bridge, knowing, None, &descrs, &mut NoObjects),
        ) else {
            continue;
        };
        verify(&descrs, &knowing.trace).unwrap_or_else(|e| panic!("{e:?}\nseed {seed}\n{text}"));
        let words: Vec<u64> = guard.fail_args().iter().map(|v| exit.values[v]).collect();
        compared |= arrive(seed, &mut optimiser, &main, number, &bridge, &start, &words);
        let (mut a, mut b) = (start.clone(), start);
        let (plain, knowing) = ([&plain.trace, &main.trace], [&knowing.trace, &main.trace]);
        if let (Some(x), Some(y)) = (
            a.run(&descrs, &plain, &words),
            b.run(&descrs, &knowing, &words),
        ) {
            let shown = || {
                format!(
                    "seed {seed} run {run}\n{text}\n{}\n{}\n{}",
                    print(&descrs, plain[0]),
                    print(&descrs, knowing[0]),
                    print(&descrs, &main.trace)
                )
            };
            assert_eq!(
                a.state(&descrs, &plain, &x),
                b.state(&descrs, &knowing, &y),
                "{}",
                shown()
            );
            assert_eq!(a.log, b.log, "{}", shown());
            compared = true;
        }
    }
    compared
}

#[test]
fn bridges() {
    let compared = (0..6000).filter(|&seed| compare_bridge(seed)).count();
    assert!(compared > 1000, "only {compared} bridges were compared");
}

fn compare_many(passes: &str, seeds: std::ops::Range<u64>) {
    let passes = Passes::parse(passes).expect("known passes");
    let wanted = (seeds.end - seeds.start) as usize / 3;
    let compared = seeds.filter(|&seed| compare(seed, passes)).count();
    assert!(compared > wanted, "only {compared} loops were compared");
}

#[test]
fn all_passes() {
    compare_many("all", 0..20_000);
}

#[test]
fn without_peeling() {
    compare_many("all-peel", 100_000..103_000);
}

#[test]
fn without_virtuals() {
    compare_many("all-virtuals", 200_000..203_000);
}

#[test]
fn without_heap() {
    compare_many("all-heap", 300_000..303_000);
}

#[test]
fn without_folding() {
    compare_many("all-fold-pure", 400_000..403_000);
}

#[test]
fn without_guard_removal() {
    compare_many("all-guards", 500_000..503_000);
}

#[test]
fn without_any() {
    compare_many("none", 600_000..603_000);
}
