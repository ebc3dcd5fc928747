//! The programs of the examples. In: texts as their tests have them. Out: [`Program`]s. Invariant:
//! an example has at least one program whose loop gets hot with the arguments given here.

use crate::guests::program::{Program, Use, options};
use std::fs;
use std::path::Path;
use verdigris::{GcArray, Options, Stats, Vm, VmError};

/// A program of a language that reads its text for each run.
fn read_anew<E: ToString>(
    language: &str,
    name: &str,
    n: i64,
    machine: fn(Options) -> Result<Vm, VmError>,
    answer: impl Fn(&Vm, i64) -> Result<String, E> + 'static,
) -> Program {
    let session = move |params: &str, args: &[i64], f: Use<'_>| {
        let vm = machine(options(params)?).map_err(|error| error.to_string())?;
        let n = args[0];
        f(&mut || answer(&vm, n).map_err(|error| error.to_string()));
        Ok(vm.stats())
    };
    Program {
        name: format!("{language}/{name}"),
        args: vec![n],
        reads_anew: true,
        session: Box::new(session),
    }
}

/// A program that stays in its VM: `enter` is given the VM, the argument, and what the program is
/// used for.
fn kept(
    language: &str,
    name: &str,
    n: i64,
    machine: impl Fn(Options) -> Result<Vm, VmError> + 'static,
    enter: impl Fn(&Vm, i64, Use<'_>) + 'static,
) -> Program {
    let session = move |params: &str, args: &[i64], f: Use<'_>| -> Result<Stats, String> {
        let vm = machine(options(params)?).map_err(|error| error.to_string())?;
        enter(&vm, args[0], f);
        Ok(vm.stats())
    };
    Program {
        name: format!("{language}/{name}"),
        args: vec![n],
        reads_anew: false,
        session: Box::new(session),
    }
}

/// `examples/counter`: a loop, and a loop with a side exit.
pub fn counter() -> Result<Vec<Program>, String> {
    let program = |text: &'static str| {
        let answer = move |vm: &Vm, n| Ok::<_, String>(counter::sum(vm, text, n).to_string());
        read_anew("counter", text, 20_000, counter::machine, answer)
    };
    Ok(["+-?.", "-?+-?."].map(program).into())
}

/// `examples/values`: sums of integers and of floats, and types that change in the loop.
pub fn values() -> Result<Vec<Program>, String> {
    let program = |(name, text): (&str, &'static str)| {
        let answer = move |vm: &Vm, n| values::answer(vm, text, n);
        read_anew("values", name, 20_000, values::machine, answer)
    };
    let programs = [
        ("integers", "i0s0i0s1[g0g1+s0g1i1+s1g1I<]g0a."),
        ("floats", "f0s0i0s1[g0f1f1*+s0g1i1+s1g1I<]g0a."),
        ("changing_types", "i1s0i0s1[g0f3+s0g1i1+s1g1I<]g0a."),
    ];
    Ok(programs.map(program).into())
}

/// `examples/calculator`: a sum, and a function.
pub fn calculator() -> Result<Vec<Program>, String> {
    let program = |(name, text): (&str, &'static str)| {
        let answer = move |vm: &Vm, n| calculator::answer(vm, text, n);
        read_anew("calculator", name, 20_000, calculator::machine, answer)
    };
    let programs = [
        ("sum", "i=0;s=0;[s=si+;i=i1+;]ni-;!s;@0;"),
        ("apply", "i=0;s=0;[t~i;s=st+;i=i1+;]ni-;!s;@pq*;"),
    ];
    Ok(programs.map(program).into())
}

/// `examples/stackvm/programs` without those that are about errors.
pub fn stackvm() -> Result<Vec<Program>, String> {
    let program = |(name, n): (&str, i64)| {
        let text = stackvm_text(name)?;
        let answer = move |vm: &Vm, n| {
            let (printed, result) = stackvm::collect(|| stackvm::answer(vm, &text, &[n]));
            result.map(|result| printed + &result)
        };
        let machine = stackvm::machine;
        Ok(read_anew("stackvm", name, n, machine, answer))
    };
    let programs = [
        ("calls", 20_000),
        ("fibonacci", 20),
        ("floats", 20_000),
        ("lists", 20),
        ("strings", 3_000),
        ("sum", 20_000),
    ];
    programs.into_iter().map(program).collect()
}

