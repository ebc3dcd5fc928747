//! The compiled code. In: programs that are hot. Out: the operations of the loops' bodies, and how
//! many loops and bridges there are. Invariant under test: a loop of numbers works in registers,
//! calls included; field access is a guard on the shape and a load.

use crate::common::{guest, output, program};
use expect_test::expect;
use std::fs;
use std::path::Path;
use verdigris::Options;
use verdigris_testing::{compiled, for_each, programs};

fn summary(text: &str) -> String {
    let run = compiled(guest(&program(text), &[]), "");
    assert_eq!(run.outcome.error, None);
    run.summary()
}

/// Bodies that are too long to list.
fn digest(text: &str) -> String {
    let run = compiled(guest(&program(text), &[]), "");
    assert_eq!(run.outcome.error, None);
    run.digest()
}

#[test]
fn a_loop_of_integers_works_in_registers() {
    let text = "local s = 0 for i = 1, 20000 do s = s + i end print(s)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_loop_of_floats_works_in_registers() {
    let text = "local x = 0.5 for i = 1, 20000 do x = x * 0.5 + 1.5 end print(x)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        float_mul float_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_global_that_does_not_change_is_a_constant() {
    let text = "by = 2 local s = 0 for i = 1, 20000 do s = s + by end print(s)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_field_is_a_load() {
    let text = "local p = {x = 1, y = 2} for i = 1, 20000 do p.x = p.x + p.y end print(p.x)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_method_is_looked_into() {
    let text = "local C = {} C.__index = C
        function C:add(d) self.n = self.n + d end
        local o = setmetatable({n = 0}, C)
        for i = 1, 20000 do o:add(i) end print(o.n)";
    expect![[r#"
        loops 1, other traces 0, bridges 0, aborts 0: operations 25, guards 6, calls 0, new 0, reads 8, writes 2
    "#]]
    .assert_eq(&digest(text));
}

/// The second look-up of a word finds what the first has found, and the table is not loaded again.
#[test]
fn a_word_is_looked_up_once() {
    let text = "local counts, words = {}, {} for i = 1, 50 do words[i] = 'word' .. i % 7 end
        for round = 1, 500 do
          for i = 1, #words do local w = words[i] counts[w] = (counts[w] or 0) + 1 end
        end
        print(counts.word3)";
    expect![[r#"
        loops 1, other traces 0, bridges 2, aborts 0: operations 34, guards 11, calls 1, new 0, reads 4, writes 1
    "#]].assert_eq(&digest(text));
}

#[test]
fn an_item_is_a_load() {
    let text = "local t, s = {}, 0 for i = 1, 20000 do t[i] = i end for i = 1, 20000 do s = s + t[i] end print(s)";
    expect![[r#"
        loops 2, bridges 0, aborts 0
        int_add uint_le guard_true int_eq guard_true int_le guard_false setitem_i word_from_int setitem_w int_add int_lt guard_true int_add jump L1
        int_add uint_lt guard_true int_lt guard_true getitem_i getitem_w guard_value int_from_word int_add int_lt guard_true int_add jump L3
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn a_protected_call_is_looked_into() {
    let text = "local function f(x) return x + 1 end
        local s = 0 for i = 1, 20000 do local ok, v = pcall(f, i) s = s + v end print(s)";
    expect![[r#"
        loops 1, other traces 1, bridges 0, aborts 0: operations 44, guards 10, calls 1, new 1, reads 8, writes 12
    "#]]
    .assert_eq(&digest(text));
}

/// Of a small function nothing but what it computes is left: no frame, no list of arguments.
#[test]
fn a_call_of_a_local_function_leaves_no_frame() {
    let text = "local function add(a, b) return a + b end
        local s = 0 for i = 1, 20000 do s = add(s, i) end print(s)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn several_results_leave_no_list() {
    let text = "local function both(a, b) return b, a + b end
        local x, y = 1, 1 for i = 1, 20000 do x, y = both(x, y) end print(x, y)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

/// What a call gives as the last argument is a list, which goes through a register.
#[test]
fn a_call_as_the_last_argument_leaves_no_list() {
    let text = "local function add(a, b) return a + b end
        local function inc(a) return a + 1 end
        local x = 1 for i = 1, 20000 do x = add(x, inc(i)) end print(x)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_add int_lt guard_true jump L1
    "#]]
    .assert_eq(&summary(text));
}

#[test]
fn extra_arguments_leave_no_list() {
    let text = "local function va(...) return select('#', ...) + select(2, ...) end
        local s = 0 for i = 1, 20000 do s = s + va(i, 2, 3) end print(s)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
    let text = "local function sum(...) local a, b, c = ... return a + b + c end
        local function pass(...) return sum(...) end
        local s = 0 for i = 1, 20000 do s = s + pass(i, 2, 3) end print(s)";
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_add int_lt guard_true int_add jump L1
    "#]]
    .assert_eq(&summary(text));
}

/// A loop that writes `count` local variables of its body; the last is used.
fn locals(count: usize) -> String {
    let body: String = (1..count)
        .map(|n| format!("local r{n} = i + {n} "))
        .collect();
    let last = count - 1;
    format!("local s = 0 for i = 1, 20000 do {body} s = s + r{last} end print(s)")
}

/// A loop with `count` variables that live from turn to turn.
fn carried(count: usize) -> String {
    let list = |each: fn(usize) -> String| (1..=count).map(each).collect::<String>();
    let before = list(|n| format!("local r{n} = {n} "));
    let body = list(|n| format!("r{n} = r{n} + i "));
    let after = list(|n| format!("s = (s + r{n}) % 1000003 "));
    format!("{before} local s = 0 for i = 1, 20000 do {body} end {after} print(s)")
}

/// The code for loops of 6, 7, 24 and 100 registers.
fn by_registers(text: fn(usize) -> String) -> String {
    let line = |count| format!("{count}: {}", digest(&text(count)));
    [6, 7, 24, 100].map(line).concat()
}

/// There is no store to the frame, however many registers a loop writes.
#[test]
fn registers_that_nobody_reads_are_not_stored() {
    expect![[r#"
        6: loops 1, other traces 0, bridges 0, aborts 0: operations 9, guards 1, calls 0, new 0, reads 0, writes 0
        7: loops 1, other traces 0, bridges 0, aborts 0: operations 10, guards 1, calls 0, new 0, reads 0, writes 0
        24: loops 1, other traces 0, bridges 0, aborts 0: operations 27, guards 1, calls 0, new 0, reads 0, writes 0
        100: loops 1, other traces 0, bridges 0, aborts 0: operations 103, guards 1, calls 0, new 0, reads 0, writes 0
    "#]].assert_eq(&by_registers(locals));
}

#[test]
fn registers_that_live_on_are_not_stored() {
    expect![[r#"
        6: loops 1, other traces 0, bridges 0, aborts 0: operations 10, guards 1, calls 0, new 0, reads 0, writes 0
        7: loops 1, other traces 0, bridges 0, aborts 0: operations 11, guards 1, calls 0, new 0, reads 0, writes 0
        24: loops 1, other traces 0, bridges 0, aborts 0: operations 28, guards 1, calls 0, new 0, reads 0, writes 0
        100: loops 1, other traces 0, bridges 0, aborts 0: operations 104, guards 1, calls 0, new 0, reads 0, writes 0
    "#]].assert_eq(&by_registers(carried));
}

/// The first pass of the inner loop that is recorded may leave through the outer one: no label may
/// give up the frame for that.
#[test]
fn a_loop_within_loops_gives_up_nothing() {
    let text = "local n, inside = 60, 0
        for y = 0, n - 1 do
          local ci = 2.0 * y / n - 1.0
          for x = 0, n - 1 do
            local cr = 2.0 * x / n - 1.5
            local zr, zi, escaped = 0.0, 0.0, false
            for _ = 1, 50 do
              local r2, i2 = zr * zr, zi * zi
              if r2 + i2 > 4.0 then escaped = true break end
              zr, zi = r2 - i2 + cr, 2.0 * zr * zi + ci
            end
            if not escaped then inside = inside + 1 end
          end
        end
        print(inside)";
    expect![[r#"
        loops 1, other traces 0, bridges 2, aborts 0: operations 15, guards 2, calls 0, new 0, reads 0, writes 0
    "#]].assert_eq(&digest(text));
}

/// Objects with a metatable each: what is compiled depends on what the metatables are like, and
/// nothing on which they are.
#[test]
fn a_metatable_for_each_object_needs_no_code_for_each() {
    let text = "local Point = {}
        function Point.move(self, by) self.x = self.x + by return self.x end
        local points = {}
        for i = 1, 200 do points[i] = setmetatable({x = i}, {__index = Point}) end
        local s = 0
        for round = 1, 200 do for i = 1, #points do s = s + points[i]:move(1) end end
        print(s)";
    expect![[r#"
        loops 1, other traces 0, bridges 1, aborts 0: operations 56, guards 16, calls 0, new 0, reads 20, writes 2
    "#]]
    .assert_eq(&digest(text));
}

/// Neither the object nor its metatable is made.
#[test]
fn a_metatable_for_each_object_is_not_made() {
    let text = "local Point = {}
        function Point.length(self) return self.x * self.x + self.y end
        local s = 0
        for i = 1, 20000 do s = s + setmetatable({x = i, y = 1}, {__index = Point}):length() end
        print(s)";
    expect![[r#"
        loops 1, other traces 0, bridges 0, aborts 0: operations 7, guards 1, calls 0, new 0, reads 0, writes 0
    "#]]
    .assert_eq(&digest(text));
}

/// The shape of tables that share a metatable knows it, the first of them included.
#[test]
fn a_metatable_of_many_is_a_constant() {
    let text = "local mt, list = {}, {}
        setmetatable({}, {unlike = mt})
        mt.__index = {add = function(self, d) self.n = self.n + d end}
        for i = 1, 100 do list[i] = setmetatable({n = i}, mt) end
        for round = 1, 300 do for i = 1, #list do list[i]:add(round) end end
        print(list[1].n)";
    expect![[r#"
        loops 1, other traces 0, bridges 1, aborts 0: operations 46, guards 13, calls 0, new 0, reads 16, writes 2
    "#]]
    .assert_eq(&digest(text));
}

/// The entry under 0 of a table whose indices begin there is found without a call, and does not
/// keep those behind it from being items.
#[test]
fn indices_may_begin_with_0() {
    let text = "local t = {}
        for i = 0, 9 do t[i] = i end
        local s = 0
        for i = 1, 20000 do s = s + t[0] + t[i % 10] t[0] = i end
        print(s)";
    expect![[r#"
        loops 1, other traces 0, bridges 2, aborts 0: operations 16, guards 4, calls 0, new 0, reads 0, writes 0
    "#]].assert_eq(&digest(text));
}

/// Whole numbers in floats, as programs without bit operations have them, make no calls.
#[test]
fn remainders_of_whole_floats_make_no_calls() {
    let text = "local bits, s = {[0] = 0.0, 1.0, 2.0, 3.0}, 0.0
        for i = 1, 20000 do
          local x = i / 1.0
          s = s + bits[x % 4] + x % 7
        end
        print(s)";
    expect![[r#"
        loops 1, other traces 0, bridges 2, aborts 0: operations 29, guards 7, calls 0, new 0, reads 0, writes 0
    "#]].assert_eq(&digest(text));
}

/// Data that a program makes a second time is made again: what was compiled for it is kept then.
#[test]
fn a_global_table_that_is_made_twice_is_a_variable() {
    let text = "function fill(n)
          list = {}
          for i = 1, n do list[i] = i end
        end
        function total()
          local s = 0
          for i = 1, #list do s = s + list[i] end
          return s
        end
        for round = 1, 6 do fill(3000) print(total()) end";
    let options = Options::parse("compiler=tracing,compile_allowance=off").expect("they exist");
    let run = guest(&program(text), &[])(options);
    assert_eq!(run.outcome.output, output(text));
    assert!(run.stats.invalidated <= 2, "{}", run.stats.invalidated);
}

/// A table that got its fields under computed names is a record where the text names them.
#[test]
fn fields_under_computed_names_are_loads() {
    let text = "local t = {}
        for k = 1, 8 do t['f' .. k] = k end
        for i = 1, 20000 do t.f3 = i t.f7 = t.f3 + 1 end
        print(t.f3, t.f7)";
    expect![[r#"
        loops 1, other traces 0, bridges 0, aborts 0: operations 4, guards 1, calls 0, new 0, reads 0, writes 0
    "#]]
    .assert_eq(&digest(text));
}

/// Ways through a function come together where it returns, and not in each of the copies of its
/// caller: there are a few for each branch, and not for each sequence of branches.
#[test]
fn functions_of_many_ways_are_called() {
    let text = "
        local seed = 1
        local function random()
          seed = seed * 16807 % 2147483647
          return seed % 1000
        end
        local function pick(v)
          local r = 0
          if v % 2 == 0 then r = r + 1 else r = r - 2 end
          if v % 3 == 0 then r = r * 2 else r = r + 5 end
          if v % 5 == 0 then r = r - 7 else r = r + 1 end
          return r
        end
        local sum = 0
        for i = 1, 30000 do
          sum = sum + pick(random()) + pick(random()) + pick(random()) + pick(random())
        end
        print(sum)";
    let options = Options::parse("compiler=tracing,compile_allowance=off").expect("they exist");
    let run = guest(&program(text), &[])(options);
    assert_eq!(run.outcome.output, output(text));
    assert!(run.stats.bridges < 100, "{}", run.stats.bridges);
}

/// The benchmarks of `bench/lua`, each with its quick size, as texts of their own.
fn benchmarks() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/lua");
    let files = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let texts = files.filter_map(|file| {
        let path = file.expect("it can be listed").path();
        if path.is_dir() {
            return None;
        }
        let text = fs::read_to_string(&path).expect("it can be read");
        let size = text
            .lines()
            .find_map(|line| line.strip_prefix("-- quick:"))?;
        let text = format!("local function module() {text}\nend print(module()({size}))");
        Some((path.display().to_string(), text))
    });
    texts.collect()
}

/// Whatever an iteration ends with, the next one begins with what is known of it. A body that
/// assumes nothing loads and tests everything again.
#[test]
fn no_loop_of_a_program_assumes_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let own = programs(&folder, "lua", "--").into_iter();
    let own = own.map(|p| (p.name, p.source, p.args));
    let benchmarks = benchmarks()
        .into_iter()
        .map(|(name, text)| (name, text, Vec::new()));
    let all: Vec<_> = own.chain(benchmarks).collect();
    assert!(all.len() >= 48, "only {} programs", all.len());
    for_each(&all, |(name, text, args)| {
        let early = "threshold=7,function_threshold=7,trace_eagerness=3";
        let run = compiled(guest(&program(text), args), early);
        let lost = &run.stats.lost;
        assert!(run.stats.traces > 0, "{name}: {:?}", run.outcome);
        let generic = ["unsettled", "contradiction"].map(|reason| lost.get(reason));
        assert_eq!(generic, [None; 2], "{name}: {lost:?}");
    });
}
