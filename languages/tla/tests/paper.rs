//! The figures of the 2022 paper, as far as no clock is in them. In: its programs and the others
//! here, on each level. Out: how many traces there are, how large they and their code are, and
//! which compiler has made what. Invariant under test: these numbers depend on the program alone
//! where compiling has no limit, so that a change of them is seen.
//!
//! Source: "Two-level Just-in-Time Compilation with One Interpreter and One Engine" (2022), figures
//! 4 and 7. Times are for `bench tiers`.

use crate::common::{DEPTH, guest, image, with_baseline_calls};
use expect_test::expect;
use std::path::Path;
use tla::image::Image;
use tla::machine::Machine;
use verdigris::{KeptTrace, Options};
use verdigris_testing::{Run, compiled, programs};

/// The parameters that put a program that names no level on one.
const BASELINE: &str = "compiler=specialising";
const TRACING: &str = "compiler=tracing";

/// Thresholds that a run reaches that a debug build can interpret: the outer loop is hot, and what
/// fails in it.
const HOT: &str = "threshold=30,function_threshold=50,trace_eagerness=20,compile_allowance=off";

/// A program with its size.
type Program = (&'static str, i64);

const ONE_LEVEL: [Program; 3] = [("loop", 1000), ("loopabit", N), ("fib", 15)];

/// The size of `callabit`.
const N: i64 = 120;

/// Those of figures 6 and 7, which name the level of each function.
const VARIANTS: [&str; 5] = [
    "callabit_baseline_interp",
    "callabit_baseline_only",
    "callabit_baseline_tracing",
    "callabit_tracing_baseline",
    "callabit_tracing_only",
];

/// Once in some hundred runs two places of a program share a counter, for a hash of addresses
/// chooses it, and one is hot too soon. So a program runs until two runs have made the same, each
/// at addresses of its own.
fn run(image: &Image, args: &[i64], jit: &str) -> Run {
    let mut others: Vec<Machine> = Vec::new();
    let mut runs: Vec<Run> = Vec::new();
    loop {
        let run = compiled(guest(image, args, DEPTH), &format!("{HOT},{jit}"));
        let made = |run: &Run| (line("", "", run), run.stats.machine_code_bytes);
        if runs.iter().any(|other| made(other) == made(&run)) {
            return run;
        }
        runs.push(run);
        assert!(runs.len() < 5, "each run makes something else");
        // Its heap lies where that of the run lay.
        let other = Machine::new(Options::default(), DEPTH).expect("a machine");
        other.enter(image, |_| ()).expect("it is loaded");
        others.push(other);
    }
}

/// A line of the table: pieces of code by who made them, how many of all hang on exits of others,
/// attempts that were given up, operations as they came to the optimiser and as they left it,
/// guards.
fn line(name: &str, level: &str, run: &Run) -> String {
    let stats = &run.stats;
    let given = stats.recorded.total() + stats.specialised.operations;
    let aborts: u64 = stats.aborts.values().sum();
    let pieces = stats.traces + stats.bridges;
    format!(
        "{name:<26} {level:<12} {:>6} {:>7} {:>6} {aborts:>6} {given:>6} {:>9} {:>6}\n",
        pieces - stats.specialised.pieces,
        stats.specialised.pieces,
        stats.bridges,
        stats.optimised.total(),
        stats.guards,
    )
}

fn head() -> String {
    format!(
        "{:<26} {:<12} {:>6} {:>7} {:>6} {:>6} {:>6} {:>9} {:>6}\n",
        "program", "level", "traced", "partial", "behind", "aborts", "given", "optimised", "guards"
    )
}

/// A program whose calls for the tracer are for the baseline where the parameters are: its text
/// names the one, whatever they say.
fn on(name: &str, jit: &str) -> Image {
    match jit {
        BASELINE => with_baseline_calls(name),
        _ => image(name),
    }
}

/// Figure 4 in numbers, and the traces behind figure 5.
#[test]
fn loops_and_recursion_by_level() {
    let mut table = head();
    for (name, n) in ONE_LEVEL {
        for (level, jit) in [("baseline", BASELINE), ("tracing", TRACING)] {
            table += &line(name, level, &run(&on(name, jit), &[n], jit));
        }
    }
    expect![[r#"
        program                    level        traced partial behind aborts  given optimised guards
        loop                       baseline          0       3      2      0    384        47     14
        loop                       tracing           1       0      0      0     34        15      4
        loopabit                   baseline          0       3      2      0    748        69     18
        loopabit                   tracing           2       0      1      0    112        32      9
        fib                        baseline          0      15     11      0   2379       342     78
        fib                        tracing          13       0      9      0   2678       351     72
    "#]]
    .assert_eq(&table);
}

/// Figure 7.
#[test]
fn callabit_by_variant() {
    let mut table = head();
    let mut given = Vec::new();
    for name in VARIANTS {
        let run = run(&image(name), &[N], "");
        given.push(run.stats.recorded.total() + run.stats.specialised.operations);
        table += &line(name, "as named", &run);
    }
    let [_, _, baseline_tracing, tracing_baseline, tracing_only] = given[..] else {
        panic!("{given:?}")
    };
    let times = |of: u64| format!("{:.2}", baseline_tracing as f64 / of as f64);
    table += &format!(
        "baseline-tracing/tracing-only {}, the paper has 0.60\nbaseline-tracing/tracing-baseline {}, the paper has 1.00\n",
        times(tracing_only),
        times(tracing_baseline)
    );
    expect![[r#"
        program                    level        traced partial behind aborts  given optimised guards
        callabit_baseline_interp   as named          0       3      2      0    555        95     24
        callabit_baseline_only     as named          0       7      5      0   1394       159     44
        callabit_baseline_tracing  as named          3       3      3      0    637       130     32
        callabit_tracing_baseline  as named          1       3      1      0    602       105     29
        callabit_tracing_only      as named          3       0      1      0    120        83     21
        baseline-tracing/tracing-only 5.31, the paper has 0.60
        baseline-tracing/tracing-baseline 1.06, the paper has 1.00
    "#]]
    .assert_eq(&table);
}

/// What is compiled of each program by one compiler alone, and what by default. Some programs end
/// in errors, which changes nothing.
#[test]
fn all_programs_by_compiler() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut table = head();
    for program in programs(&folder, "tla", ";") {
        let name = program.name.as_str();
        if VARIANTS.contains(&name) {
            continue;
        }
        for compiler in ["specialising", "tracing", "auto"] {
            let jit = format!("compiler={compiler}");
            table += &line(name, compiler, &run(&on(name, &jit), &program.args, &jit));
        }
    }
    expect![[r#"
        program                    level        traced partial behind aborts  given optimised guards
        ackermann                  specialising      0      10      9      0   2080       310     63
        ackermann                  tracing           0      10      9      0   2080       310     63
        ackermann                  auto              0      10      9      0   2080       310     63
        callabit                   specialising      0       7      5      0   1394       159     44
        callabit                   tracing           1       3      1      0    602       105     29
        callabit                   auto              1       3      1      0    602       105     29
        callabit_interp            specialising      0       3      2      0    555        95     24
        callabit_interp            tracing           1       0      0      0     49        47     13
        callabit_interp            auto              1       0      0      0     49        47     13
        callabit_tracing           specialising      0       7      5      0   1394       159     44
        callabit_tracing           tracing           3       0      1      0    120        83     21
        callabit_tracing           auto              3       0      1      0    120        83     21
        changing_types             specialising      0      10      9      0   1281       258     69
        changing_types             tracing           4       0      1      0    236       101     32
        changing_types             auto              4       0      1      0    236       101     32
        collatz                    specialising      0      13     11      0   2634       358     94
        collatz                    tracing           4       0      2      0    266       134     34
        collatz                    auto              4       0      2      0    266       134     34
        depth                      specialising      0       6      4      0    649       105     25
        depth                      tracing           1       0      0      0    277        61     14
        depth                      auto              1       0      0      0    277        61     14
        depth_of_loops             specialising      0       7      6      0   1857       206     50
        depth_of_loops             tracing           0       7      6      0   1857       206     50
        depth_of_loops             auto              0       7      6      0   1857       206     50
        error_division             specialising      0       0      0      0      0         0      0
        error_division             tracing           0       0      0      0      0         0      0
        error_division             auto              0       0      0      0      0         0      0
        error_type                 specialising      0       6      5      0    894       163     43
        error_type                 tracing           1       0      0      0     37        42     12
        error_type                 auto              1       0      0      0     37        42     12
        even_odd                   specialising      0      10      8      0   1404       221     54
        even_odd                   tracing           1       3      2      0    266        78     19
        even_odd                   auto              1       3      2      0    266        78     19
        fib                        specialising      0      15     11      0   2379       342     78
        fib                        tracing          13       0      9      0   2678       351     72
        fib                        auto             13       0      9      0   2678       351     72
        loop                       specialising      0       3      2      0    384        47     14
        loop                       tracing           1       0      0      0     34        15      4
        loop                       auto              1       0      0      0     34        15      4
        loopabit                   specialising      0       3      2      0    748        69     18
        loopabit                   tracing           2       0      1      0    112        32      9
        loopabit                   auto              2       0      1      0    112        32      9
        strings                    specialising      0       6      5      0    532        98     32
        strings                    tracing           1       0      0      0     94        42     13
        strings                    auto              1       0      0      0     94        42     13
        too_deep                   specialising      0       3      2      0    397        56     16
        too_deep                   tracing           0       3      2      0    397        56     16
        too_deep                   auto              0       3      2      0    397        56     16
    "#]]
    .assert_eq(&table);
}

/// Which compiler has made what, in the order in which it became hot: a piece, and how many
/// operations it was made of and has.
#[test]
fn tiers_make_these_pieces() {
    let mut text = String::new();
    let variants = VARIANTS.map(|name| (name, N));
    for (name, n) in variants.into_iter().chain(ONE_LEVEL) {
        let image = image(name);
        let run = run(&image, &[n], "");
        text += &format!("{name}\n");
        for trace in &run.traces {
            text += &format!("    {}\n", piece(trace));
        }
    }
    expect![[r#"
        callabit_baseline_interp
            trace 0: entry at callabit_baseline_interp.tla:10 in loop_of_calls (2, ref, 2): partial evaluation, optimised 15 + 14
            trace 1: bridge from g4 of trace 0 at callabit_baseline_interp.tla:11 in loop_of_calls: partial evaluation, optimised 9
            trace 2: bridge from g7 of trace 1 at callabit_baseline_interp.tla:14 in loop_of_calls: partial evaluation, optimised 14 + 4 + 18 + 4 + 34 + 11
        callabit_baseline_only
            trace 0: entry at callabit_baseline_only.tla:26 in sub_loop (14, ref, 2): partial evaluation, optimised 8
            trace 1: bridge from g1 of trace 0 at callabit_baseline_only.tla:27 in sub_loop: partial evaluation, optimised 14 + 4 + 4 + 15 + 11
            trace 2: entry at callabit_baseline_only.tla:10 in loop_of_calls (2, ref, 2): partial evaluation, optimised 15 + 9
            trace 3: bridge from g11 of trace 2 at callabit_baseline_only.tla:27 in sub_loop: partial evaluation, optimised 14
            trace 4: bridge from g14 of trace 3 at callabit_baseline_only.tla:27 in sub_loop: partial evaluation, optimised 9
            trace 5: bridge from g17 of trace 4 at callabit_baseline_only.tla:14 in loop_of_calls: partial evaluation, optimised 14 + 4 + 18 + 17 + 21 + 4 + 10 + 11
            trace 6: bridge from g24 of trace 5 at callabit_baseline_only.tla:32 in sub_loop: partial evaluation, optimised 14 + 4 + 11
        callabit_baseline_tracing
            trace 0: loop at callabit_baseline_tracing.tla:26 in sub_loop (14, ref, 3): recorded, 42 operations, optimised 19 + 12
            trace 1: bridge from g3 of trace 0 at callabit_baseline_tracing.tla:31 in sub_loop: recorded, 10 operations, optimised 10
            trace 2: entry at callabit_baseline_tracing.tla:10 in loop_of_calls (2, ref, 2): partial evaluation, optimised 15 + 14
            trace 3: bridge from g9 of trace 2 at callabit_baseline_tracing.tla:11 in loop_of_calls: partial evaluation, optimised 9
            trace 4: bridge from g12 of trace 3 at callabit_baseline_tracing.tla:14 in loop_of_calls: partial evaluation, optimised 14 + 4 + 18 + 4 + 34 + 11
            trace 5: entry at callabit_baseline_tracing.tla:24 in sub_loop (13, ref, 3): recorded, 46 operations, optimised 20
        callabit_tracing_baseline
            trace 0: entry at callabit_tracing_baseline.tla:26 in sub_loop (14, ref, 2): partial evaluation, optimised 8
            trace 1: bridge from g1 of trace 0 at callabit_tracing_baseline.tla:27 in sub_loop: partial evaluation, optimised 14 + 4 + 4 + 15 + 11
            trace 2: loop at callabit_tracing_baseline.tla:10 in loop_of_calls (2, ref, 3): recorded, 59 operations, optimised 37 + 32
            trace 3: entry at callabit_tracing_baseline.tla:24 in sub_loop (13, ref, 2): partial evaluation, optimised 7 + 8 + 18
        callabit_tracing_only
            trace 0: loop at callabit_tracing_only.tla:26 in sub_loop (14, ref, 3): recorded, 42 operations, optimised 19 + 12
            trace 1: bridge from g3 of trace 0 at callabit_tracing_only.tla:31 in sub_loop: recorded, 10 operations, optimised 10
            trace 2: loop at callabit_tracing_only.tla:10 in loop_of_calls (2, ref, 3): recorded, 94 operations, optimised 52 + 45
        loop
            trace 0: loop at loop.tla:6 in main (0, ref, 0): recorded, 41 operations, optimised 19 + 12
        loopabit
            trace 0: loop at loopabit.tla:8 in main (1, ref, 0): recorded, 42 operations, optimised 19 + 12
            trace 1: bridge from g3 of trace 0 at loopabit.tla:13 in main: recorded, 93 operations, optimised 33
        fib
            trace 0: entry at fib.tla:10 in fib (2, ref, 3): recorded, 1091 operations, optimised 278
            trace 1: bridge from g2 of trace 0 at fib.tla:13 in fib: recorded, 11 operations, optimised 10
            trace 2: bridge from g5 of trace 1 at fib.tla:13 in fib: recorded, 106 operations, optimised 45
            trace 3: bridge from g10 of trace 2 at fib.tla:13 in fib: recorded, 345 operations, optimised 118
            trace 4: entry at fib.tla:18 in fib (10, ref, 3): recorded, 64 operations, optimised 36
            trace 5: entry at fib.tla:14 in fib (6, ref, 3): recorded, 371 operations, optimised 117
            trace 6: bridge from g25 of trace 4 at fib.tla:13 in fib: recorded, 119 operations, optimised 47
            trace 7: bridge from g35 of trace 6 at fib.tla:13 in fib: recorded, 627 operations, optimised 191
            trace 8: entry at fib.tla:25 in fib (16, ref, 3): recorded, 8 operations, optimised 9
            trace 9: bridge from g13 of trace 3 at fib.tla:13 in fib: recorded, 136 operations, optimised 49
            trace 10: bridge from g30 of trace 5 at fib.tla:13 in fib: recorded, 75 operations, optimised 32
            trace 11: bridge from g40 of trace 7 at fib.tla:13 in fib: recorded, 151 operations, optimised 51
            trace 12: bridge from g41 of trace 7 at fib.tla:13 in fib: recorded, 302 operations, optimised 100
    "#]].assert_eq(&text);
}

fn piece(trace: &KeptTrace) -> String {
    let recorded = trace.recorded.count_all("");
    let how = match recorded {
        0 => "partial evaluation".to_string(),
        operations => format!("recorded, {operations} operations"),
    };
    let optimised: Vec<String> = (trace.sections.iter())
        .map(|section| section.count_all("").to_string())
        .collect();
    let optimised = optimised.join(" + ");
    format!("{}: {how}, optimised {optimised}", trace.title)
}

/// Machine code depends on the addresses of objects in it only as far as they are short or long,
/// which they always are in the same way. What guards keep beside it does not say the same: it
/// packs addresses.
#[test]
fn code_is_as_large_each_time() {
    let mut table = String::new();
    let variants = VARIANTS.map(|name| (name, N));
    for (name, n) in variants.into_iter().chain(ONE_LEVEL) {
        let stats = run(&image(name), &[n], "").stats;
        if stats.backend != "x64" {
            return;
        }
        table += &format!("{name:<26} {:>6}\n", stats.machine_code_bytes);
    }
    expect![[r#"
        callabit_baseline_interp     1600
        callabit_baseline_only       2304
        callabit_baseline_tracing    2176
        callabit_tracing_baseline    1792
        callabit_tracing_only        1472
        loop                          192
        loopabit                      384
        fib                          3840
    "#]]
    .assert_eq(&table);
}