fn stackvm_text(name: &str) -> Result<String, String> {
    let file = format!("../examples/stackvm/programs/{name}.svm");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A program of `examples/stackvm` that stays in its VM: it is read once, and gets hot from run to
/// run.
///
/// # Errors
/// If there is none.
pub fn stackvm_again(name: &str) -> Result<Program, String> {
    let text = stackvm_text(name)?;
    let session = move |params: &str, args: &[i64], f: Use<'_>| {
        let vm = stackvm::machine(options(params)?).map_err(|error| error.to_string())?;
        let used = stackvm::again(&vm, &text, |run| {
            f(&mut || {
                let (printed, result) = stackvm::collect(|| run(args));
                result.map(|result| printed + &result)
            });
        });
        used.map_err(|error| error.to_string())?;
        Ok(vm.stats())
    };
    Ok(Program {
        name: format!("stackvm/{name}"),
        args: vec![200],
        reads_anew: false,
        session: Box::new(session),
    })
}

/// `examples/calls`: functions that are inlined, called, and unrolled.
pub fn calls() -> Result<Vec<Program>, String> {
    let program = |(name, texts, n): (&str, &'static [&'static str], i64)| {
        let answer = move |vm: &Vm, n| Ok::<_, String>(calls::sum(vm, texts, n).to_string());
        read_anew("calls", name, n, calls::machine, answer)
    };
    let programs: [(&str, &'static [&'static str], i64); 4] = [
        ("inlined", &["B-?", "+3"], 20_000),
        ("called", &["B-?", "!+3"], 20_000),
        ("loop", &["B-?", "+-?"], 300),
        ("unrolled", &["B-?", "~+-?"], 300),
    ];
    Ok(programs.map(program).into())
}

/// `examples/collections`: its loops.
pub fn collections() -> Result<Vec<Program>, String> {
    let program = |name: &&'static str| {
        let name = *name;
        let enter = move |vm: &Vm, n: i64, f: Use<'_>| {
            f(&mut || match collections::turn(vm, name, n) {
                Some(_) => Ok(String::new()),
                None => Err(format!("there is no loop `{name}`")),
            });
        };
        kept("collections", name, 20_000, collections::machine, enter)
    };
    Ok(collections::LOOPS.iter().map(program).collect())
}

/// `examples/globals`: globals and functions that are read, and that are changed.
pub fn globals() -> Result<Vec<Program>, String> {
    use globals::*;
    let program = |(name, code): (&str, &'static [u8])| {
        let machine = |options| Vm::new(globals::program(), options);
        let enter = move |vm: &Vm, n: i64, f: Use<'_>| {
            vm.enter(|| {
                let world = globals::world(code);
                f(&mut || {
                    globals::run(world, 0, n);
                    Ok(String::new())
                });
            });
        };
        kept("globals", name, 20_000, machine, enter)
    };
    let programs: [(&str, &'static [u8]); 4] = [
        ("reads", &[GET, 0, GET, 2, LOOP, 0, STOP, 0]),
        ("writes", &[GET, 0, SET, 0, LOOP, 0, STOP, 0]),
        ("calls", &[CALL, 0, MODE, 0, LOOP, 0, STOP, 0]),
        ("redefines", &[CALL, 0, REDEFINE, 250, LOOP, 0, STOP, 0]),
    ];
    Ok(programs.map(program).into())
}

