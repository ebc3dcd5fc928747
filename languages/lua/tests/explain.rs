//! Why programs are slow, as `--explain` says it. In: a program for each way to become slow that is
//! known, and where Lua does not become slow that way, the one that did so once. Out: the first
//! screen. Invariant under test: the cause is named there; what is no cause any more is not.

use expect_test::{Expect, expect};
use verdigris_lua::machine::{Machine, load, on_stack};
use verdigris_testing::{explaining, first_screen};

/// The first screen for a program with these parameters of the JIT.
fn screen(text: &str, jit: &str, expected: Expect) {
    let program = load(text.as_bytes(), "test.lua").unwrap_or_else(|error| panic!("{error}"));
    let run = || {
        let machine = Machine::new(explaining(jit), 300).unwrap_or_else(|e| panic!("{e}"));
        let outcome = machine.run(&program, &[], true);
        assert_eq!(outcome.error, None);
        first_screen(machine.vm().explain(), text)
    };
    expected.assert_eq(&on_stack(300, run).expect("a stack"));
}

/// The registers of an inlined call are an array that is not made.
#[test]
fn a_call_in_a_loop_makes_nothing() {
    let text = "local function add(a, b) return a + b end
local s = 0
for i = 1, 20000 do s = add(s, i) end";
    screen(
        text,
        "",
        expect![[r#"
            _ in all: traces _ %, leaving code _ %, tracing _ %, optimising _ %, compiling _ %
            1. _  making 1 piece, 0 of them bridges
                test.lua:3 in main chunk: _, 0 bridges, _
                -> let it run longer; else lower `trace_limit`, or raise `trace_eagerness` [warm-up]
            (`verdigris explain --about warm-up` says more, as it does of the other words in brackets.)

            compiled:
                test.lua:3 in main chunk: loop (traced), _ in it, 1 entry, made in _, 0 bridges, _, 9 guards with 1 failure
        "#]],
    );
}

#[test]
fn a_table_that_is_kept_is_made() {
    let text = "local keep = {}
for i = 1, 20000 do
  local point = {x = i, y = i + 1}
  keep[i % 16 + 1] = point
end";
    screen(
        text,
        "",
        expect![[r#"
            _ in all: traces _ %, leaving code _ %, tracing _ %, optimising _ %, compiling _ %
            1. _  making 1 piece, 0 of them bridges
                test.lua:3 in main chunk: _, 0 bridges, _
                -> let it run longer; else lower `trace_limit`, or raise `trace_eagerness` [warm-up]
            2. _  test.lua:4 in main chunk: makes 1 GcArray<Cell<value::Value>,table::InFields>; makes 1 table::Table
                | keep[i % 16 + 1] = point
                stored into table::Table.fields, which is made as well
                stored into GcArray<Cell<value::Value>,table::InItems>, which is seen by the code behind the loop's label L1
                -> keep it out of what it is stored into or passed to; pass what is in it instead [allocations]
            3. _  test.lua:4 in main chunk: stores 2 words to GcArray<Cell<value::Value>,table::InItems>
                | keep[i % 16 + 1] = point
                seen by the code behind the loop's label L1
                -> where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place [stores]
            (`verdigris explain --about warm-up` says more, as it does of the other words in brackets.)

            compiled:
                test.lua:3 in main chunk: loop (traced), _ in it, 1 entry, made in _, 0 bridges, _, 15 guards with 1 failure
        "#]],
    );
}

const SEVEN_REGISTERS: &str = "local s = 0
for i = 1, 20000 do
  local a = i
  local b = i + 1
  local c = i + 2
  s = s + c
end";

/// More than enough values may wait to be stored.
#[test]
fn the_seventh_register_is_not_stored() {
    screen(
        SEVEN_REGISTERS,
        "",
        expect![[r#"
            _ in all: traces _ %, leaving code _ %, tracing _ %, optimising _ %, compiling _ %
            1. _  making 1 piece, 0 of them bridges
                test.lua:3 in main chunk: _, 0 bridges, _
                -> let it run longer; else lower `trace_limit`, or raise `trace_eagerness` [warm-up]
            (`verdigris explain --about warm-up` says more, as it does of the other words in brackets.)

            compiled:
                test.lua:3 in main chunk: loop (traced), _ in it, 1 entry, made in _, 0 bridges, _, 6 guards with 1 failure
        "#]],
    );
}

#[test]
fn a_register_that_there_is_no_room_for_is_stored() {
    screen(
        SEVEN_REGISTERS,
        "enable_opts=all+delayed=2",
        expect![[r#"
            _ in all: traces _ %, leaving code _ %, tracing _ %, optimising _ %, compiling _ %
            1. _  making 1 piece, 0 of them bridges
                test.lua:3 in main chunk: _, 0 bridges, _
                -> let it run longer; else lower `trace_limit`, or raise `trace_eagerness` [warm-up]
            2. _  test.lua:2 in main chunk: stores 2 words to GcArray<Register<value::Value>,value::InFrame>
                | for i = 1, 20000 do
                more places wait to be stored than guards may list, so this one is stored each time
                -> write fewer places in the loop, or put them into an object that it makes [evicted-stores]
            3. _  test.lua:4 in main chunk: stores 2 words to GcArray<Register<value::Value>,value::InFrame>
                | local b = i + 1
                more places wait to be stored than guards may list, so this one is stored each time
                -> write fewer places in the loop, or put them into an object that it makes [evicted-stores]
            4. _  test.lua:5 in main chunk: stores 2 words to GcArray<Register<value::Value>,value::InFrame>
                | local c = i + 2
                more places wait to be stored than guards may list, so this one is stored each time
                -> write fewer places in the loop, or put them into an object that it makes [evicted-stores]
            (`verdigris explain --about warm-up` says more, as it does of the other words in brackets.)

            compiled:
                test.lua:3 in main chunk: loop (traced), _ in it, 1 entry, made in _, 0 bridges, _, 6 guards with 1 failure
        "#]],
    );
}

#[test]
fn native_code_calls_the_guest() {
    let text = "local r = 0
local function inc(a) return a + 1 end
for i = 1, 6000 do
  local ok, v = xpcall(inc, print, i)
  r = r + v
end";
    screen(
        text,
        "",
        expect![[r#"
            _ in all: traces _ %, tracing _ %, optimising _ %, compiling _ %, leaving code _ %
            1. _  test.lua:4 in main chunk: native code that is called here has entered compiled code 4381 times
                | local ok, v = xpcall(inc, print, i)
                entered at test.lua:2 in inc
                by one of: native::outside::guarded
                -> write the native function in the subset, so that traces go through it [native-code-that-calls-the-guest]
            2. _  test.lua:4 in main chunk: stores 12 words to GcArray<Register<value::Value>,value::InFrame>
                | local ok, v = xpcall(inc, print, i)
                seen by `native::outside::guarded`, which may read it
                -> where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place [stores]
            3. _  test.lua:4 in main chunk: 1 call of native::outside::guarded (opaque)
                | local ok, v = xpcall(inc, print, i)
                believed to read anything, to write anything; `verdigris effects` names what is to blame
                in front of src/native/mod.rs:346 in native::guarded of the interpreter
                -> write what is hot of it in the subset, or mark it `#[elidable]` or `#[readonly]` [calls]
            4. _  test.lua:2 in inc: stores 2 words to GcArray<Register<value::Value>,value::InFrame>
                | local function inc(a) return a + 1 end
                seen by the caller of the function
                -> where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place [stores]
            5. _  test.lua:4 in main chunk: makes 1 GcArray<Register<value::Value>,value::InFrame>
                | local ok, v = xpcall(inc, print, i)
                passed to `native::outside::guarded` (the interpreter at src/native/mod.rs:346 in native::guarded)
                -> keep it out of what it is stored into or passed to; pass what is in it instead [allocations]
            (`verdigris explain --about native-code-that-calls-the-guest` says more, as it does of the other words in brackets.)
        "#]],
    );
}

#[test]
fn warming_up_is_what_takes_time() {
    let text = "local s = 0
for i = 1, 6000 do
  local k = i % 6
  if k == 0 then s = s + 1 elseif k == 1 then s = s + 2 elseif k == 2 then s = s * 2 % 1000
  elseif k == 3 then s = s - 1 else s = s + k end
end";
    screen(
        text,
        "trace_eagerness=3",
        expect![[r#"
            _ in all: traces _ %, leaving code _ %, optimising _ %, tracing _ %, compiling _ %
            1. _  making 12 pieces, 9 of them bridges
                test.lua:3 in main chunk: _, 9 bridges, _
                -> let it run longer; else lower `trace_limit`, or raise `trace_eagerness` [warm-up]
            2. _  test.lua:2 in main chunk: stores 46 words to GcArray<Register<value::Value>,value::InFrame>
                | for i = 1, 6000 do
                seen by the code behind the loop's label L2
                seen by the code behind the loop's label L4
                -> where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place [stores]
            (`verdigris explain --about warm-up` says more, as it does of the other words in brackets.)

            compiled:
                test.lua:3 in main chunk: loop (traced), _ in it, 29 entries, made in _, 9 bridges, _, 85 guards with 29 failures
                    bridge 10 from g34 of trace 5 at test.lua:4 in main chunk: _, made in _
                    bridge 11 from g13 of trace 0 at test.lua:4 in main chunk: _, made in _
                    bridge 7 from g18 of trace 2 at test.lua:4 in main chunk: _, made in _
                    ... and 6 more
        "#]],
    );
}

#[test]
fn collecting_is_what_takes_time() {
    let text = "local keep = {}
for i = 1, 10000 do keep[i] = {i} end
for i = 1, 60000 do keep[i % 10000 + 1] = {i, i + 1} end";
    screen(
        text,
        "",
        expect![[r#"
            _ in all: leaving code _ %, traces _ %, tracing _ %, optimising _ %, compiling _ %; collecting _ % of it
            1. _  1 collection (1 of the young generation)
                _ allocated; _ survived the last one
                made in loops: table::Table in test.lua:2 in main chunk; GcArray<Cell<value::Value>,table::InItems> in test.lua:2 in main chunk; table::Table in test.lua:3 in main chunk
                -> make fewer objects in these lines, or keep fewer alive [collections]
            2. _  making 2 pieces, 0 of them bridges
                test.lua:2 in main chunk: _, 0 bridges, _
                test.lua:3 in main chunk: _, 0 bridges, _
                -> let it run longer; else lower `trace_limit`, or raise `trace_eagerness` [warm-up]
            3. _  test.lua:2 in main chunk: makes 1 GcArray<Cell<value::Value>,table::InItems>; makes 1 table::Table
                | for i = 1, 10000 do keep[i] = {i} end
                stored into table::Table.items, which is made as well
                stored into GcArray<Cell<value::Value>,table::InItems>, which is seen by the code behind the loop's label L1
                -> keep it out of what it is stored into or passed to; pass what is in it instead [allocations]
            4. _  test.lua:3 in main chunk: makes 1 GcArray<Cell<value::Value>,table::InItems>; makes 1 table::Table
                | for i = 1, 60000 do keep[i % 10000 + 1] = {i, i + 1} end
                stored into table::Table.items, which is made as well
                stored into GcArray<Cell<value::Value>,table::InItems>, which is seen by the code behind the loop's label L3
                carried over the loop's label L3
                -> keep it out of what it is stored into or passed to; pass what is in it instead [allocations]
            5. _  test.lua:2 in main chunk: stores 2 words to GcArray<Cell<value::Value>,table::InItems>
                | for i = 1, 10000 do keep[i] = {i} end
                seen by the code behind the loop's label L1
                -> where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place [stores]
        "#]],
    );
}

#[test]
fn a_trace_is_too_long() {
    let text = "local function weigh(a, b) return (a * 3 + b * 5) % 7 end
local s = 0
for i = 1, 6000 do
  s = s + weigh(i, s) + weigh(s, i) + weigh(i + 1, s)
end";
    screen(
        text,
        "trace_limit=60,cut_traces=0,compiler=tracing",
        expect![[r#"
            _ in all: traces _ %, tracing _ %, optimising _ %, compiling _ %
            1. _  test.lua:1 in weigh: stores 8 words to GcArray<Register<value::Value>,value::InFrame>
                | local function weigh(a, b) return (a * 3 + b * 5) % 7 end
                seen by the caller of the function
                -> where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place [stores]
            2. _  test.lua:4 in main chunk: given up 3 times: trace too long; not tried again, so this is interpreted (2882 passes)
                | s = s + weigh(i, s) + weigh(s, i) + weigh(i + 1, s)
                the trace is too long: raise `trace_limit`, or mark large functions that it runs through `#[opaque]`
                ended at test.lua:4 in main chunk, the interpreter at src/interp.rs:66 in interp::run
                operations from test.lua:4 in main chunk (61)
                -> do what the reason says, where most of the trace came from [traces-that-are-given-up]
            (`verdigris explain --about stores` says more, as it does of the other words in brackets.)

            compiled:
                test.lua:1 in weigh: entry (traced), _ in it, 16380 entries, made in _, 0 bridges, _, 4 guards with 0 failures
            not compiled:
                test.lua:4 in main chunk: trace too long
        "#]],
    );
}

/// What the author of the program can do comes first.
#[test]
fn many_shapes_meet_at_one_place() {
    let names = "abcdefghijklmnopqr".chars();
    let makes: Vec<String> = names.map(|name| format!("{{{name} = 1, x = 2}}")).collect();
    let text = format!(
        "local all = {{{}}}
local s = 0
for i = 1, 30000 do
  s = s + all[i % #all + 1].x
end",
        makes.join(", ")
    );
    screen(
        &text,
        "compiler=tracing",
        expect![[r#"
            _ in all: leaving code _ %, traces _ %, tracing _ %, optimising _ %, compiling _ %
            1. _  test.lua:4 in main chunk: a promotion has seen 18 values (megamorphic), and its guards have failed 1700 times
                | s = s + all[i % #all + 1].x
                at src/table.rs:115 in table::get_field of the interpreter
                -> tables of many shapes meet here: give all of them the same fields in the same order, and one metatable
                -> in the interpreter: promote something that has fewer values, or nothing [promotions]
            2. _  test.lua:4 in main chunk: 10 guards failed 1700 times before there was a bridge for each
                | s = s + all[i % #all + 1].x
                -> nothing, if it stops; fewer kinds of values in one loop need fewer bridges [bridges]
            3. _  test.lua:4 in main chunk: 2 calls of shape::find (elidable)
                | s = s + all[i % #all + 1].x
                believed to read nothing, to write nothing
                in front of src/table.rs:116 in table::get_field of the interpreter
                -> nothing, if it is worth a call; else write what is hot of it in the subset [calls-of-elidable-functions]
            4. _  test.lua:3 in main chunk: stores 14 words to GcArray<Register<value::Value>,value::InFrame>
                | for i = 1, 30000 do
                seen by the code behind the loop's label L0
                -> where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place [stores]
            5. _  test.lua:4 in main chunk: a promotion has seen many values, so what follows is compiled for any (2 times)
                | s = s + all[i % #all + 1].x
                -> see which guard leaves the code so soon, or what has so many ways [changes-of-tier]
            (`verdigris explain --about promotions` says more, as it does of the other words in brackets.)

            compiled:
        "#]],
    );
}
