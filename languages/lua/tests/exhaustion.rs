//! Programs that use up their heap, and go on. In: programs under limits from one megabyte on. Out:
//! what they print. Invariants under test: what a program did before it was stopped is done, and
//! nothing else; `pcall` gives an error like any other; the machine runs the next program.

use crate::common::{DEPTH, program};
use verdigris::Options;
use verdigris_lua::machine::{Machine, on_stack};
use verdigris_testing::{Outcome, agree_at_the_limit, next};

/// The settings of the JIT; the limit comes in front.
const SETTINGS: &[&str] = &[
    "off",
    "threshold=2,trace_eagerness=1",
    "threshold=2,trace_eagerness=1,backend=oracle",
    "threshold=3,trace_eagerness=2,enable_opts=none",
    "threshold=2,trace_eagerness=1,fail_guards=1",
];

/// What a program prints on a heap of this many kilobytes, and what another one prints on the same
/// machine then.
fn run(text: &str, kilobytes: u64, settings: &str) -> String {
    let run = || {
        let params = format!("heap_limit={kilobytes}k,{settings}");
        let options = Options::parse(&params).unwrap_or_else(|e| panic!("{params}: {e}"));
        let machine = Machine::new(options, DEPTH).unwrap_or_else(|e| panic!("{e}"));
        let mut printed = String::new();
        for text in [
            text,
            "local s = 0 for i = 1, 1000 do s = s + i end print(s)",
        ] {
            let outcome = machine.run(&program(text), &[], true);
            printed += &outcome.output;
            printed += &outcome
                .error
                .map_or(String::new(), |error| format!("error: {error}\n"));
        }
        printed
    };
    on_stack(DEPTH, run).expect("a stack")
}

/// The limits take turns: each setting has every second one.
fn check(text: &str, expected: &str) {
    let limits = [1024, 1057, 1500, 3000];
    for (number, settings) in SETTINGS.iter().enumerate() {
        for &kilobytes in limits.iter().skip(number % 2).step_by(2) {
            check_under(kilobytes, settings, text, expected);
        }
    }
}

fn check_under(kilobytes: u64, settings: &str, text: &str, expected: &str) {
    let printed = run(text, kilobytes, settings);
    let expected = format!("{expected}500500\n");
    assert_eq!(printed, expected, "{kilobytes} KB, {settings}");
}

#[test]
fn a_protected_call_catches_it_again_and_again() {
    check(
        "local function fill()
           local t = {}
           for i = 1, 1e9 do t[i] = {i} end
         end
         for n = 1, 4 do print(pcall(fill)) end
         print(xpcall(fill, function(message) return 'handled: ' .. message end))",
        &format!(
            "{}false\thandled: not enough memory\n",
            "false\tnot enough memory\n".repeat(4)
        ),
    );
}

#[test]
fn what_was_done_is_done() {
    check(
        "local kept = {n = 0, sum = 0}
         local function keep()
           while true do
             local entry = {kept.n + 1, name = 'e' .. kept.n % 10}
             kept.n = kept.n + 1
             kept[kept.n] = entry
             kept.sum = kept.sum + entry[1]
           end
         end
         local function exact()
           local items, sum = #kept, 0
           for i = 1, items do sum = sum + kept[i][1] end
           -- The list may have had no room for the last one.
           return kept.n - items <= 1, sum == kept.sum, items > 20
         end
         -- Registers of functions that have ended keep nothing alive.
         local function again()
           print(pcall(keep))
           print(exact())
           kept = {n = 0, sum = 0}
         end
         for n = 1, 3 do again() end",
        &"false\tnot enough memory\ntrue\ttrue\ttrue\n".repeat(3),
    );
}