/// `examples/nodes`: nodes that are made, and old ones that are linked.
pub fn nodes() -> Result<Vec<Program>, String> {
    use nodes::*;
    let program = |(name, code): (&str, &'static [u8])| {
        let machine = |options| Vm::new(nodes::program(), options);
        let enter = move |vm: &Vm, n: i64, f: Use<'_>| {
            vm.enter(|| {
                let world = nodes::world(code, 1024, 0);
                f(&mut || {
                    nodes::run(world, n);
                    Ok(String::new())
                });
            });
        };
        kept("nodes", name, 20_000, machine, enter)
    };
    let programs: [(&str, &'static [u8]); 2] = [
        ("chains", &[MAKE, 0, DROP, 6, LOOP, 0, STOP, 0]),
        ("links", &[LINK, 7, LOOP, 0, STOP, 0]),
    ];
    Ok(programs.map(program).into())
}

/// `examples/frames`: a loop without calls, and one that calls a closure that does not look.
pub fn frames() -> Result<Vec<Program>, String> {
    use frames::{ADD, CONST, LOAD, LOOK, LOOP, RETURN, STORE, SUB};
    let program = |(name, inside): (&str, &'static [u8])| {
        let machine = |options| Vm::new(frames::program(), options);
        let enter = move |vm: &Vm, n: i64, f: Use<'_>| {
            let mut ops = vec![CONST, 0, STORE, 1, LOAD, 1, ADD, 0, STORE, 1];
            ops.extend(inside);
            ops.extend([LOAD, 0, SUB, 1, STORE, 0, LOOP, 4, LOAD, 1, RETURN, 0]);
            vm.enter(|| {
                let machine = frames::machine(&[(ops, 2)]);
                let main = machine.functions[0];
                let mut once = || {
                    frames::with_observer(Box::new(|_, _| 0), || frames::call(machine, main, n));
                    Ok(String::new())
                };
                f(&mut once);
            });
        };
        kept("frames", name, 20_000, machine, enter)
    };
    let programs: [(&str, &'static [u8]); 2] = [("counts", &[]), ("calls", &[LOOK, 0])];
    Ok(programs.map(program).into())
}

/// `examples/activations`: a loop that calls a small function, and one that calls native code, in
/// each of the alternatives.
pub fn activations() -> Result<Vec<Program>, String> {
    let known = activations::PROGRAMS.iter();
    let wanted = known.filter(|program| ["call", "native"].contains(&program.name));
    let each = |program: &'static activations::Program| {
        activations::LAYOUTS.iter().map(move |layout| {
            let text = program.text(0);
            let session = move |params: &str, args: &[i64], f: Use<'_>| {
                let vm = layout.machine(options(params)?);
                let vm = vm.map_err(|error| error.to_string())?;
                f(&mut || layout.run(&vm, &text, 100, |_, x| x, args[0]));
                Ok(vm.stats())
            };
            Program {
                name: format!("activations/{} {}", program.name, layout.name),
                args: vec![20_000],
                reads_anew: true,
                session: Box::new(session),
            }
        })
    };
    Ok(wanted.flat_map(each).collect())
}

/// `examples/lending`: values that are boxed and unboxed, and a journal that is written.
pub fn lending() -> Result<Vec<Program>, String> {
    use lending::{ADD, AGAIN, BOX, Journal, OPEN, REPORT, STOP};
    let program = |(name, code, n): (&str, &'static [u8], i64)| {
        let machine = |options| Vm::new(lending::program(), options);
        let enter = move |vm: &Vm, n: i64, f: Use<'_>| {
            vm.enter(|| {
                let code = GcArray::from_slice(code);
                f(&mut || {
                    let mut journal = Journal::default();
                    let end = lending::run(&mut journal, "value", &[2, 3, 4], code, n);
                    end.map(|_| String::new())
                        .map_err(|left| format!("stopped with {left}"))
                });
            });
        };
        kept("lending", name, n, machine, enter)
    };
    let programs: [(&str, &'static [u8], i64); 2] = [
        ("boxes", &[ADD, BOX, OPEN, AGAIN, STOP], 20_000),
        ("reports", &[ADD, REPORT, AGAIN, STOP], 1_500),
    ];
    Ok(programs.map(program).into())
}
