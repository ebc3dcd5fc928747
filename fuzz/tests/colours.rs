//! Whether the specialiser finds green what the report of colours calls green, and red what it
//! calls red. In: the interpreters of all languages, and random programs of each, which are
//! specialised. Out: the values about which the two disagree. Invariant: values are told apart by
//! the instructions of the jitcode that is shipped.
//!
//! A value that the report calls green was a constant each time that the specialiser computed it,
//! in whatever program.
//!
//! The other direction is about a set of programs: a value that is red for all arguments of its
//! function is left to the code at least once. Values that a red chooses among greens are called
//! red too, but on each way they are constants, so nothing is asked of them. Of the others some are
//! always constant, and that is right, since the specialiser knows more than a colour can say: what
//! is in an object that is never made, what an array's length is that has just been given, what
//! follows of an integer's bounds, as that it is below a length. They are listed here. A value that
//! comes to the list is one whose colour may be red without need; Lua's list is left out, for its
//! programs execute too little of it.

use expect_test::{Expect, expect};
use fuzz::language::on_stack;
use fuzz::panics;
use fuzz::registry;
use fuzz::tape::{self, Tape};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use verdigris::Options;
use verdigris_build::coloured::colour_code;
use verdigris_colours::Colour;
use verdigris_specialise::observe::{ObservedCounts, observed};

/// Programs of each language.
const PROGRAMS: u64 = 60;

/// How they are run: all that is executed is compiled, and what follows each exit.
const JIT: &str = "threshold=1,function_threshold=1,trace_eagerness=1,compiler=specialising,\
                   promotion_limit=1000000,polymorphic_limit=1000000,heap_limit=16m";

/// The report's text for a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Says {
    Green,
    Red,
    /// It depends on where the function is called, or on which value a red chooses.
    Either,
}

/// What the specialiser has seen while random programs of a language ran, by what the report calls
/// the values, and what they are.
fn seen(name: &str, folder: &str) -> BTreeMap<(Says, String), ObservedCounts> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let shown = colour_code(&root.join("src/lib.rs"), &[]).unwrap_or_else(|e| panic!("{e}"));
    let found = registry::LANGUAGES.iter().find(|l| l.name() == name);
    let language = found.expect("there is such a language");
    let run = || {
        for number in 0..PROGRAMS {
            let bytes = tape::bytes(&format!("colours {name}"), 1, number);
            let program = language.program(&mut Tape::new(&bytes));
            for variant in language.variants() {
                let options = Options::parse(JIT).expect("parameters");
                // What a program does, and whether it is one, is for other tests.
                let _ = panics::catch(|| language.run(&program, variant, options));
            }
        }
    };
    let ((), seen) = on_stack(|| observed(run));
    let mut by_place: BTreeMap<(Says, String), ObservedCounts> = BTreeMap::new();
    for (given, seen) in seen {
        let Some(shown) = shown.get(&given) else {
            continue;
        };
        let says = match (shown.colours.least, shown.colours.greatest) {
            (_, Colour::Green) => Says::Green,
            (Colour::Red, _) => Says::Red,
            _ => Says::Either,
        };
        let sum = by_place.entry((says, shown.place.clone())).or_default();
        sum.constant += seen.constant;
        sum.residual += seen.residual;
    }
    by_place
}

/// The values of which the report says this, and those of them of which the specialiser does not.
fn wrong(
    seen: &BTreeMap<(Says, String), ObservedCounts>,
    says: Says,
    is_wrong: fn(&ObservedCounts) -> bool,
) -> (usize, BTreeSet<&str>) {
    let all = seen.iter().filter(|((said, _), _)| *said == says);
    let count = all.clone().count();
    let wrong = all.filter(|(_, seen)| is_wrong(seen));
    (count, wrong.map(|((_, place), _)| &place[..]).collect())
}

/// Compares the colours of a language's interpreter with what the specialiser does; answers the
/// reds that are always constant, a line each.
fn compare(name: &str, folder: &str) -> String {
    let seen = seen(name, folder);
    let (greens, residual) = wrong(&seen, Says::Green, |seen| seen.residual > 0);
    let (reds, constant) = wrong(&seen, Says::Red, |seen| seen.residual == 0);
    println!("{name}: {greens} greens, {reds} reds");
    // Or nothing has been compared.
    assert!(
        greens > 15 && reds > 15,
        "{name}: {greens} greens, {reds} reds"
    );
    assert!(
        residual.is_empty(),
        "{name}: green, and left to the code: {residual:#?}"
    );
    assert!(constant.len() * 2 < reds, "{name}: {constant:#?} of {reds}");
    constant.iter().map(|place| format!("{place}\n")).collect()
}

fn check(name: &str, folder: &str, expected: Expect) {
    expected.assert_eq(&compare(name, folder));
}

