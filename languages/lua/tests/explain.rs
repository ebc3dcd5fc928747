//! Why programs are slow, as `--explain` says it. In: a program for each way to become slow that is known, and where Lua does not become slow that way, the one that did
//! so once. Out: the first screen. Invariant under test: the cause is named there; what is no cause any more is not.

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
        first_screen(machine.explain(), text)
    };
    expected.assert_eq(&on_stack(300, run).expect("a stack"));
}

/// The registers of an inlined call are an array that is not made.
#[test]
fn a_call_in_a_loop_makes_nothing() {
    let text = "local function add(a, b) return a + b end
local s = 0
for i = 1, 20000 do s = add(s, i) end";
    screen(text, "", expect![[""]]);
}

#[test]
fn a_table_that_is_kept_is_made() {
    let text = "local keep = {}
for i = 1, 20000 do
  local point = {x = i, y = i + 1}
  keep[1] = point
end";
    screen(text, "", expect![[""]]);
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
    screen(SEVEN_REGISTERS, "", expect![[""]]);
}

#[test]
fn a_register_that_there_is_no_room_for_is_stored() {
    screen(SEVEN_REGISTERS, "enable_opts=all+delayed=2", expect![[""]]);
}

#[test]
fn native_code_calls_the_guest() {
    let text = "local r = 0
local function inc(a) return a + 1 end
for i = 1, 6000 do
  local ok, v = xpcall(inc, print, i)
  r = r + v
end";
    screen(text, "", expect![[""]]);
}

#[test]
fn warming_up_is_what_takes_time() {
    let text = "local s = 0
for i = 1, 6000 do
  local k = i % 6
  if k == 0 then s = s + 1 elseif k == 1 then s = s + 2 elseif k == 2 then s = s * 2 % 1000
  elseif k == 3 then s = s - 1 else s = s + k end
end";
    screen(text, "", expect![[""]]);
}

#[test]
fn collecting_is_what_takes_time() {
    let text = "local keep = {}
for i = 1, 10000 do keep[i] = {i} end
for i = 1, 60000 do keep[i % 10000 + 1] = {i, i + 1} end";
    screen(text, "", expect![[""]]);
}

#[test]
fn a_trace_is_too_long() {
    let text = "local function weigh(a, b) return (a * 3 + b * 5) % 7 end
local s = 0
for i = 1, 6000 do
  s = s + weigh(i, s) + weigh(s, i) + weigh(i + 1, s)
end";
    screen(text, "trace_limit=60,compiler=tracing", expect![[""]]);
}
