//! Translation is linear: generated sources of one, two and four times some length (many functions,
//! one long `match`, and the measured shapes) take work in proportion. Counted, not timed;
//! `bench -- translate` measures.

#[path = "../../../bench/src/suites/translate/interpreter.rs"]
mod interpreter;
#[path = "../../../bench/src/suites/translate/shapes.rs"]
mod shapes;

use std::fmt::Write;
use verdigris_build::lower;
use verdigris_colours::{ColourInput, analyse};
use verdigris_front::check_source;

/// Counts of what the stages make of a source.
fn counts(text: &str) -> Vec<(&'static str, usize)> {
    let source = check_source(&[("src/main.rs", text)]).unwrap_or_else(|e| panic!("{e}"));
    let Ok(built) = verdigris_graph::build_annotated(&source) else {
        panic!("the graphs cannot be built");
    };
    let graphs = || built.program.graphs.values();
    let blocks = || graphs().flat_map(|g| g.blocks.values());
    let edges = blocks().flat_map(|b| b.term.targets());
    let noted = || built.annotated.values().map(|a| &a.graph);
    let analysis = analyse(ColourInput {
        source: &source,
        descrs: &built.program.descrs,
        graphs: &built.annotated,
    });
    let unit = lower(&built.program);
    let codes = || unit.codes.values();
    vec![
        ("functions", graphs().count()),
        ("blocks", blocks().count()),
        ("operations", blocks().map(|b| b.ops.len()).sum()),
        ("arguments of edges", edges.map(|t| t.args.len()).sum()),
        (
            "values with a source",
            noted().map(|g| g.values.len()).sum(),
        ),
        ("steps of the colours", analysis.steps()),
        ("instructions", codes().map(|c| c.insns.len()).sum()),
        ("registers", codes().map(|c| c.regs.len()).sum()),
        ("bytes", unit.to_bytes().len()),
    ]
}

/// How many lines more, and how much more of each.
fn growth(less: &str, more: &str) -> (f64, Vec<(&'static str, f64)>) {
    let lines = more.lines().count() - less.lines().count();
    let pairs = counts(more).into_iter().zip(counts(less));
    let growth = pairs.map(|((what, more), (_, less))| (what, more as f64 - less as f64));
    (lines as f64, growth.collect())
}

fn check(shape: &str, source: impl Fn(usize) -> String) {
    let [once, twice, four] = [1, 2, 4].map(source);
    let (first_lines, first) = growth(&once, &twice);
    let (second_lines, second) = growth(&twice, &four);
    for ((what, first), (_, second)) in first.into_iter().zip(second) {
        let (first, second) = (first / first_lines, second / second_lines);
        println!("{shape}, {what}: {first:.3} and {second:.3} for each further line");
        // A number that gets longer by a byte is no growth.
        let slack = if what == "bytes" { 0.01 } else { 0.0 };
        assert!(
            second <= first * 1.1 + slack,
            "{shape}, {what}: {first} and {second}"
        );
    }
}

#[test]
fn of_many_functions() {
    check("functions", |n| interpreter::interpreter(800 * n));
}

#[test]
fn of_one_long_match() {
    check("match", |n| one_match(40 * n));
}

/// The shapes that are measured, and every size of which must be accepted.
#[test]
fn of_all_shapes() {
    for shape in &shapes::SHAPES {
        assert!(shape.sizes > 1, "{}", shape.name);
        check(shape.name, |n| (shape.text)(shape.least / 2 * n));
    }
}

/// An interpreter whose opcodes are all in the portal, and share its locals.
fn one_match(opcodes: usize) -> String {
    let mut text = String::from(
        "use verdigris::prelude::*;
#[elidable]
fn hash(x: i64) -> i64 { x.rotate_left(9) }
fn checked(a: i64, b: i64) -> Result<i64, i64> {
    match a.checked_add(b) {
        Some(sum) => Ok(sum),
        None => Err(a),
    }
}
#[portal]
fn run(code: GcArray<u16>, stack: GcArray<Cell<i64>>, limit: i64) -> i64 {
    let (mut pc, mut sp, mut acc, mut last) = (0usize, 0usize, 0i64, None);
    loop {
        merge_point!(greens = [pc, code, sp], reds = [stack, acc, last, limit]);
        let op = code[pc];
        pc += 1;
        match op {
",
    );
    for n in 0..opcodes {
        let _ = match n % 4 {
            0 => writeln!(
                text,
                "            {n} => {{ stack[sp].set(acc + {n}); sp += 1; if acc > limit {{ return acc; }} }}"
            ),
            1 => writeln!(
                text,
                "            {n} => match checked(acc, hash({n})) {{ Ok(sum) => acc = sum, Err(x) => return x }},"
            ),
            2 => writeln!(
                text,
                "            {n} => if let Some(x) = last {{ acc ^= x; last = None; }} else {{ last = Some(acc / {n}); }},"
            ),
            _ => writeln!(
                text,
                "            {n} => {{ sp -= 1; if stack[sp].get() > {n} {{ pc = code[pc] as usize; can_enter_jit!(); }} }}"
            ),
        };
    }
    text + "            _ => return acc,\n        }\n    }\n}\n"
}