/// Half of what is there for it, under limits of which that is a small share too. What is slow has
/// the least of them alone.
#[test]
fn who_catches_it_has_room() {
    let text = "local kept = {}
         local function keep()
           while true do kept[#kept + 1] = {#kept, 'x' .. #kept} end
         end
         local function again()
           local done, message = pcall(keep)
           local texts = {}
           for i = 1, 500 do texts[i] = {message, 'i' .. i} end
           print(done, #texts, texts[500][2])
           kept = {}
         end
         for n = 1, 3 do again() end";
    let expected = "false\t500\ti500\n".repeat(3);
    for settings in SETTINGS {
        check_under(1024, settings, text, &expected);
    }
    for settings in &SETTINGS[..2] {
        check_under(6 << 10, settings, text, &expected);
    }
    check_under(32 << 10, SETTINGS[1], text, &expected);
}

#[test]
fn recursion_uses_it_up_too() {
    check(
        "local count = 0
         local function tree(depth)
           count = count + 1
           if depth == 0 then return {} end
           return {tree(depth - 1), tree(depth - 1)}
         end
         print(pcall(tree, 40))
         print(select('#', pcall(tree, 3)))
         count = 0
         print(#tree(5), count)
         local text = 'x'
         print(pcall(function() while true do text = text .. text end end))
         print(#text > 100000)",
        "false\tnot enough memory\n2\n2\t63\nfalse\tnot enough memory\ntrue\n",
    );
}

#[test]
fn a_hook_that_uses_it_up_is_called_again() {
    check(
        "local calls, kept = 0, nil
         local function hook()
           calls = calls + 1
           kept = {}
           while calls < 3 do kept[#kept + 1] = {} end
         end
         local function watched()
           debug.sethook(hook, '', 10)
           for i = 1, 100 do local x = i end
         end
         local function try()
           local done, message = pcall(watched)
           debug.sethook()
           kept = nil
           print(done, message)
         end
         try() try() try()
         print(calls > 3)",
        "false\tnot enough memory\nfalse\tnot enough memory\ntrue\tnil\ntrue\n",
    );
}

#[test]
fn nobody_catches_it() {
    check(
        "local t = {} while true do t[#t + 1] = {} end",
        "error: test.lua: the guest program has used up its heap\n",
    );
}

/// A program in a new world each time: what compiled code keeps of the worlds before is given up
/// when the heap is used up, so that never two runs in a row find no room.
#[test]
fn a_machine_runs_again_and_again_in_a_heap_for_two_worlds() {
    let program = program("local s = 0 for i = 1, 100 do s = s + i end print(s)");
    for jit in [
        "threshold=2",
        "threshold=2,trace_eagerness=1,backend=oracle",
    ] {
        let options = Options::parse(&format!("heap_limit=400k,{jit}")).expect("it parses");
        let run = || {
            let machine = Machine::new(options, DEPTH).unwrap_or_else(|e| panic!("{e}"));
            let ended = (0..12).map(|_| machine.run(&program, &[], true).error.is_none());
            (ended.collect(), machine.vm().stats())
        };
        let (ended, stats): (Vec<bool>, _) = on_stack(DEPTH, run).expect("a stack");
        assert!(stats.loops > 2 && stats.freed > 0, "{stats:?}");
        let fails_twice = ended.windows(2).any(|pair| pair == [false, false]);
        assert!(!fails_twice, "{jit}: {ended:?}");
    }
}

#[test]
fn programs_end_well_with_too_little_memory() {
    let second = program("local s = 0 for i = 1, 100 do s = s + i end print(s)");
    for text in [
        // Records in a list, and others that die.
        "local list, sum = {}, 0
         for i = 1, 1500 do
           list[i] = {i, name = 'n' .. i % 50}
           local gone = {list[i], i}
           sum = sum + gone[1][1]
           if i % 100 == 0 then print(i, sum) end
         end
         for i = 1, #list do sum = sum + #list[i].name end
         print(#list, sum)",
        // A dictionary that grows, and closures.
        "local counts, total = {}, 0
         local function adder(n) return function(x) total = total + x + n end end
         for i = 1, 900 do
           counts['key' .. i] = adder(i)
           if i % 100 == 0 then print(i) end
         end
         for key, add in pairs(counts) do add(#key) end
         print(total)",
        // Recursion that builds a tree.
        "local function tree(depth)
           if depth == 0 then return {depth} end
           return {depth, tree(depth - 1), tree(depth - 1)}
         end
         local function sum(node)
           if not node[2] then return node[1] + 1 end
           return node[1] + sum(node[2]) + sum(node[3])
         end
         for depth = 1, 9 do print(depth, sum(tree(depth))) end",
    ] {
        let program = program(text);
        agree_at_the_limit(|options| {
            let run = || {
                let machine = Machine::new(options, DEPTH).unwrap_or_else(|e| panic!("{e}"));
                let outcome = |program| {
                    let done = machine.run(program, &[], true);
                    let (output, error) = (done.output, done.error);
                    Outcome { output, error }
                };
                (outcome(&program), next(|| outcome(&second)))
            };
            on_stack(DEPTH, run).expect("a stack")
        });
    }
}

/// Strings in the making, outside of the heap, count for its limit.
#[test]
fn strings_that_do_not_fit_are_not_made() {
    check(
        "local function fails(f, ...)
           local ok, message = pcall(f, ...)
           return not ok and message
         end
         local s = ('x'):rep(40000)
         local t = {} for i = 1, 100 do t[i] = s end
         print(fails(string.rep, 'x', 1 << 30), fails(string.rep, 'x', 1 << 20, 'yyy'))
         print(fails(table.concat, t), fails(string.gsub, s, 'x', ('y'):rep(100)))
         print(fails(string.format, ('%s'):rep(90), table.unpack(t, 1, 90)))
         print(fails(function() local s = s while true do s = s .. s end end))
         print(fails(string.upper, s), fails(string.rep, s, 2), #s)",
        &format!(
            "{0}\t{0}\n{0}\t{0}\n{0}\n{0}\nfalse\tfalse\t40000\n",
            "not enough memory"
        ),
    );
}
