//! Stacks of all sizes. In: programs that recurse further than any stack reaches: by calls, by
//! metamethods, by functions that are given to the library. Out: what they end with, what they have
//! left in global variables, and what the machine does next. Invariant under test: it is an error
//! that says so, under every setting, and no accident; each call up to there has stored what it
//! stores, the innermost maybe a part of it, and the next program gives what it should.

use crate::common::program;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris::StackExhausted;
use verdigris_lua::machine::{Machine, Program};
use verdigris_testing::{SETTINGS, Setting, for_each, on_stack, with_stacks};

/// Calls that count themselves, add up their arguments, and remember the last one, each in a table
/// and from there in a variable.
const COUNT: &str = "calls, sum, last, limit = 0, 0, 0, 20
    local t = { sum = 0, kept = { n = 0 } }
    local function count(n)
        calls = calls + 1
        t.sum = t.sum + n
        t.kept = { n = n }
        sum, last = t.sum, t.kept.n
        return n >= limit
    end
    -- Compiled first, where it ends.
    local function start(down)
        for i = 1, 30 do down(1) end
        calls, t.sum, limit = 0, 0, 1 << 60
        down(1)
    end\n";

/// Recursion without an end.
const ENDLESS: [&str; 3] = [
    "local function down(n) if count(n) then return 0 end return down(n + 1) + 1 end
     start(down)",
    "local function down(n)
         local one = 0
         for i = 1, 5 do one = one + i / 15 end
         if not count(n) then one = one + down(n + 1) end
         return one
     end
     start(down)",
    "local t = setmetatable({}, { __index = function(t, n) return count(n) and 0 or t[n + 1] + 1 end })
     start(function(n) return t[n] end)",
];

/// Recursion without an end that is caught: as a whole, and in each call.
const CAUGHT: &str = "
    local function down(n) return down(n + 1) + 1 end
    for n = 1, 3 do print(pcall(down, 1)) end
    local function each(n) local ok, result = pcall(each, n + 1) return result end
    print(each(1))";

struct Programs {
    endless: Vec<Program>,
    caught: Program,
    next: Program,
}

impl Programs {
    fn new() -> Programs {
        let endless = ENDLESS
            .iter()
            .map(|text| program(&(COUNT.to_string() + text)));
        Programs {
            endless: endless.collect(),
            caught: program(CAUGHT),
            next: program("local s = 0; for i = 1, 100 do s = s + i end; print(s)"),
        }
    }
}

fn check(programs: &Programs, setting: &Setting, bytes: usize) {
    let mut options = setting.options();
    // A deep stack takes its time, to be scanned and to be unwound.
    options.native_stack = (bytes >= 1 << 20).then_some(192 << 10);
    let machine = Machine::new(options, i64::MAX).unwrap_or_else(|error| panic!("{error}"));
    for (n, endless) in programs.endless.iter().enumerate() {
        let at = format!("program {n}, {}, {} kB", setting.name, bytes >> 10);
        let left = machine.enter(endless, &[], |loaded| {
            let payload = catch_unwind(AssertUnwindSafe(|| loaded.run())).expect_err(&at);
            assert!(payload.is::<StackExhausted>(), "{at}");
            ["calls", "sum", "last"].map(|name| loaded.global(name))
        });
        let left = left.unwrap_or_else(|error| panic!("{at}: {error}"));
        let [calls, sum, last] = left.map(|text| text.parse::<i64>().expect(&at));
        // The innermost call may have been stopped at any instruction, where native code was to do
        // the rest of it.
        let sums = [calls - 1, calls].map(|n| n * (n + 1) / 2);
        assert!(
            sums.contains(&sum),
            "{at}: the sum is {sum} behind {calls} calls"
        );
        assert!(
            (calls - 1..=calls).contains(&last),
            "{at}: {last} of {calls} calls"
        );
        let error = machine.run(endless, &[], true).error.expect(&at);
        assert!(
            error.ends_with("the native stack is used up"),
            "{at}: {error}"
        );
        let next = machine.run(&programs.next, &[], true);
        assert_eq!((&next.output[..], next.error), ("5050\n", None), "{at}");
    }
    let caught = machine.run(&programs.caught, &[], true);
    let printed = "false\tstack overflow\n".repeat(3) + "stack overflow\n";
    assert_eq!((caught.output, caught.error), (printed, None));
}

#[test]
fn too_deep_recursion_is_the_same_error_on_every_stack() {
    let programs = Programs::new();
    let settings: Vec<_> = SETTINGS.iter().filter(|setting| !setting.slow).collect();
    for_each(&with_stacks(&settings), |&(setting, bytes)| {
        on_stack(bytes, || check(&programs, setting, bytes));
    });
}