#[test]
fn tlc() {
    check(
        "tlc",
        "languages/tlc",
        expect![[r#"
            arith::floor_div: `a.wrapping_rem(b)` (int_eq)
            interp::binary: `stack[at.sp - 1].get()` (uint_lt)
            interp::binary: `stack[at.sp - 1].set(arith::binary(op, left, right)?)` (uint_lt)
            interp::pop: `stack[at.sp].set(code.nil)` (uint_lt)
            interp::roll: `stack[bottom].get()` (uint_lt)
            interp::roll: `stack[bottom].set(sunk)` (uint_lt)
            interp::roll: `stack[index + 1].get()` (uint_lt)
            interp::roll: `stack[index + 1].set(stack[index].get())` (uint_lt)
            interp::roll: `stack[index].get()` (uint_lt)
            interp::roll: `stack[index].set(stack[index + 1].get())` (uint_lt)
            interp::roll: `stack[top].get()` (uint_lt)
            interp::roll: `stack[top].set(lifted)` (uint_lt)
            interp::step: `args[0].get()` (arraylen)
            interp::step: `args[0].get()` (uint_lt)
            interp::step: `binary(opcode::ADD, code, slots, at)` (call)
            interp::step: `binary(opcode::DIV, code, slots, at)` (call)
            interp::step: `binary(opcode::EQ, code, slots, at)` (call)
            interp::step: `binary(opcode::GE, code, slots, at)` (call)
            interp::step: `binary(opcode::GT, code, slots, at)` (call)
            interp::step: `binary(opcode::LE, code, slots, at)` (call)
            interp::step: `binary(opcode::LT, code, slots, at)` (call)
            interp::step: `binary(opcode::MUL, code, slots, at)` (call)
            interp::step: `binary(opcode::NE, code, slots, at)` (call)
            interp::step: `binary(opcode::SUB, code, slots, at)` (call)
            interp::step: `slots[at.sp - 1].set(Obj::from(Gc::new(Cons { car, cdr })))` (uint_lt)
            interp::step: `slots[at.sp - 1].set(pair.car)` (arraylen)
            interp::step: `slots[at.sp - 1].set(pair.car)` (uint_lt)
            interp::step: `slots[at.sp - 1].set(pair.cdr)` (uint_lt)
            interp::step: `slots[at.sp - 1].set(slots[at.sp - 2].get())` (uint_lt)
            interp::step: `slots[at.sp - 2].get()` (uint_lt)
            interp::step: `slots[at.sp - 2].set(top)` (uint_lt)
            interp::take_args: `args[index].set(pop(code, stack, at)?)` (arraylen)
            interp::take_args: `args[index].set(pop(code, stack, at)?)` (uint_lt)
        "#]],
    );
}

#[test]
fn tla() {
    check(
        "tla",
        "languages/tla",
        expect![[r#"
            arith::floor_div: `a.wrapping_rem(b)` (int_eq)
            arith::floor_mod: `a.wrapping_rem(b)` (int_eq)
            arith::floor_mod: `b < 0` (int_lt)
            arith::floor_mod: `b == 0` (int_eq)
            interp::arguments: `inner[index].set(take(code, stack, first + index))` (arraylen)
            interp::arguments: `inner[index].set(take(code, stack, first + index))` (uint_lt)
            interp::step: `stack[height - 1 - operand as usize].get()` (uint_lt)
            interp::step: `stack[height - 2 - operand as usize].set(value)` (uint_lt)
            interp::step: `stack[height - 2].get()` (uint_lt)
            interp::take: `stack[place].set(code.nothing)` (uint_lt)
        "#]],
    );
}

#[test]
fn objmodel() {
    check(
        "objmodel",
        "languages/objmodel",
        expect![[r#"
            arith::floor_div: `a.wrapping_rem(b)` (int_eq)
            interp::call: `slots[0].set(receiver)` (arraylen)
            interp::call: `slots[0].set(receiver)` (uint_lt)
            interp::call: `slots[index].set(pop(code, back.slots, at))` (arraylen)
            interp::call: `slots[index].set(pop(code, back.slots, at))` (uint_lt)
            interp::step: `print(code, slots, at)` (call)
            interp::take: `slots[index].set(code.nil)` (uint_lt)
        "#]],
    );
}

#[test]
fn stackvm() {
    check(
        "stackvm",
        "examples/stackvm",
        expect![[r#"
            arith::others: `a == b` (int_and)
            arith::others: `a == b` (int_from_word)
            i64::checked_div: `div_overflows(x, y)` (call)
            i64::checked_div: `x / y` (int_eq)
            i64::checked_div: `y == 0` (int_eq)
            i64::checked_rem: `x % y` (int_eq)
            i64::checked_rem: `y == 0` (int_eq)
            interp::call: `inner[n].set(slots[at.sp + 1 + n].get())` (arraylen)
            interp::call: `inner[n].set(slots[at.sp + 1 + n].get())` (uint_lt)
            interp::pop_list: `slots[at.sp + n].get()` (uint_lt)
            interp::step: `slots[operand].set(value)` (uint_lt)
            verdigris::library::list::List::<value::Value>::pop: `items[len - 1].clear()` (uint_lt)
        "#]],
    );
}

#[test]
fn frames() {
    check(
        "frames",
        "examples/frames",
        expect![[r#"
        enter: `locals[0].set(Some(arg))` (arraylen)
        enter: `locals[0].set(Some(arg))` (uint_lt)
    "#]],
    );
}

#[test]
fn globals() {
    check(
        "globals",
        "examples/globals",
        expect![[r#"
        run: `global.value.get()` (getfield_i)
        run: `world.globals[any]` (uint_lt)
    "#]],
    );
}

#[test]
fn lua() {
    compare("lua", "languages/lua");
}
